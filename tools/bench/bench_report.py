"""What tools/bench/run says about its runs: medians, ratios, tables, differences.

Pure functions of the collected runs; nothing here starts a program or reads a
file.  A run is the dictionary that a program of tools/bench prints as JSON.

    measured = Measured(row, size=32, threads=2, runs={"serial": [run, ...], ...})
    print(block(measured))
    print(summary([measured, ...]))
"""
import statistics

from text_table import aligned

SERIAL = "serial"
# In the order of the tables.
RUNTIMES = {
    "serial": "serial",
    "threads": "threads by hand",
    "filch": "filch",
    "facade": "filch as TBB",
    "onetbb": "oneTBB",
    "libgomp": "libgomp",
    "libomp": "libomp",
    "rayon": "rayon",
    "java": "ForkJoinPool",
}
# What a row is about.
OURS = ("filch", "facade")
# What ours are compared with.
PEERS = ("onetbb", "libgomp", "libomp", "rayon", "java")
# A median that is this much higher is called slower; below it is noise.
NOISE = 1.05
# The share of the rounds that have to say so. If a row were a toss-up, one of nine would be
# called slower after six rounds, and one of fifty after twelve.
MOST = 0.8


class Measured:
    """One row and its runs by runtime."""

    def __init__(self, row, size, threads, runs):
        self.row = row
        self.size = size
        self.threads = threads
        self.runs = runs

    @property
    def name(self):
        return self.row.name

    @property
    def cell(self):
        """What is run for it."""
        return self.row.workload, self.size, self.threads, self.row.repeat

    def values(self, runtime):
        """Every value of every run."""
        return [value for run in self.runs.get(runtime) or []
                for value in run["metrics"].get(self.row.metric, [])]

    def median(self, runtime):
        """The median of the runs' medians, or None if there are none."""
        medians = [statistics.median(run["metrics"][self.row.metric])
                   for run in self.runs.get(runtime) or [] if run["metrics"].get(self.row.metric)]
        return statistics.median(medians) if medians else None

    def minimum(self, runtime):
        return min(self.values(runtime), default=None)

    def limit(self):
        """What no runtime should beat by much, or None: threads by hand, or the serial
        time shared evenly."""
        candidates = [self.median("threads") if self.row.limited else None]
        serial = self.median(SERIAL)
        if self.row.perfect and serial is not None:
            candidates.append(serial / self.threads)
        return min((c for c in candidates if c is not None), default=None)

    def best(self):
        """The fastest parallel runtime, or None."""
        medians = {r: self.median(r) for r in RUNTIMES if r not in (SERIAL, "threads")}
        medians = {r: m for r, m in medians.items() if m is not None}
        return min(medians, key=medians.get) if medians else None

    def ratio(self, runtime, other):
        """How many times as much the one takes as the other (a runtime or a number)."""
        above = self.median(runtime)
        below = self.median(other) if isinstance(other, str) else other
        return above / below if above is not None and below else None  # below: 0 or None

    def wrong_answers(self):
        """A sentence for each runtime that ever differs from the first serial run."""
        serial = self.runs.get(SERIAL)
        if not serial:
            return []
        expected = serial[0]["answer"]
        sentences = []
        for runtime, label in RUNTIMES.items():
            wrong = {run["answer"] for run in self.runs.get(runtime) or []} - {expected}
            if wrong:
                sentences.append("%s: %s answers \"%s\", but the serial run \"%s\"."
                                 % (self.name, label, sorted(wrong)[0], expected))
        return sentences


def number(value):
    """Three significant digits, without an exponent."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return "%.0f" % value
    return "%.1f" % value if abs(value) >= 10 else "%.2f" % value


def _times(value):
    return "-" if value is None else "%.2fx" % value


def block(measured):
    """Every runtime of one row."""
    limit, best = measured.limit(), measured.best()
    lines = [["", "median", "min", "/ oneTBB", "/ best", "/ limit"]]
    for runtime, label in RUNTIMES.items():
        if measured.median(runtime) is not None:
            lines.append([label, number(measured.median(runtime)), number(measured.minimum(runtime)),
                          _times(measured.ratio(runtime, "onetbb")),
                          _times(measured.ratio(runtime, best)) if best else "-",
                          _times(measured.ratio(runtime, limit))])
    title = "%s (%s; %d thread%s)" % (measured.name, measured.row.unit, measured.threads,
                                      "s" * (measured.threads != 1))
    return "\n".join([title] + aligned(lines, "  "))


def _is_slower(measured, ours, onetbb):
    return ours > NOISE * onetbb > 0 and ours > onetbb + measured.row.floor


def _verdicts(measured, runtime):
    """Whether the runtime was slower than oneTBB by more than noise, for each round."""
    verdicts = []
    for ours, onetbb in zip(measured.runs.get(runtime) or [], measured.runs.get("onetbb") or []):
        values = [run["metrics"].get(measured.row.metric) for run in (ours, onetbb)]
        if all(values):
            verdicts.append(_is_slower(measured, *map(statistics.median, values)))
    return verdicts


def slower_than_onetbb(measured):
    """Which of ours are slower than oneTBB by more than noise, by the medians and by most
    of the rounds: the ends of a scattered row change places from round to round."""
    slow = []
    for runtime in OURS:
        verdicts = _verdicts(measured, runtime)
        if (verdicts and sum(verdicts) >= MOST * len(verdicts)
                and _is_slower(measured, measured.median(runtime), measured.median("onetbb"))):
            slow.append(runtime)
    return slow


def may_be_slower(measured):
    """Whether any round calls one of ours slower than oneTBB."""
    return any(any(_verdicts(measured, runtime)) for runtime in OURS)


def summary(rows):
    """One line a row: ours against oneTBB, the best and the limit."""
    lines = [["row", "unit", "thr", "serial", "filch", "as TBB", "oneTBB", "best peer",
              "filch/TBB", "as TBB/TBB", "filch/peer", "filch/limit", ""]]
    for measured in rows:
        peers = {r: measured.median(r) for r in PEERS if measured.median(r) is not None}
        peer = min(peers, key=peers.get) if peers else None
        lines.append(
            [measured.name, measured.row.unit, str(measured.threads)]
            + [number(measured.median(r)) for r in (SERIAL, "filch", "facade", "onetbb")]
            + ["%s %s" % (RUNTIMES[peer], number(peers[peer])) if peer else "-",
               _times(measured.ratio("filch", "onetbb")),
               _times(measured.ratio("facade", "onetbb")),
               _times(measured.ratio("filch", peer)) if peer else "-",
               _times(measured.ratio("filch", measured.limit())),
               "SLOWER" if slower_than_onetbb(measured) else ""])
    text = aligned(lines)
    text.insert(1, "-" * max(map(len, text)))
    return "\n".join(text)


def results(rows, header):
    """The machine-readable result: `header` and everything that was measured."""
    entries = []
    for measured in rows:
        serial = measured.runs.get(SERIAL)
        entries.append({
            "name": measured.name,
            "section": measured.row.section,
            "workload": measured.row.workload,
            "metric": measured.row.metric,
            "unit": measured.row.unit,
            "size": measured.size,
            "threads": measured.threads,
            "series": measured.row.series,
            "x": measured.row.x,
            "x_label": measured.row.x_label,
            "answer": serial[0]["answer"] if serial else None,
            "correct": not measured.wrong_answers(),
            "limit": measured.limit(),
            "best": measured.best(),
            "runtimes": {
                runtime: {
                    "median": measured.median(runtime),
                    "min": measured.minimum(runtime),
                    "over_onetbb": measured.ratio(runtime, "onetbb"),
                    "values": measured.values(runtime),
                } for runtime in RUNTIMES if measured.median(runtime) is not None
            },
        })
    return {**header, "rows": entries}


def difference(before, after):
    """What changed from one result to another, one line for each row and runtime that
    both have; those that changed most come first."""
    def index(result):
        return {(row["name"], row["threads"], row["size"]): row for row in result["rows"]}
    old, new = index(before), index(after)
    changes = []
    for key in old.keys() & new.keys():
        for runtime in RUNTIMES:
            a, b = (side[key]["runtimes"].get(runtime) for side in (old, new))
            if a and b and a["median"] and b["median"]:
                changes.append((b["median"] / a["median"], key, runtime, a, b))
    changes.sort(key=lambda change: (-max(change[0], 1 / change[0]), change[1], change[2]))
    lines = [["row", "thr", "runtime", "before", "after", "ratio", ""]]
    for ratio, (name, threads, _), runtime, a, b in changes:
        # Both have to agree, or it is the neighbours.
        certain = (ratio > NOISE and b["min"] > NOISE * a["min"]
                   or ratio < 1 / NOISE and NOISE * b["min"] < a["min"])
        lines.append([name, str(threads), RUNTIMES[runtime], number(a["median"]),
                      number(b["median"]), _times(ratio),
                      ("slower" if ratio > 1 else "faster") if certain else ""])
    text = aligned(lines)
    for label, missing in (("before", old.keys() - new.keys()), ("after", new.keys() - old.keys())):
        text += ["only %s: %s (size %s, %d threads)" % (label, name, size, threads)
                 for name, threads, size in sorted(missing)]
    return "\n".join(text)

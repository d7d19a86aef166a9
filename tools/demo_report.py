"""What tools/demo says about its runs: medians, wrong answers, the table.

Pure functions of the collected runs; nothing here starts a program or reads a
file.  A run is the dictionary that a program of tools/demo_programs prints as
JSON; a filch run also has "stats", the scheduler's counters, if it wrote them.

    rows = [Row("picture", {"serial": [run, ...], "onetbb": None, "filch": [...]})]
    print(table(rows))
"""
import statistics

from text_table import aligned

# In the order of the columns.  A parallel runtime's value in Row.runs is None
# if it was not available.
SERIAL = "serial"
RUNTIMES = {"onetbb": "oneTBB", "filch": "filch"}
ABSENT = {"onetbb": "not installed", "filch": "not built"}
COUNTERS = ("tasks", "steals", "parks")


class Row:
    """One program: its name and its runs by runtime."""

    def __init__(self, name, runs):
        self.name = name
        self.runs = runs

    def milliseconds(self, runtime):
        """The median of the runs, or None if there are none."""
        runs = self.runs.get(runtime)
        if not runs:
            return None
        return 1000 * statistics.median(run["seconds"] for run in runs)

    def ratio(self, runtime, other):
        """How many times as long the one takes as the other, or None."""
        above, below = self.milliseconds(runtime), self.milliseconds(other)
        return above / below if above is not None and below else None

    def counter(self, name):
        """The median of one of filch's counters, or None if it kept none."""
        values = [run["stats"][name] for run in self.runs.get("filch") or []
                  if isinstance(run.get("stats", {}).get(name), int)]
        return round(statistics.median(values)) if values else None


def wrong_answers(row):
    """A sentence for each runtime that ever differs from the first serial run."""
    expected = row.runs[SERIAL][0]["answer"]
    sentences = []
    for runtime, label in {SERIAL: "a later serial run", **RUNTIMES}.items():
        answers = {run["answer"] for run in row.runs.get(runtime) or []} - {expected}
        if answers:
            sentences.append("%s: %s answers \"%s\", but the serial run \"%s\"."
                             % (row.name, label, sorted(answers)[0], expected))
    return sentences


def _time(row, runtime):
    milliseconds = row.milliseconds(runtime)
    if milliseconds is None:
        return ABSENT[runtime]
    return "%.1f" % milliseconds


def _ratio(value):
    return "-" if value is None else "%.2fx" % value


def table(rows):
    """The table as text, one line a program."""
    lines = [["program", "serial ms", "oneTBB ms", "filch ms", "serial/filch", "oneTBB/filch",
              *COUNTERS]]
    for row in rows:
        counters = [row.counter(name) for name in COUNTERS]
        lines.append([row.name, _time(row, SERIAL)]
                     + [_time(row, runtime) for runtime in RUNTIMES]
                     + [_ratio(row.ratio(SERIAL, "filch")), _ratio(row.ratio("onetbb", "filch"))]
                     + ["-" if value is None else str(value) for value in counters])
    text = aligned(lines)
    text.insert(1, "-" * len(text[0]))
    return "\n".join(text)


def index_summary(details):
    """What the index found, in lines of text."""
    lines = ["%d directories, %d text files, %.1f MB, %d lines, %d words, %d of them different"
             % (details["directories"], details["files"], details["bytes"] / 1e6,
                details["lines"], details["words"], details["distinct_words"])]
    if details["top"]:
        # A word may be as long as a file, and its bytes may steer a terminal.
        top = ["%s %d" % (_printable(entry["word"]), entry["count"]) for entry in details["top"]]
        lines.append("top words: " + ", ".join(top))
    lines += [_printable(note, 200) for note in details["notes"]]
    return lines


def _printable(text, longest=30):
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= longest else text[:longest - 3] + "..."


def results(rows, header):
    """The machine-readable result: `header` and everything that was measured."""
    programs = []
    for row in rows:
        entry = {
            "name": row.name,
            "answer": row.runs[SERIAL][0]["answer"],
            "correct": not wrong_answers(row),
            "serial_over_filch": row.ratio(SERIAL, "filch"),
            "onetbb_over_filch": row.ratio("onetbb", "filch"),
        }
        for runtime in (SERIAL, *RUNTIMES):
            runs = row.runs.get(runtime)
            entry[runtime] = runs and {
                "median_ms": row.milliseconds(runtime),
                "seconds": [run["seconds"] for run in runs],
                "threads": runs[0]["threads"],
            }
        if entry["filch"]:
            entry["filch"].update({name: row.counter(name) for name in (*COUNTERS, "workers")})
        programs.append(entry)
    return {**header, "programs": programs}

"""What tools/bench/sweep/run says about its runs: ratios by kind, and rows that are slower.

Pure functions. A run is {row: (nanoseconds, answer)}; a row is called <kind>/<form>.

    runs = {"facade": [run, ...], "onetbb": [run, ...]}
    result = {..., "rows": least(runs)}
    print(summary(result))
"""
import math

from text_table import aligned

OURS, PEER = "facade", "onetbb"
RUNTIMES = OURS, PEER
# Ours of another state of the tree, if the runs have it.
BEFORE = "before"
# From here on a row is listed as slower.
SLOWER = 1.1
STEPS = (SLOWER, 1.2, 1.5, 2)
# What changed by less is not listed, nor are more than so many rows for either direction.
CHANGED = 1.2
MOST_CHANGED = 40


def least(runs):
    """{row: {runtime: nanoseconds}}: the least of all runs."""
    return {row: {runtime: min(run[row][0] for run in of_runtime)
                  for runtime, of_runtime in runs.items()}
            for row in runs[OURS][0] if all(row in run for of in runs.values() for run in of)}


def wrong_answers(runs):
    """A sentence for each row that is missing somewhere, or on whose answer the runs differ."""
    everything = [run for of_runtime in runs.values() for run in of_runtime]
    sentences = []
    for row in dict.fromkeys(row for run in everything for row in run):
        answers = {run[row][1] if row in run else "nothing" for run in everything}
        if len(answers) > 1:
            sentences.append("%s: The answers differ: %s." % (row, ", ".join(sorted(answers))))
    return sentences


def ratio(times, below=PEER):
    return times[OURS] / times[below]


def mean(ratios):
    """Geometric."""
    ratios = list(ratios)
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def kind_of(row):
    return row.partition("/")[0]


def microseconds(nanoseconds):
    return "%.4g" % (nanoseconds / 1000)


def by_kind(rows):
    kinds = {}
    for row, times in rows.items():
        kinds.setdefault(kind_of(row), []).append((ratio(times), row))
    lines = [["kind", "rows", "mean", "above %.1f" % SLOWER, "worst", ""]]
    for kind, ratios in kinds.items():
        worst = max(ratios)
        lines.append([kind, str(len(ratios)), "%.2f" % mean(r for r, _ in ratios),
                      str(sum(r > SLOWER for r, _ in ratios)), "%.2f" % worst[0],
                      worst[1].partition("/")[2]])
    return aligned(lines)


def slower(rows):
    found = sorted(((ratio(times), row) for row, times in rows.items()), reverse=True)
    lines = [["slower", "filch us", "oneTBB us", "ratio"]]
    for how_much, row in found:
        if how_much > SLOWER:
            lines.append([row, microseconds(rows[row][OURS]), microseconds(rows[row][PEER]),
                          "%.2f" % how_much])
    return aligned(lines) if len(lines) > 1 else []


def total(rows):
    ratios = [ratio(times) for times in rows.values()]
    return "%d rows, filch takes %.3f of oneTBB's time in the geometric mean; %s" % (
        len(ratios), mean(ratios),
        ", ".join("%d above %.1f" % (sum(r > step for r in ratios), step) for step in STEPS))


def changes(rows):
    """What differs from before: the rows that changed most, and all kinds."""
    ratios = {row: ratio(times, BEFORE) for row, times in rows.items()}
    ranked = sorted(rows, key=ratios.get, reverse=True)
    more = [row for row in ranked if ratios[row] > CHANGED][:MOST_CHANGED]
    less = [row for row in ranked if ratios[row] < 1 / CHANGED][-MOST_CHANGED:]
    lines = [["changed", "before us", "now us", "ratio"]]
    lines += [[row, microseconds(rows[row][BEFORE]), microseconds(rows[row][OURS]),
               "%.2f" % ratios[row]] for row in more + less]
    kinds = {}
    for row, how_much in ratios.items():
        kinds.setdefault(kind_of(row), []).append(how_much)
    means = ["%s %.2f" % (kind, mean(of_kind)) for kind, of_kind in kinds.items()]
    return (aligned(lines) if len(lines) > 1 else []) + [
        "", "by kind: " + ", ".join(means), "all: %.3f of the time before"
        % mean(ratios.values())]


def summary(result):
    rows = result["rows"]
    title = "%s, %d threads on %d processors, the least of %d rounds, pauses of %d us" % (
        result["machine"], result["threads"], result["processors"], result["rounds"],
        result["pause"])
    parts = [[title], by_kind(rows), slower(rows)]
    if any(BEFORE in times for times in rows.values()):
        parts.append(changes(rows))
    parts.append([total(rows)])
    return "\n\n".join("\n".join(part) for part in parts if part)

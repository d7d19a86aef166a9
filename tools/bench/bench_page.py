"""The pictures of tools/bench/run: one HTML page that needs nothing else.

A row is a bar for each runtime, from zero, with its fastest value as a tick and
the limit as a dashed line.  Rows of a series (sizes of one loop, worker counts)
are also drawn as lines over a logarithmic axis, which says so.

    with open("results.html", "w") as out: out.write(page(results))
"""
import html
import math

from bench_report import RUNTIMES, number

COLOURS = {
    "serial": "#8a8f98", "threads": "#4b4f56", "filch": "#d1495b", "facade": "#edae49",
    "onetbb": "#00798c", "libgomp": "#66a182", "libomp": "#9ccfb0", "rayon": "#8d6a9f",
    "java": "#b9a5c9",
}
STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 62em; color: #222;
       background: #fff; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { margin-top: 2em; border-bottom: 1px solid #ccc; }
figure { margin: 1.2em 0; } figcaption { font-weight: 600; }
figcaption span { font-weight: 400; color: #666; }
svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: #222; }
"""
WIDTH = 860
LEFT, RIGHT = 120, 150
BAR, GAP = 14, 4


def page(result):
    """The whole page for what bench_report.results returned."""
    parts = ["<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
             "<title>filch: benchmarks</title><style>%s</style></head><body>" % STYLE,
             "<h1>filch: benchmarks</h1>",
             "<p>%s on %s, %d processors, load %.1f; medians of %d rounds. Shorter is better; "
             "every axis of bars begins at zero; the tick is the fastest value, the dashed line "
             "the limit (threads by hand, or the serial time shared evenly).</p>"
             % (html.escape(result["date"]), html.escape(result["machine"]), result["processors"],
                result["load"], result["rounds"])]
    sections = {}
    for row in result["rows"]:
        sections.setdefault(row["section"], []).append(row)
    for name, rows in sections.items():
        parts.append("<h2>%s</h2>" % html.escape(name))
        series = {}
        for row in rows:
            if row.get("series"):
                series.setdefault(row["series"], []).append(row)
        for title, members in series.items():
            if len(members) > 1:
                parts.append(figure(title, "%s over %s; both axes logarithmic"
                                    % (members[0]["unit"], members[0]["x_label"]), lines(members)))
        parts += [figure(row["name"], "%s, %d thread%s" % (
            row["unit"], row["threads"], "s" * (row["threads"] != 1)), bars(row))
                  for row in rows if len(series.get(row.get("series"), "x")) == 1]
    return "\n".join(parts) + "\n</body></html>\n"


def figure(title, remark, drawing):
    return "<figure><figcaption>%s <span>%s</span></figcaption>%s</figure>" % (
        html.escape(title), html.escape(remark), drawing)


def text(x, y, content, anchor="start"):
    return '<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>' % (x, y, anchor,
                                                                  html.escape(content))


def bars(row):
    """Horizontal bars from zero."""
    entries = [(runtime, row["runtimes"][runtime]) for runtime in RUNTIMES
               if runtime in row["runtimes"]]
    values = [entry["median"] for _, entry in entries]
    limit = row["limit"]
    longest = max(values + [limit or 0], default=0) or 1
    scale = (WIDTH - LEFT - RIGHT) / longest
    height = len(entries) * (BAR + GAP) + 18
    parts = ['<svg viewBox="0 0 %d %d" role="img">' % (WIDTH, height)]
    for i, (runtime, entry) in enumerate(entries):
        y = i * (BAR + GAP)
        length = entry["median"] * scale
        parts.append(text(LEFT - 8, y + BAR - 3, RUNTIMES[runtime], "end"))
        parts.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>'
                     % (LEFT, y, max(length, 0.5), BAR, COLOURS[runtime]))
        tick = LEFT + entry["min"] * scale
        parts.append('<path d="M%.1f %dv%d" stroke="#000"/>' % (tick, y, BAR))
        label = number(entry["median"])
        if entry["over_onetbb"] is not None and runtime != "onetbb":
            label += "  (%.2fx oneTBB)" % entry["over_onetbb"]
        parts.append(text(LEFT + length + 6, y + BAR - 3, label))
    bottom = len(entries) * (BAR + GAP)
    if limit:
        parts.append('<path d="M%.1f 0v%d" stroke="#000" stroke-dasharray="3 3"/>'
                     % (LEFT + limit * scale, bottom))
    parts.append('<path d="M%d %dh%d" stroke="#aaa"/>' % (LEFT, bottom, WIDTH - LEFT - RIGHT))
    for mark in ticks(longest):
        parts.append(text(LEFT + mark * scale, bottom + 13, number(mark), "middle"))
    return "".join(parts) + "</svg>"


def ticks(longest):
    """Round numbers from zero to not beyond `longest`, three to six of them."""
    step = 10.0 ** math.floor(math.log10(longest))
    for divisor in (1, 2, 5, 10):
        if longest / (step / divisor) >= 3:
            step /= divisor
            break
    return [i * step for i in range(int(longest / step + 1e-9) + 1)]


def powers(low, high):
    """The 1-2-5 numbers around [low, high]."""
    marks = [digit * 10.0 ** power for power in range(math.floor(math.log10(low)) - 1,
                                                      math.ceil(math.log10(high)) + 1)
             for digit in (1, 2, 5)]
    below = max(mark for mark in marks if mark <= low * (1 + 1e-9))
    above = min((mark for mark in marks if mark >= high * (1 - 1e-9)), default=high)
    return [mark for mark in marks if below <= mark <= above]


def lines(rows):
    """A line for each runtime over the rows' x, both axes logarithmic."""
    points = {runtime: [(row["x"], row["runtimes"][runtime]["median"]) for row in rows
                        if row["runtimes"].get(runtime, {}).get("median")]
              for runtime in RUNTIMES}
    points = {runtime: some for runtime, some in points.items() if some}
    if not points:
        return ""
    xs = [x for some in points.values() for x, _ in some]
    ys = powers(*(pick(y for some in points.values() for _, y in some) for pick in (min, max)))
    left, right, top, bottom = 60, WIDTH - RIGHT, 8, 300

    def across(x):
        span = math.log(max(xs) / min(xs)) or 1
        return left + (right - left) * math.log(x / min(xs)) / span

    def down(y):
        return bottom - (bottom - top) * math.log(y / ys[0]) / (math.log(ys[-1] / ys[0]) or 1)

    parts = ['<svg viewBox="0 0 %d %d" role="img">' % (WIDTH, bottom + 36)]
    for y in ys:
        parts.append('<path d="M%d %.1fh%d" stroke="#ddd"/>' % (left, down(y), right - left))
        parts.append(text(left - 6, down(y) + 4, number(y), "end"))
    for x in sorted(set(xs)):
        parts.append(text(across(x), bottom + 16, "%g" % x, "middle"))
    parts.append(text((left + right) / 2, bottom + 32, rows[0]["x_label"] + " (log)", "middle"))
    # Labels at the right end, pushed apart so that none covers another.
    ends = sorted((down(some[-1][1]), runtime) for runtime, some in points.items())
    lowest = -math.inf
    for y, runtime in ends:
        lowest = max(y + 4, lowest + 14)
        parts.append(text(right + 10, lowest, RUNTIMES[runtime]))
        parts.append('<rect x="%d" y="%.1f" width="6" height="6" fill="%s"/>'
                     % (right + 2, lowest - 8, COLOURS[runtime]))
    for runtime, some in points.items():
        parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (
            " ".join("%.1f,%.1f" % (across(x), down(y)) for x, y in some), COLOURS[runtime]))
        parts += ['<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>'
                  % (across(x), down(y), COLOURS[runtime]) for x, y in some]
    return "".join(parts) + "</svg>"

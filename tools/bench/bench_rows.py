"""What tools/bench/run measures: a row of its tables is one size of one workload.

The programs know the workloads by name (`<program> --list`); everything about
sizes, repetitions and units is here.  A repetition of the sizes of --quick takes
about 0.1 s on the slowest runtime, so that a round over everything takes less
than a minute and a half.
"""
import collections

# What a row is:
#   name      in tables; unique together with `threads`
#   section   the headline in tables and pictures
#   workload  as the programs know it
#   unit      of the values
#   sizes     for tests, --quick, the default, --long; None: not in that mode
#   metric    which of the program's metrics ("ns" unless said)
#   repeat    how often the timed part runs in one process
#   threads   None: as many as --threads says
#   perfect   whether serial / threads is a limit
#   limited   whether threads by hand are a limit, and not just another way
#   floor     differences of less are none
#   scales    whether --scaling runs it
#   series    rows with the same one are also drawn as lines over their `x`, which
#   x_label   names
Row = collections.namedtuple(
    "Row", "name section workload unit sizes metric repeat threads perfect limited floor scales "
    "series x x_label")

SMOKE, QUICK, DEFAULT, LONG = range(4)


def _row(name, section, workload, unit, sizes, **more):
    values = {"metric": "ns", "repeat": 3, "threads": None, "perfect": False, "limited": True,
              "floor": 0, "scales": False, "series": None, "x": None, "x_label": None, **more}
    if isinstance(sizes, int):
        sizes = (min(sizes, 1000), sizes, sizes, sizes)
    return Row(name=name, section=section, workload=workload, unit=unit, sizes=sizes, **values)


def _tasks():
    section = "tasks"
    for name, workload in (("fib, two-way fork", "fib_join"), ("fib, task group", "fib_group")):
        for threads in (1, None):
            yield _row(name + (", 1 thread" if threads else ""), section, workload, "ns/task",
                       (12, 25, 32, 37), threads=threads, scales=not threads)
    yield _row("skynet", section, "skynet", "ns/leaf", (3, 5, 6, 8), scales=True)
    for name, workload in (("queens, two-way fork", "queens_join"),
                           ("queens, task group", "queens_group")):
        yield _row(name, section, workload, "ns/node", (5, 10, 12, 14), scales=True, perfect=True)
    yield _row("uts, geometric", section, "uts_geometric", "ns/node", (4, 13, 17, 20),
               scales=True, perfect=True)
    yield _row("uts, binomial", section, "uts_binomial", "ns/node", (3, 100, 400, 2000),
               scales=True, perfect=True)
    yield _row("one task spawns many", section, "spawn", "ns/task", (100, 200000, 10**6, 10**6))


def _streams():
    section = "items that one thread at a time fetches"
    sizes = (100, 100000, 10**6, 10**7)
    yield _row("pipeline, nearly empty", section, "pipeline", "ns/item", sizes)
    yield _row("pipeline, 1 us items", section, "pipeline_1us", "ns/item",
               (100, 20000, 10**5, 10**6), perfect=True, scales=True)
    yield _row("each item once, nearly empty", section, "each_once", "ns/item", sizes)


def _divide_and_conquer():
    section = "divide and conquer"
    for name in ("matmul", "strassen"):
        yield _row(name, section, name, "ms", (64, 256, 1024, 2048), perfect=True, scales=True)
    yield _row("cilksort", section, "cilksort", "ns/element", (1000, 10**6, 10**7, 10**8),
               perfect=True, scales=True)


def _loops():
    section = "loops"
    yield _row("triad, in the cache", section, "triad", "ns/element", 10**4)
    yield _row("triad, 1e6", section, "triad", "ns/element", 10**6)
    yield _row("triad, from memory", section, "triad", "ns/element", (1000, 10**7, 10**8, 10**8),
               scales=True)
    yield _row("same parts, again", section, "affinity", "ns/element", 30000)
    items = (100, 20000, 10**5, 10**6)
    for name, workload in (("1 us bodies", "loop_uniform"), ("growing bodies", "loop_skewed"),
                           ("Pareto bodies", "loop_pareto")):
        yield _row(name, section, workload, "ns/item", items, perfect=True, scales=True)
    yield _row("heavy first hundredth", section, "loop_heavy_first", "ns/item",
               (1000, 10**6, 10**6, 10**7), perfect=True)


def _small_loops():
    section = "launching a loop"
    for items in (1, 2, 4, 16, 64):
        yield _row("launch of %d, hot" % items, section, "launch_hot", "ns/loop", items, repeat=10,
                   series="launch, hot", x=items, x_label="items")
    for pause, count, sizes in ((1, 50, (2, 4, 16, 64)), (10, 10, (2, 64))):
        for items in sizes:
            yield _row("launch of %d, after %d ms" % (items, pause), section,
                       "launch_after_%dms" % pause, "ns/loop", items, repeat=count)
    section = "small loops against the serial loop"
    for name, workload, label in (("back to back", "grain_hot", "hot"),
                                  ("once a millisecond", "grain_cold", "cold")):
        for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
            yield _row("loop of %d us, %s" % (size, label), section, workload, "x serial",
                       1000 * size, metric="ratio", repeat=20 if label == "hot" else 5,
                       series="loop " + name, x=size, x_label="us of work")


def _algorithms():
    section = "algorithms"
    for name, sizes in (("reduce", (1000, 10**7, 10**8, 10**8)),
                        ("scan", (1000, 10**7, 10**8, 10**8)), ("sort", (1000, 10**6, 10**7, 10**8))):
        yield _row(name, section, name, "ns/element", sizes, scales=True, perfect=name == "sort")


def _from_outside():
    section = "from outside"
    for name, workload, repeat in (("right away", "submit_hot", 4000),
                                   ("idle for 1 ms", "submit_after_1ms", 300),
                                   ("idle for 10 ms", "submit_after_10ms", 20),
                                   ("alert, 1 ms", "submit_alert_1ms", 300),
                                   ("alert, 10 ms", "submit_alert_10ms", 20)):
        yield _row("enqueue to start, " + name, section, workload, "ns", 1, repeat=repeat,
                   limited=False)
        if repeat >= 100:
            yield _row("enqueue to start, %s, p99" % name, section, workload, "ns", 1,
                       metric="p99", repeat=repeat, limited=False)
    for name in ("one", "two"):
        yield _row("enqueues by %s" % name, section, "submit_by_" + name, "ns/task",
                   (100, 10**5, 10**6, 10**6), limited=False)


def _idle():
    section = "idle and memory"
    for name, metric in (("processor time of idle threads, first 10 ms", "first"),
                         ("the same, later", "later"),
                         ("the same, main thread busy", "busy")):
        yield _row(name, section, "idle", "ms/s", 1, metric=metric, limited=False, floor=5)
    yield _row("memory of fib", section, "fib_join", "kB", (12, 25, 32, 37), metric="peak_kb")


def all_rows():
    return [*_tasks(), *_streams(), *_divide_and_conquer(), *_loops(), *_small_loops(),
            *_algorithms(), *_from_outside(), *_idle()]


def select(rows, mode, only):
    """The rows of a mode; `only` names workloads, or is None for all.  Raises
    ValueError with a sentence for a name that is none."""
    known = {row.workload for row in rows}
    for name in only or ():
        if name not in known:
            raise ValueError("There is no workload %s; --list names them." % name)
    return [row for row in rows if row.sizes[mode] is not None
            and (not only or row.workload in only)]


def at_thread_counts(rows, most):
    """The rows that scale, with 1, 2, 4, ... and `most` threads."""
    counts = sorted({most} | {1 << i for i in range(most.bit_length()) if 1 << i < most})
    return [row._replace(threads=count, series=row.name, x=count, x_label="threads")
            for row in rows if row.scales and row.threads is None for count in counts]

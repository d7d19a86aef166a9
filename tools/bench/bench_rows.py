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
#   sizes     for --quick, the default, --long; None: not in that mode
#   metric    which of the program's metrics ("ns" unless said)
#   repeat    how often the timed part runs in one process
#   threads   None: as many as --threads says
#   perfect   whether serial / threads is a limit
#   scales    whether --scaling runs it
#   series    rows with the same one are also drawn as lines over their `x`, which
#   x_label   names
Row = collections.namedtuple(
    "Row", "name section workload unit sizes metric repeat threads perfect scales series x x_label",
    defaults=(None, None, None))

QUICK, DEFAULT, LONG = range(3)


def _row(name, section, workload, unit, sizes, metric="ns", repeat=3, threads=None, perfect=False,
         scales=False):
    if isinstance(sizes, int):
        sizes = (sizes, sizes, sizes)
    return Row(name, section, workload, unit, sizes, metric, repeat, threads, perfect, scales)


def _tasks():
    section = "tasks"
    for name, workload in (("fib, two-way fork", "fib_join"), ("fib, task group", "fib_group")):
        for threads in (1, None):
            label = name + (", 1 thread" if threads else "")
            yield _row(label, section, workload, "ns/task", (25, 32, 37), threads=threads,
                       scales=not threads)


def all_rows():
    return [*_tasks()]


def select(rows, mode, only):
    """The rows of a mode; `only` names workloads or rows, or is None for all.  Raises
    ValueError with a sentence for a name that is none."""
    known = {row.workload for row in rows} | {row.name for row in rows}
    for name in only or ():
        if name not in known:
            raise ValueError("There is no workload %s; --list names them." % name)
    return [row for row in rows if row.sizes[mode] is not None
            and (not only or row.workload in only or row.name in only)]


def at_thread_counts(rows, most):
    """The rows that scale, with 1, 2, 4, ... and `most` threads."""
    counts = sorted({most} | {1 << i for i in range(most.bit_length()) if 1 << i < most})
    return [row._replace(threads=count, series=row.name, x=count, x_label="threads")
            for row in rows if row.scales and row.threads is None for count in counts]

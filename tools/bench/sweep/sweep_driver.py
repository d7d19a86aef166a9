#!/usr/bin/env python3
"""Builds and runs the sweep; tools/bench/sweep/run --help says what it does."""
import argparse
import datetime
import json
import os
import subprocess
import sys

TOOLS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [TOOLS, os.path.dirname(os.path.abspath(__file__))]
# pylint: disable=wrong-import-position
import sweep_report
from demo_runner import Failure
from program_driver import build, check_output, complain, drive, install, processor

PACKAGE = "tools/bench/sweep"


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/bench/sweep/run", add_help=False, allow_abbrev=False,
        usage="tools/bench/sweep/run [--threads N] [--rounds N] [--microseconds N] [--pause N]"
              " [BEGINNING...]   (--help says more)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--microseconds", type=int, default=500)
    parser.add_argument("--pause", type=int, default=0)
    parser.add_argument("--output", default="filch-sweep.json")
    parser.add_argument("--binaries")
    parser.add_argument("--before")
    parser.add_argument("beginnings", nargs="*")
    options = parser.parse_args(arguments)
    for name, smallest, largest in (("threads", 1, 1024), ("rounds", 1, 1000),
                                    ("microseconds", 0, 10**7), ("pause", 0, 10**6)):
        if not smallest <= getattr(options, name) <= largest:
            parser.error("argument --%s: a number from %d to %d" % (name, smallest, largest))
    return options


def programs(options, status):
    """{runtime: program}, in the order of a round."""
    folder = options.binaries
    if folder is None:
        install()
        folder, names = build(PACKAGE, status)
        if sweep_report.PEER not in names or not os.path.exists(
                os.path.join(folder, sweep_report.PEER)):
            raise Failure("oneTBB is not installed (Debian: apt-get install libtbb-dev).")
    found = {runtime: os.path.abspath(os.path.join(folder, runtime)) for runtime in sweep_report.RUNTIMES}
    if options.before is not None:
        found[sweep_report.BEFORE] = os.path.abspath(options.before)
    return found


def output_of(program, *arguments):
    done = subprocess.run([program, *arguments], check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure("%s ended with status %d after %d rows."
                      % (program, done.returncode, done.stdout.count("\n")))
    return done.stdout.splitlines()


def rows_of(program, kind, options):
    """{row: (nanoseconds, answer)} of all rows of the kind, run once."""
    lines = output_of(program, "--threads", str(options.threads),
                      "--microseconds", str(options.microseconds),
                      "--pause", str(options.pause), kind + "/")
    return {name: (float(nanoseconds), answer)
            for name, nanoseconds, answer in (line.split("\t") for line in lines)}


def measure(options, runtimes, status):
    """{runtime: [run, ...]}. The machine's speed may change any second, so programs take turns
    within a fraction of one."""
    names = {runtime: [name for name in output_of(program, "--list")
                       if name.startswith(tuple(options.beginnings or [""]))]
             for runtime, program in runtimes.items()}
    kinds = {runtime: {sweep_report.kind_of(name) for name in of_runtime}
             for runtime, of_runtime in names.items()}
    runs = {runtime: [] for runtime in runtimes}
    for number in range(1, options.rounds + 1):
        for of_runtime in runs.values():
            of_runtime.append({})
        for kind in dict.fromkeys(map(sweep_report.kind_of, names[sweep_report.OURS])):
            status.show("round %d of %d: %s" % (number, options.rounds, kind))
            for runtime, program in runtimes.items():
                if kind not in kinds[runtime]:
                    continue
                rows = rows_of(program, kind, options)
                runs[runtime][-1].update((row, rows[row]) for row in names[runtime] if row in rows)
    status.clear()
    return runs


def run(options, status):
    if os.path.isdir(options.output):
        raise Failure("%s is a folder." % options.output)
    check_output(os.path.dirname(os.path.abspath(options.output)))
    runs = measure(options, programs(options, status), status)
    wrong = sweep_report.wrong_answers(runs)
    for sentence in wrong:
        complain(sentence)
    rows = sweep_report.least(runs)
    if not rows:
        raise Failure("There is no row of such a name that all programs have.")
    result = {
        "date": datetime.date.today().isoformat(),
        "machine": processor(),
        "processors": len(os.sched_getaffinity(0)),
        "threads": options.threads,
        "rounds": options.rounds,
        "pause": options.pause,
        "rows": rows,
    }
    print(sweep_report.summary(result))
    with open(options.output, "w", encoding="utf-8") as out:
        out.write(json.dumps(result, indent=1) + "\n")
    print("\nleft behind: %s" % options.output)
    return 1 if wrong else 0


def main(arguments):
    options = parse(arguments)
    return drive(lambda status: run(options, status), "The sweep")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

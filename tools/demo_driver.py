#!/usr/bin/env python3
"""Builds and runs the demonstration; tools/demo --help says what it does."""
import argparse
import json
import os
import shutil
import sys
import tempfile
import time

import demo_report
from demo_runner import Failure, run_program
from program_driver import build, check_output, complain, drive, have_onetbb, install, processor

DEFAULT_DIRECTORIES = ["/usr/include", "/usr/share/common-licenses"]
PACKAGE = "tools/demo_programs"
# A program that has used up so many seconds gets no further round.
ENOUGH_SECONDS = 60


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/demo", add_help=False, allow_abbrev=False,
        usage="tools/demo [--output DIR] [--rounds N] [--threads N] [--quick] [DIR...]"
              "   (--help says more)")
    parser.add_argument("--output", default="filch-demo")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--binaries")
    parser.add_argument("directories", nargs="*")
    options = parser.parse_args(arguments)
    for name, largest in (("rounds", 1000), ("threads", 1024)):
        value = getattr(options, name)
        if value is not None and not 1 <= value <= largest:
            parser.error("argument --%s: a number from 1 to %d" % (name, largest))
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.directories = options.directories or DEFAULT_DIRECTORIES
    return options


def check_directories(directories):
    """The ones that can be read; says a sentence about every other."""
    usable = []
    for directory in directories:
        try:
            os.scandir(directory).close()
            usable.append(directory)
        except FileNotFoundError:
            complain("There is no directory %s." % directory)
        except NotADirectoryError:
            complain("%s is a file, not a directory." % directory)
        except (OSError, ValueError) as problem:
            complain("The directory %s cannot be read: %s."
                     % (directory, getattr(problem, "strerror", None) or problem))
    if not usable:
        raise Failure("No directory is left to index.")
    return usable


def programs(options, scratch):
    """(name in the table, file, arguments) of every program."""
    queens, fib = ("8", "20") if options.quick else ("14", "35")
    size = ["--width", "160", "--height", "90"] if options.quick else []
    return [
        ("tree index", "tree_index", ["--"] + options.directories),
        ("picture", "picture", size + ["--picture", os.path.join(scratch, "picture.png")]),
        ("n-queens %s" % queens, "queens", ["--size", queens]),
        ("fib %s, parallel_invoke" % fib, "fib", ["--style", "invoke", "--size", fib]),
        ("fib %s, task_group" % fib, "fib", ["--style", "group", "--size", fib]),
    ]


def available(folder, names):
    """The parallel runtimes that can run, of the programs `names`."""
    found = [runtime for runtime in demo_report.RUNTIMES
             if "picture_" + runtime in names and (runtime != "onetbb" or have_onetbb())]
    if not found:
        raise Failure("There are no programs in %s." % folder)
    return found


def measure(options, binaries, runtimes, scratch, status):
    """Runs everything in turn, round by round, so that a change of the machine's
    speed meets all runtimes alike."""
    todo = programs(options, scratch)
    rows = [demo_report.Row(name, {demo_report.SERIAL: [],
                                   **{r: [] if r in runtimes else None
                                      for r in demo_report.RUNTIMES}})
            for name, _, _ in todo]
    common = ["--progress"] + (["--threads", str(options.threads)] if options.threads else [])

    def run(name, file, runtime, arguments):
        serial = runtime == demo_report.SERIAL
        # The serial run is the same code in every build of a program.
        path = os.path.join(binaries, "%s_%s" % (file, runtimes[-1] if serial else runtime))
        where = "serially" if serial else "on " + demo_report.RUNTIMES[runtime]
        return run_program([path] + common + (["--serial"] if serial else []) + arguments,
                           "%s %s" % (name, where), scratch, status)

    status.label = "reading the trees into memory"
    status.show("")
    run(*todo[0][:2], demo_report.SERIAL, todo[0][2])
    spent = dict.fromkeys(range(len(todo)), 0)
    for number in range(1, options.rounds + 1):
        status.label = "round %d of %d" % (number, options.rounds)
        for i, (name, file, arguments) in enumerate(todo):
            if spent[i] > ENOUGH_SECONDS:
                continue
            begin = time.monotonic()
            for runtime in (demo_report.SERIAL, *runtimes):
                rows[i].runs[runtime].append(run(name, file, runtime, arguments))
            spent[i] += time.monotonic() - begin
    status.clear()
    return rows


def report(options, rows, scratch):
    """Prints everything, leaves the files, and returns the exit status."""
    threads = next(runs[0]["threads"] for name, runs in rows[0].runs.items()
                   if runs and name != demo_report.SERIAL)
    details = rows[0].runs[demo_report.SERIAL][-1]["details"]
    print("\n%d thread%s, medians of %d round%s on %s\n"
          % (threads, "s" * (threads != 1), options.rounds, "s" * (options.rounds != 1),
             processor()))
    print(demo_report.table(rows))
    print("\nindex of " + ", ".join(options.directories))
    for line in demo_report.index_summary(details):
        print("  " + line)

    header = {
        "machine": processor(),
        "processors": len(os.sched_getaffinity(0)),
        "threads": threads,
        "rounds": options.rounds,
        "quick": options.quick,
        "directories": options.directories,
        "picture": "picture.png",
        "tree_index": details,
    }
    shutil.copyfile(os.path.join(scratch, "picture.png"),
                    os.path.join(options.output, "picture.png"))
    with open(os.path.join(options.output, "results.json"), "w", encoding="utf-8") as out:
        json.dump(demo_report.results(rows, header), out, indent=2)
        out.write("\n")
    for file in ("picture.png", "results.json"):
        print("%s%s" % ("\nleft behind: " if file == "picture.png" else "             ",
                        os.path.join(options.output, file)))

    wrong = [sentence for row in rows for sentence in demo_report.wrong_answers(row)]
    sys.stdout.flush()
    for sentence in wrong:
        complain(sentence)
    if any(sentence.startswith(rows[0].name) for sentence in wrong):
        complain("The index also differs if a file changed meanwhile.")
    if not wrong:
        print("Every parallel answer is the serial one.")
    return 1 if wrong else 0


def run(options, status):
    options.directories = check_directories(options.directories)
    check_output(options.output)
    if options.binaries is None:
        install()
        binaries, names = build(PACKAGE, status)
    else:
        binaries, names = options.binaries, os.listdir(options.binaries)
    runtimes = available(binaries, names)
    with tempfile.TemporaryDirectory(prefix="filch-demo-") as scratch:
        rows = measure(options, binaries, runtimes, scratch, status)
        return report(options, rows, scratch)


def main(arguments):
    options = parse(arguments)
    return drive(lambda status: run(options, status), "The demonstration")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

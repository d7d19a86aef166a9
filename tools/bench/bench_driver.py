#!/usr/bin/env python3
"""Builds and runs the benchmark matrix; tools/bench/run --help says what it does."""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# pylint: disable=wrong-import-position
import bench_page
import bench_peers
import bench_report
import bench_rows
from demo_runner import Failure, run_program
from program_driver import ROOT, build, check_output, complain, drive, install, processor

PACKAGE = "tools/bench"
# A cell that has used up so many seconds gets no further round.
ENOUGH_SECONDS = 120


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/bench/run", add_help=False, allow_abbrev=False,
        usage="tools/bench/run [--quick | --long] [--only WORKLOAD,...] [--threads N]"
              " [--rounds N]   (--help says more)")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--quick", dest="mode", action="store_const", const=bench_rows.QUICK)
    modes.add_argument("--long", dest="mode", action="store_const", const=bench_rows.LONG)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--runtimes", type=lambda text: text.split(","))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--output", default="filch-bench")
    parser.add_argument("--binaries")
    parser.add_argument("--diff", nargs=2, metavar=("BEFORE", "AFTER"))
    options = parser.parse_args(arguments)
    options.mode = bench_rows.DEFAULT if options.mode is None else options.mode
    for name, largest in (("rounds", 1000), ("threads", 1024)):
        value = getattr(options, name)
        if value is not None and not 1 <= value <= largest:
            parser.error("argument --%s: a number from 1 to %d" % (name, largest))
    for runtime in options.runtimes or ():
        if runtime not in bench_report.RUNTIMES:
            parser.error("argument --runtimes: these are %s" % ", ".join(bench_report.RUNTIMES))
    options.rounds = options.rounds or (3 if options.mode == bench_rows.QUICK else 5)
    options.threads = options.threads or len(os.sched_getaffinity(0))
    try:
        options.rows = bench_rows.select(bench_rows.all_rows(), options.mode, options.only)
    except ValueError as problem:
        parser.error(str(problem))
    if options.scaling:
        options.rows = bench_rows.at_thread_counts(options.rows, options.threads)
    return options


def programs(options, status):
    """{runtime: program} of everything that can run; says what cannot."""
    wanted = set(options.runtimes or bench_report.RUNTIMES) | {bench_report.SERIAL}
    if options.binaries is not None:
        built = {name: os.path.join(options.binaries, name)
                 for name in sorted(os.listdir(options.binaries))}
    else:
        if options.install:
            bench_peers.install_peers(complain)
        install()
        folder, names = build(PACKAGE, status)
        built = {name: os.path.join(folder, name) for name in names}
        built.update(bench_peers.build_peers(
            os.path.join(os.path.abspath(options.output), "peers"), wanted, status, complain))
    found = {runtime: built[runtime] for runtime in bench_report.RUNTIMES
             if runtime in wanted and runtime in built}
    if "onetbb" in wanted and "onetbb" not in found:
        complain("onetbb is left out, for it is not installed (Debian: apt-get install libtbb-dev).")
    if bench_report.SERIAL not in found:
        raise Failure("There is no serial program, so no answer could be checked.")
    return found


def workloads_of(program):
    listed = subprocess.run([program, "--list"], check=False, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE)
    if listed.returncode != 0:
        raise Failure("%s does not list its workloads." % program)
    return set(listed.stdout.split())


def cells_of(rows, runtimes):
    """The first row's name and the runs, {runtime: [run]}, by what is run: rows that differ only
    in their metric share them."""
    offered = {runtime: workloads_of(program) for runtime, program in runtimes.items()}
    cells = {}
    for measured in rows:
        runs = {runtime: [] for runtime in runtimes if measured.row.workload in offered[runtime]}
        measured.runs = cells.setdefault(measured.cell, (measured.name, runs))[1]
    return cells


def run_round(cells, runtimes, chosen, spent, scratch, status):
    """Runs every cell once on every chosen runtime, in turn, so that a change of the machine's
    speed meets all of them alike."""
    for place, (cell, (name, runs)) in enumerate(cells.items(), 1):
        if spent[cell] > ENOUGH_SECONDS:
            continue
        workload, size, threads, repeat = cell
        begin = time.monotonic()
        for runtime, collected in runs.items():
            if runtime not in chosen:
                continue
            with_one_thread = cells.get((workload, size, 1, repeat))
            if runtime == bench_report.SERIAL and threads != 1 and with_one_thread:
                # The same run as in the row with one thread.
                collected[:] = with_one_thread[1][runtime]
                continue
            collected.append(run_program(
                [runtimes[runtime], "--size", str(size), "--threads", str(threads),
                 "--repeat", str(repeat), workload],
                "%d/%d %s on %s" % (place, len(cells), name, bench_report.RUNTIMES[runtime]),
                scratch, status))
        spent[cell] += time.monotonic() - begin


def measure(options, runtimes, scratch, status):
    """Runs everything, round by round, then ours and oneTBB again where any round calls ours
    slower, and twice as often again where most of them do."""
    rows = [bench_report.Measured(row, row.sizes[options.mode], row.threads or options.threads, {})
            for row in options.rows]
    cells = cells_of(rows, runtimes)
    spent = dict.fromkeys(cells, 0)

    def run_rounds(label, rounds, wanted, chosen):
        some = {measured.cell: cells[measured.cell] for measured in rows if wanted(measured)}
        for number in range(1, rounds + 1):
            status.label = "%s %d of %d" % (label, number, rounds)
            run_round(some, runtimes, chosen, spent, scratch, status)

    run_rounds("round", options.rounds, lambda measured: True, runtimes)
    if options.rounds > 1:
        pair = (*bench_report.OURS, "onetbb")
        run_rounds("uncertain rows, round", options.rounds, bench_report.may_be_slower, pair)
        run_rounds("slower rows, round", 2 * options.rounds, bench_report.slower_than_onetbb, pair)
    status.clear()
    return rows


def versions(rows):
    return {runtime: run["version"] for measured in rows
            for runtime, runs in measured.runs.items() for run in runs[:1] if run["version"]}


def git_revision():
    try:
        asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, check=False,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return asked.stdout.strip()
    except OSError:
        return ""


def report(options, rows, seconds):
    """Prints everything, leaves the files, and returns the exit status."""
    for measured in rows:
        print("\n" + bench_report.block(measured))
    header = {
        "date": datetime.date.today().isoformat(),
        "machine": processor(),
        "processors": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "revision": git_revision(),
        "rounds": options.rounds,
        "mode": ("smoke", "quick", "default", "long")[options.mode],
        "versions": versions(rows),
        "seconds": round(seconds),
    }
    result = bench_report.results(rows, header)
    print("\nmedians of %d round%s%s on %s, %d processors, load %.1f\n"
          % (options.rounds, "s" * (options.rounds != 1),
             " (more where one calls filch slower than oneTBB)" * (options.rounds != 1),
             header["machine"], header["processors"], header["load"]))
    print(bench_report.summary(rows))
    for name, text in (("results.json", json.dumps(result, indent=1) + "\n"),
                       ("results.html", bench_page.page(result))):
        with open(os.path.join(options.output, name), "w", encoding="utf-8") as out:
            out.write(text)
        print("%s%s" % ("\nleft behind: " if name == "results.json" else "             ",
                        os.path.join(options.output, name)))
    wrong = [sentence for measured in rows for sentence in measured.wrong_answers()]
    slow = [measured.name for measured in rows if bench_report.slower_than_onetbb(measured)]
    sys.stdout.flush()
    for sentence in wrong:
        complain(sentence)
    if not wrong:
        print("Every answer is the serial one.")
    if slow:
        print("Slower than oneTBB: %s." % "; ".join(slow))
    return 1 if wrong else 0


def diff(files):
    results = []
    for file in files:
        try:
            with open(file, encoding="utf-8") as text:
                results.append(json.load(text))
        except (OSError, ValueError) as problem:
            raise Failure("%s cannot be read: %s" % (file, problem)) from None
        if not isinstance(results[-1], dict) or "rows" not in results[-1]:
            raise Failure("%s is no result of tools/bench/run." % file)
    print(bench_report.difference(*results))
    return 0


def run(options, status):
    if options.diff:
        return diff(options.diff)
    if options.list:
        for row in options.rows:
            print("%-20s %s" % (row.workload, row.name))
        return 0
    check_output(options.output)
    runtimes = programs(options, status)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="filch-bench-") as scratch:
        rows = measure(options, runtimes, scratch, status)
    return report(options, rows, time.monotonic() - begin)


def main(arguments):
    options = parse(arguments)
    return drive(lambda status: run(options, status), "The benchmarks")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/bin/bash
# filch-topology from the outside: exit codes, where its output goes, and that
# other programs can read it.
set -uo pipefail
tool=$1
testdata=tests/topology/testdata
unset FILCH_NUM_THREADS OMP_NUM_THREADS OMP_THREAD_LIMIT
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect STATUS WORDS...: runs the tool; its output is in $out and $err.
expect() {
  local status=$1 actual
  shift
  "$tool" "$@" >"$TEST_TMPDIR/out" 2>"$TEST_TMPDIR/err"
  actual=$?
  out=$(<"$TEST_TMPDIR/out") err=$(<"$TEST_TMPDIR/err")
  [[ $actual == "$status" ]] || fail "$* ended with $actual, not $status: $err"
}

# Bad arguments: status 2, a sentence, one usage line, nothing on the output.
for bad in --bogus --workers --workers=0 --policy=random --rings-of=1 picture.svg; do
  expect 2 "$bad"
  [[ -z $out ]] || fail "$bad wrote to the output"
  [[ $(grep -c '^usage: filch-topology ' <<<"$err") == 1 ]] || fail "$bad: no usage line"
  [[ $(wc -l <<<"$err") == 2 ]] || fail "$bad: $err"
done

# What cannot be done: status 1 and a sentence without the usage.
expect 1 --synthetic nonsense
[[ $err == *"does not understand"* && $err != *usage* ]] || fail "nonsense: $err"
expect 1 --xml no/such/file.xml
[[ $err == *"No such file"* ]] || fail "no file: $err"
expect 1 --synthetic pu:2 --svg --rings-of 2
[[ $err == *"no worker 2"* ]] || fail "no worker: $err"

expect 1 --root no/such/directory
[[ $err == *"not a directory"* ]] || fail "no directory: $err"

expect 0 --help
[[ $out == usage:* && -z $err ]] || fail "--help: $out $err"

# This machine: as many workers as nproc says, or fewer under a quota.
expect 0
workers=$(sed -n '1s/^filch starts \([0-9]*\) worker.*/\1/p' <<<"$out")
((workers >= 1 && workers <= $(nproc))) || fail "$workers workers, nproc says $(nproc)"
[[ $out == *"the affinity mask: allows $(nproc) cpu"* ]] || fail "nproc says $(nproc): $out"

# FILCH_NUM_THREADS decides, and --workers overrules it.
export FILCH_NUM_THREADS=3
expect 0 --synthetic "core:8 pu:1"
[[ $out == "filch starts 3 workers, because of the environment variable FILCH_NUM_THREADS."* ]] ||
  fail "environment: $out"
expect 0 --synthetic "core:8 pu:1" --workers 5
[[ $out == "filch starts 5 workers, because of the explicit option."* ]] || fail "option: $out"
unset FILCH_NUM_THREADS OMP_NUM_THREADS OMP_THREAD_LIMIT

# A captured tree with a quota.
tree=$TEST_TMPDIR/tree
mkdir -p "$tree/proc/self" "$tree/sys/fs/cgroup/app"
echo "26 22 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw" >"$tree/proc/self/mountinfo"
echo "0::/app" >"$tree/proc/self/cgroup"
echo "150000 100000" >"$tree/sys/fs/cgroup/app/cpu.max"
expect 0 --synthetic "core:8 pu:1" --root "$tree"
[[ $out == "filch starts 2 workers, because of the quota of 1.5 cpus"* ]] || fail "quota: $out"

# Programs can read what is meant for programs.
for machine in hybrid holes square; do
  expect 0 --xml "$testdata/$machine.xml" --json
  python3 - "$TEST_TMPDIR/out" <<'PYTHON' || fail "$machine: JSON"
import json, sys
report = json.load(open(sys.argv[1]))
workers = report["placement"]["workers"]
assert len(workers) == report["budget"]["cpus"]
for number, worker in enumerate(workers):
    others = [other for ring in worker["rings"] for other in ring["workers"]]
    assert sorted(others + [number]) == list(range(len(workers)))
PYTHON
  expect 0 --xml "$testdata/$machine.xml" --svg
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' \
    "$TEST_TMPDIR/out" || fail "$machine: SVG"
  # Through XML and back: the same but for the first two lines and the source.
  expect 0 --xml "$testdata/$machine.xml"
  tail -n +4 <<<"$out" >"$TEST_TMPDIR/before"
  expect 0 --xml "$testdata/$machine.xml" --export-xml
  cp "$TEST_TMPDIR/out" "$TEST_TMPDIR/copy.xml"
  expect 0 --xml "$TEST_TMPDIR/copy.xml"
  diff "$TEST_TMPDIR/before" <(tail -n +4 <<<"$out") || fail "$machine: round trip"
done

# hwloc's own tool counts the same, on this machine as on the others; it reads
# what the tool exports, so that both speak of one machine.
count() { hwloc-calc --disallowed -i "$TEST_TMPDIR/copy.xml" --number-of "$1" all 2>/dev/null; }
compare_counts() {
  expect 0 "$@" --export-xml
  cp "$TEST_TMPDIR/out" "$TEST_TMPDIR/copy.xml"
  expect 0 "$@"
  local kind noun number
  for kind in package:package numanode:"NUMA node" core:core pu:cpu; do
    noun=${kind#*:} number=$(count "${kind%:*}")
    grep -Eq "(^|, )$number ${noun}s?(,|$)" <<<"$out" ||
      fail "$*: hwloc-calc counts $number of $kind: $out"
  done
}
if command -v hwloc-calc >/dev/null; then
  compare_counts
  compare_counts --synthetic "package:2 numanode:2 l3cache:2 core:4 pu:2"
  for machine in hybrid holes square; do compare_counts --xml "$testdata/$machine.xml"; done
else
  echo "hwloc-calc is not installed; its counts are not compared."
fi

((failures == 0)) && echo PASSED
exit $((failures > 0))

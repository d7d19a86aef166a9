#!/bin/bash
# The benchmarks beside the matrix, which no other test builds: that they start, and
# have something to measure.
#
#   benchmarks_test.sh TASK_BENCH UNEVEN_LOOP_BENCH GOOGLE_BENCHMARK...
set -u
tasks=$1 loops=$2
shift 2
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

"$tasks" 5 1 1 | grep -q "bypass" || fail "$tasks has measured nothing"
"$loops" 0 2>&1 | grep -q "usage:" || fail "$loops takes no threads for some"
for program; do
  [ -n "$("$program" --benchmark_list_tests=true)" ] || fail "$program has nothing to measure"
done
[ "$failures" = 0 ]

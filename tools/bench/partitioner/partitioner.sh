#!/bin/bash
# Everything that the partitioner is measured by: what an index costs a lone
# owner, and uneven loops against every other scheme.  A few minutes, on a machine
# that does nothing else.
#
#   bazel run //tools/bench/partitioner -- [threads] [rounds]
set -euo pipefail
claim=$1 uneven=$2
shift 2
echo "What an index of a loop over 2^18 costs a lone owner, by batch (0 adapts):"
"$claim" --benchmark_repetitions=9 --benchmark_report_aggregates_only=true \
  --benchmark_min_time=0.05 \
  --benchmark_time_unit=us --benchmark_counters_tabular=true 2>/dev/null |
  grep -E "^(Benchmark|BM_.*_median)"
echo
echo "Uneven loops, as multiples of perfect:"
"$uneven" "$@"

#!/bin/bash
# Stands for a program of tools/bench in tests of its driver.
#
# FAKE_WRONG names a runtime that answers wrong, FAKE_CRASH one that crashes,
# FAKE_SLOW one that takes twice as long, FAKE_SLOW_ONCE one that does when it is started first.
runtime=$(basename "$0")
json=/dev/stdout size=0 threads=0
while (($# > 0)); do
  case $1 in
    --list)
      echo fib_join
      [[ $runtime == java ]] || echo fib_group
      exit 0
      ;;
    --json) json=$2 && shift ;;
    --size) size=$2 && shift ;;
    --threads) threads=$2 && shift ;;
    --repeat) shift ;;
    *) workload=$1 ;;
  esac
  shift
done
[[ ${FAKE_CRASH:-} == "$runtime" ]] && kill -SEGV $$
answer=$size ns=10
[[ ${FAKE_WRONG:-} == "$runtime" ]] && answer=wrong
[[ ${FAKE_SLOW:-} == "$runtime" ]] && ns=20
[[ ${FAKE_SLOW_ONCE:-} == "$runtime" ]] && mkdir fake_was_slow 2>/dev/null && ns=20
cat >"$json" <<END
{"workload": "$workload", "runtime": "$runtime", "version": "7", "threads": $threads, "seconds": 1,
 "answer": "$answer", "metrics": {"ns": [$ns, $ns, $((ns + 1))], "peak_kb": [2000]}}
END

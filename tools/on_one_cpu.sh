#!/bin/bash
# on_one_cpu.sh PROGRAM ARGUMENT...: runs the program on one of the cpus that it may
# use; which one depends on the process, so several at once share them out.
set -euo pipefail
allowed=()
while IFS=- read -r first last; do
  for ((cpu = first; cpu <= ${last:-$first}; ++cpu)); do allowed+=("$cpu"); done
done < <(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status | tr , '\n')
exec taskset -c "${allowed[$$ % ${#allowed[@]}]}" "$@"

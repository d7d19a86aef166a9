#!/bin/bash
# Reads the machine code of what makes and spawns tasks, and of what runs one: it must
# contain no fence, no read-modify-write and no allocation but by way of slow paths that
# it calls, and not grow.  A function that has one shows that the search finds it.
#
#   task_fast_path_test.sh PROBE RUNTIME
set -euo pipefail

source tests/machine_code.sh

if ! grep -qE "$unwanted" <<<"$(body "$1" ProbeLocked)"; then
  echo "FAILED: an atomic addition was not recognised" >&2
  exit 1
fi

# check WHAT CODE LIMIT
check() {
  [[ -n $2 ]] || { echo "FAILED: $1 was not found" >&2; exit 1; }
  if grep -E "$unwanted" <<<"$2"; then
    echo "FAILED: $1 is not plain stores any more" >&2
    exit 1
  fi
  local instructions
  instructions=$(grep -cE '^ *[0-9a-f]+:' <<<"$2")
  echo "$1: $instructions instructions, calls of slow paths included"
  if ((instructions > $3)); then
    echo "FAILED: more than $3" >&2
    exit 1
  fi
}

# A third more than gcc 12 and clang 14 make at most.
check "three tasks made and one spawned" "$(body "$1" ProbeTasks)" 250
check "a task run" "$(body "$2" RunOrdinaryTask)" 120

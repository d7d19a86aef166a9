#!/bin/bash
# Reads the machine code of a Join: it must contain no fence, no read-modify-write
# and no allocation, and keep few values in registers while it calls; of a TaskGroup, the
# latter.  Functions that have what is unwanted show that the counts count.
#
#   join_fast_path_test.sh LIBRARY
set -euo pipefail

source tests/machine_code.sh

join=$(body "$1" "<ProbeJoin>:")
locked=$(body "$1" "<ProbeLocked>:")
[[ -n $join && -n $locked ]] || { echo "FAILED: the probes are not in $1" >&2; exit 1; }
if ! grep -qE "$unwanted" <<<"$locked"; then
  echo "FAILED: an atomic addition was not recognised:" >&2
  echo "$locked" >&2
  exit 1
fi
if grep -E "$unwanted" <<<"$join"; then
  echo "FAILED: a Join that nobody steals is not plain stores any more" >&2
  exit 1
fi
instructions=$(grep -cE '^ *[0-9a-f]+:' <<<"$join")

# The registers that a function saves, the frame pointer not counted.
saved() { body "$1" "<$2>:" | grep -E '\<push\>' | grep -cv '%rbp' || true; }

# The slot, the place in the deque and the first result; where the frame pointer is no
# frame pointer, one of them is there.
most=3
recursion=$(saved "$1" ProbeRecursion)
saving=$(saved "$1" ProbeSaving)
if ((saving <= most)); then
  echo "FAILED: a function that must save more than $most registers seems to save $saving" >&2
  exit 1
fi
if ((recursion > most)); then
  echo "FAILED: a recursion by Join saves $recursion registers in each call, not $most" >&2
  exit 1
fi
groups=$(saved "$1" ProbeGroups)
if ((groups > most)); then
  echo "FAILED: a recursion by TaskGroup saves $groups registers in each call, not $most" >&2
  exit 1
fi
if (($(body "$1" "<ProbeRecursion>:" | grep -cE 'R_X86_64.*\<ProbeRecursion\>') < 2)); then
  echo "FAILED: Join is not inlined, so the functions' captures go by way of memory" >&2
  exit 1
fi
echo "ok: $instructions instructions, slow paths included; $recursion registers saved, with groups $groups"

#!/bin/bash
# Reads the machine code of a Join: it must contain no fence, no read-modify-write
# and no allocation.  A function that has one shows that the count counts.
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
echo "ok: $instructions instructions, slow paths included"

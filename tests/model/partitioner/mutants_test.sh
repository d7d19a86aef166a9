#!/bin/sh
# Runs model tests of seeded errors; each must fail.
#   mutants_test.sh PROGRAMS...
survivors=0
for mutant in "$@"; do
  if "$mutant" > mutant.log 2>&1; then
    echo "SURVIVED: $mutant"
    survivors=$((survivors + 1))
  elif ! grep -q ': FAILED$' mutant.log; then
    echo "DID NOT RUN: $mutant"
    cat mutant.log
    survivors=$((survivors + 1))
  else
    echo "killed: $mutant"
  fi
done
exit $((survivors != 0))

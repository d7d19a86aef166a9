#!/bin/bash
# Stands for a program of tools/bench/sweep in tests of its driver: two kinds of rows.
#
# FAKE_WRONG names a runtime that answers wrong, FAKE_CRASH one that crashes, FAKE_SLOW one
# that takes three times as long, FAKE_SHORT one that has a row less, FAKE_NO_FOR a kind less.
runtime=$(basename "$0")
list=no beginnings=()
while (($# > 0)); do
  case $1 in
    --list) list=yes ;;
    --*) shift ;;
    *) beginnings+=("$1") ;;
  esac
  shift
done
[[ ${FAKE_CRASH:-} == "$runtime" && $list == no ]] && kill -SEGV $$
ns=1000 answer=1f
[[ ${FAKE_SLOW:-} == "$runtime" ]] && ns=3000
[[ ${FAKE_WRONG:-} == "$runtime" ]] && answer=2f
rows=(for/2x1 for/3x1 for_each/2x1)
[[ ${FAKE_SHORT:-} == "$runtime" ]] && rows=(for/2x1 for_each/2x1)
[[ ${FAKE_NO_FOR:-} == "$runtime" ]] && rows=(for_each/2x1)
any=no
for row in "${rows[@]}"; do
  chosen=no
  ((${#beginnings[@]} > 0)) || chosen=yes
  for beginning in "${beginnings[@]}"; do
    [[ $row == "$beginning"* ]] && chosen=yes
  done
  [[ $chosen == yes ]] || continue
  any=yes
  if [[ $list == yes ]]; then
    echo "$row"
  else
    printf '%s\t%s\t%s\n' "$row" "$ns" "$answer"
    # Each time the kind is run, its first row is the fastest.
    ns=$((ns + 100))
  fi
done
[[ $any == yes ]] || exit 2

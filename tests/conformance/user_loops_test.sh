#!/bin/bash
# Reads the machine code of programs with a short loop in what they hand over.  Each such loop
# must begin where compilers let hot ones begin, at a multiple of eight bytes: one that lies across
# two lines of the cache by chance takes up to twice as long.  gcc aligns only what it believes
# to be run often, and what it believes is up to the code around.
#
#   user_loops_test.sh PROBE
set -euo pipefail

source tests/machine_code.sh

# The loops that multiply, innermost ones: where they begin, in hexadecimal, and in which function.
loops() {
  objdump --disassemble --demangle --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = $0; count = 0; delete place; delete is_call; delete multiplies; next }
    $1 ~ /^[0-9a-f]+:$/ {
      address = substr($1, 1, length($1) - 1)
      place[address] = ++count
      is_call[count] = $2 ~ /^(call|ret)/
      multiplies[count] = $2 ~ /^mul[sp]d/
      if ($2 !~ /^j/ || !($3 in place) || count - place[$3] > 15) next
      found = 0
      for (i = place[$3]; i <= count; ++i) {
        if (is_call[i]) next
        found = found || multiplies[i]
      }
      if (found) print $3, name
    }'
}

all=$(loops "$1")
count=$(grep -c . <<<"$all" || true)
odd=$(grep -vE '^[0-9a-f]*[08] ' <<<"$all" || true)
odd_count=$(grep -c . <<<"$odd" || true)
echo "$count loops, $odd_count not aligned"
# As many as there are in the probe, at least: most are there several times.
if ((count < 20)); then
  echo "FAILED: they were not found"
  exit 1
fi
# A copy for what hardly ever happens may be among them.
if ((odd_count > count / 20)); then
  echo "FAILED: these loops are not aligned:"
  cut -c1-300 <<<"$odd"
  exit 1
fi

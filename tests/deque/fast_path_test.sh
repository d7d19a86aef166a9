#!/bin/bash
# Reads the machine code of the fast paths: SplitDeque's must contain neither a
# fence nor a read-modify-write, and no packed move of item and meta (reloading
# one of the two after it stalls).  ChaseLevDeque's Pop shows that the count
# counts.
#
#   fast_path_test.sh LIBRARY
set -euo pipefail

if [[ $(uname -m) != x86_64 ]]; then
  echo "Nothing to check: this is not an x86-64 machine."
  exit 0
fi

code=$(objdump --disassemble --no-show-raw-insn "$1")

# The instructions of one function.
body() {
  local text
  text=$(awk -v name="<$1>:" '$2 == name { on = 1; next } /^$/ { on = 0 } on' <<<"$code")
  if [[ -z $text ]]; then
    echo "FAILED: $1 is not in the library" >&2
    exit 1
  fi
  echo "$text"
}

# How many of its lines match.  An xchg with memory locks without saying so.
count() {
  body "$1" | grep -cE "$2" || true
}
locked='\<(lock|mfence|lfence|sfence|cpuid)\>|\<xchg\>.*\('
packed='\<v?mov(a|u)p[sd]\>|\<v?movdq[au]\>|\<v?movhp[sd]\>'

failures=0
expect() {  # function, what, expression, relation, number
  local found
  found=$(count "$1" "$3")
  if [ "$found" "$4" "$5" ]; then
    echo "ok: $1 has $found $2"
  else
    echo "FAILED: $1 has $found $2:"
    body "$1"
    failures=$((failures + 1))
  fi
}

for function in ProbeSplitPush ProbeSplitPop ProbeSplitTryPop ProbeSplitJoin ProbeChaseLevPush; do
  expect "$function" "locked instructions and fences" "$locked" -eq 0
  expect "$function" "packed moves" "$packed" -eq 0
done
expect ProbeChaseLevPop "locked instructions and fences" "$locked" -ge 1
# One fence, and one exchange for the last item.
expect ProbeChaseLevPop "locked instructions and fences" "$locked" -le 2
exit "$((failures > 0))"

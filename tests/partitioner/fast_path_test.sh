#!/bin/bash
# Reads the machine code of loops over a partition: an index must cost a look at
# the flag of waiting thieves and nothing else in memory, however the body treats
# memory, and the loop itself must be short.
#
#   fast_path_test.sh LIBRARY
set -euo pipefail

if [[ $(uname -m) != x86_64 ]]; then
  echo "Nothing to check: this is not an x86-64 machine."
  exit 0
fi

# The shortest loop of a function, an instruction to a line: from the target of a
# jump back to the jump.
loop() {
  objdump --disassemble --no-show-raw-insn "$library" | awk -v name="<$1>:" '
    $2 == name { on = 1; next }
    /^$/ { on = 0 }
    on && $1 ~ /^[0-9a-f]+:$/ {
      sub(":", "", $1)
      if ($2 ~ /^(nop|data16|cs|xchg)/) next
      place[$1] = ++count
      text[count] = $2 ~ /^lea/ ? "lea, which touches no memory" : $0
      if ($2 ~ /^j/ && ($3 in place) && (best == 0 || count - place[$3] < best)) {
        best = count - place[$3]
        first = place[$3]
        last = count
      }
    }
    END { for (i = first; first && i <= last; ++i) print text[i] }'
}

library=$1 failures=0
memory='\([^)]*%'
for function in ProbeForEach ProbeRangeFor; do
  code=$(loop "$function")
  if (($(wc -l <<<"$code") <= 9)) && (($(grep -cE "$memory" <<<"$code") == 1)) &&
    ! grep -E '\<(lock|call|div|idiv)' <<<"$code"; then
    echo "ok: an index of $function costs $(wc -l <<<"$code") instructions"
  else
    echo "FAILED: an index of $function costs:"
    echo "$code"
    failures=$((failures + 1))
  fi
done
if (($(loop ProbeInMemory | grep -cE "$memory") < 3)); then
  echo "FAILED: a position in memory was not recognised:"
  loop ProbeInMemory
  failures=$((failures + 1))
fi
exit "$((failures > 0))"

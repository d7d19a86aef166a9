#!/bin/bash
# Compiles a file of misuses, each of which must be refused with its text.
# Arguments: the file, compiler options.  See must_not_compile.bzl.
set -u
source=$1
shift
failures=0
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT

# What the file includes, and defines before it does, is the same for all misuses, and parsed
# once.
grep -E '^#(include|define TBB_)' "$source" >"$scratch/included.h"
c++ -std=c++17 "$@" -x c++-header -o "$scratch/included.h.gch" "$scratch/included.h" || exit 1

# The text has to be in the first error, after which the compiler need not go on.
compile() {
  c++ -std=c++17 -fsyntax-only -Wfatal-errors -include "$scratch/included.h" "$@" "$source" 2>&1
}

if ! output=$(compile "$@"); then
  echo "FAILED: $source does not compile even without a misuse:"
  echo "$output"
  exit 1
fi

misuses=0
while IFS=: read -r number text; do
  misuses=$((misuses + 1))
  text=${text# }
  if output=$(compile -DMISUSE="$number" "$@"); then
    echo "FAILED: misuse $number compiles"
    failures=$((failures + 1))
  elif ! grep -qF "$text" <<<"$output"; then
    echo "FAILED: misuse $number is refused, but not with \"$text\":"
    echo "$output"
    failures=$((failures + 1))
  fi
done < <(sed -n 's|^ *// MISUSE \([0-9]*: .*\)$|\1|p' "$source")

echo "$misuses misuses, $failures accepted or refused for another reason"
[ "$misuses" -gt 0 ] && [ "$failures" = 0 ]

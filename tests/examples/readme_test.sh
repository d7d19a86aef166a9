#!/bin/bash
# The program that README.md shows is the one that is built and run here.
set -euo pipefail
readme=$1 source=$2 program=$3
shown=$(sed -n '/^```cpp$/,/^```$/p' "$readme" | sed '1d;$d')
[[ $shown == "$(cat "$source")" ]] || {
  echo "README.md does not show $source as it is:" >&2
  diff <(echo "$shown") "$source" >&2
  exit 1
}
output=$("$program")
[[ $output == "26 letters, fib(25) = 75025" ]] || {
  echo "the program printed: $output" >&2
  exit 1
}

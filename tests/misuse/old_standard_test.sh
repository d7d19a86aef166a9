#!/bin/bash
# A program that is compiled as C++14 is told so by each header, in one sentence and not among
# hundreds of errors.  Arguments: some header of the facade, the list of the provided ones.
set -u
include=${1%/oneapi/tbb/version.h}
provided=$2
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

while read -r name; do
  [[ $name != version ]] || continue  # which has macros only
  output=$(echo "#include <tbb/$name.h>" |
    c++ -std=c++14 -fsyntax-only -I"$include" -x c++ - 2>&1) && fail "$name.h compiles as C++14"
  grep -q "filch's TBB headers need C++17" <<<"$output" ||
    fail "$name.h stops without the sentence: $output"
  # The sentence, and the header that does not exist.
  errors=$(grep -c "error:" <<<"$output")
  [[ $errors == 2 ]] || fail "$name.h has $errors errors: $output"
done <"$provided"

[[ $failures == 0 ]] && echo "every header asks for C++17"
exit $((failures != 0))

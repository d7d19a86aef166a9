#!/bin/bash
# The example that README.md and the header show is the one that is compiled and
# run.  Arguments: README.md, the header, the test with the example.
set -euo pipefail
readme=$1 header=$2 source=$3
example=$(sed -n '/BEGIN-EXAMPLE/,/END-EXAMPLE/p' "$source" | sed '1d;$d;s/^  //')
[[ $(wc -l <<<"$example") == 6 ]] || {
  echo "the example has not six lines:" >&2
  echo "$example" >&2
  exit 1
}
shows() {
  diff <(echo "$example") - >&2 || {
    echo "$1 does not show the example as it is" >&2
    exit 1
  }
}
sed -n '/^```cpp$/,/^```$/p' "$readme" | sed '1d;/^```$/,$d' | shows "$readme"
sed -n '/^\/\/ Example/,/^#ifndef/p' "$header" | sed -n 's|^//   ||p' | shows "$header"

#!/bin/bash
# Every edge that the code names has a row in the table of README.md, and every
# row is named in the code.
#
#   edges_test.sh README.md HEADERS       a pattern, or files
set -euo pipefail

readme=$1
shift
# shellcheck disable=SC2068  # patterns are meant to be expanded
set -- $@

in_code=$(grep -hE '[^ ].*// ' "$@" | sed 's,.*// ,,' | grep -oE '\b[A-Z][0-9]+:' | tr -d : | sort -u)
in_table=$(grep -oE '^\| [A-Z][0-9]+ \|' "$readme" | tr -d '| ' | sort)

if [[ -z $in_code ]]; then
  echo "FAILED: no edge found in $*" >&2
  exit 1
fi
if ! diff <(echo "$in_table") <(echo "$in_code"); then
  echo "FAILED: the table of $readme (<) and the code (>) name different edges" >&2
  exit 1
fi
echo "ok: $(wc -l <<<"$in_code") edges"

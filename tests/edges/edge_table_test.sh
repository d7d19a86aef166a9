#!/bin/bash
# Every edge that a folder's code names has a row in the table of its README.md,
# and every row is named in the code.  An edge is named at the beginning of a
# comment, or before a colon: "// E1: publishes ...", "// G3, G4: then look again".
#
#   edge_table_test.sh README.md FILE...
set -euo pipefail

readme=$1
shift
comments=$(grep -hE '// .*[A-Z][0-9]+' "$@" | sed 's,.*// ,,')
in_code=$({
  grep -oE '^[A-Z][0-9]+(, [A-Z][0-9]+)*(:|$)' <<<"$comments"
  grep -oE '[A-Z][0-9]+:' <<<"$comments"
} | grep -oE '[A-Z][0-9]+' | sort -u)
in_table=$(grep -oE '^\| [A-Z][0-9]+ ' "$readme" | tr -d '| ' | sort -u)

if [[ -z $in_code ]]; then
  echo "FAILED: no edge found in $*" >&2
  exit 1
fi
if ! diff <(echo "$in_table") <(echo "$in_code"); then
  echo "FAILED: the table of $readme (<) and the code (>) name different edges" >&2
  exit 1
fi
echo "ok: $(wc -l <<<"$in_code") edges"

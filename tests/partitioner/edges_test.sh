#!/bin/sh
# Every edge tag (E1, E2, ...) in the component's code has a row in its README's
# edge table, and every row a tag in the code.
#   edges_test.sh README.md FILES...
readme=$1
shift
rows=$(sed -n 's/^| \(E[0-9][0-9]*\) .*/\1/p' "$readme" | sort -u)
tags=$(sed -n 's/.*\/\/ \(E[0-9][0-9]*\):.*/\1/p' "$@" | sort -u)
if [ -z "$tags" ]; then
  echo "no edge tags found in: $*"
  exit 1
fi
if [ "$rows" != "$tags" ]; then
  echo "rows of $readme:" $rows
  echo "tags in the code:" $tags
  exit 1
fi

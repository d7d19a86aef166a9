#!/bin/bash
# Declares, for each function that the headers have at namespace scope, a deleted one that takes
# anything: what a program would have if it named its own functions so.  To be included in the
# namespace that has the program's types.
#
#   namesakes.sh FILE...
set -euo pipefail

# A declaration at namespace scope begins in the first column.
names=$(printf '%s\n' "$@" | grep '\.h$' | xargs sed -E '
    s/__attribute__\(\([^()]*(\([^()]*\))?\)\) ?//g
    s/\[\[[^]]*\]\] ?//g
    s/^ +friend //
    /^(class|struct|namespace|using|enum|template|static_assert|return|__TBB_requires)\>/d
    s/^([A-Za-z_][A-Za-z0-9_:<>,&* ]*[ &*])?([A-Za-z_][A-Za-z0-9_]*)\(.*/@\2/
    /^@/!d
    s/@//' | sort -u)
# The standard library asks programs for these, and these are no names.
names=$(grep -vxE 'begin|end|swap|new|delete' <<<"$names")
for name in WithOwnContext RunIndexLoop JoinTwo parallel_for; do
  if ! grep -qx "$name" <<<"$names"; then
    echo "FAILED: $name is not found" >&2
    exit 1
  fi
done

declare_all() { sed 's/.*/template <typename... Args> void &(Args\&\&...) = delete;/'; }

grep '^[A-Z]' <<<"$names" | declare_all
echo '// oneTBB calls its own as it comes.'
echo '#ifndef CONFORMANCE_ON_ONETBB'
grep '^[^A-Z]' <<<"$names" | declare_all
echo '#endif'

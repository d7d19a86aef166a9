#!/bin/bash
# What continuous integration runs, all of it: formatting, lint, the tests, and
# the scheduler once more under ThreadSanitizer.  The last line is
# "N passed, N failed" over everything that Bazel ran.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
tools/install_packages.sh --dev || exit 1

status=0
stage() { echo "== $*"; }

stage "formatting"
mapfile -t sources < <(git ls-files '*.h' '*.cc')
clang-format-14 --dry-run --Werror "${sources[@]}" || status=1

stage "lint"
tools/lint.py || status=1
for script in $(git ls-files 'tools/*.sh' tools/demo tools/test '*.sh' .ci/run | sort -u); do
  bash -n "$script" || status=1
done

# And the scheduler once more with thread checks.
stage "tests"
tools/test default tsan@sanitized || status=1
exit "$status"

#!/bin/bash
# What continuous integration runs, all of it: formatting, lint, clang-tidy, the
# tests, and the layers once more where scheduling is hard and under the sanitizers.
# Goes on after a failure; the last line is "N passed, N failed" over everything that
# Bazel ran.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
tools/install_packages.sh --dev || exit 1

log=$(mktemp) && trap 'rm -f "$log"' EXIT
failed=()

# stage NAME COMMAND...
stage() {
  local name=$1
  shift
  echo "== $name"
  "$@" || failed+=("$name")
}

formatting() {
  git ls-files -z '*.h' '*.cc' | xargs -0 clang-format-14 --dry-run --Werror
}

scripts() {
  local script status=0
  while IFS= read -r script; do
    bash -n "$script" || status=1
  done < <(git grep -lE '^#!/bin/(ba)?sh')
  return "$status"
}

# The sources of the layers, and through them their headers.
clang_tidy() {
  local layers=(deque partitioner pool tbb_compat topology)
  local machine
  mapfile -t machine < <(tools/bazel_flags)
  # What the sources include, and nothing that is compiled.
  bazel build --noshow_progress "${machine[@]}" \
    --output_groups=compilation_prerequisites_INTERNAL_ "${layers[@]/%//...}" &&
    tools/compile_commands.py || return 1
  git ls-files -z "${layers[@]/%//*.cc}" |
    xargs -0 -P "$(nproc)" -n 4 clang-tidy-14 -p . --quiet --warnings-as-errors='*'
}

tests() {
  # The first three share one build, and so do address and undefined behaviour.
  tools/test default spin0@layers crowded@layers \
    asan-ubsan@layers tsan@layers 2>&1 | tee "$log"
}

stage "formatting" formatting
stage "lint" tools/lint.py
stage "scripts" scripts
stage "clang-tidy" clang_tidy
stage "tests" tests
((${#failed[@]} == 0)) && exit 0
echo "FAILED:" "${failed[@]}"
tail -n 1 "$log"
exit 1

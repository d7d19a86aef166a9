#!/bin/bash
# Installs the Debian packages that this repository needs.  Quick when nothing
# is missing.
#
#   tools/install_packages.sh          to build, test and demonstrate
#   tools/install_packages.sh --dev    also what tools/presubmit.sh checks with
set -euo pipefail

packages=(
  # Bazel 4 and the rule sets it would otherwise download
  bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto bazel-skylib
  g++ pkg-config python3
  # what users of an installed filch build with; the tests do too
  cmake make
  # libraries; googletest is built from its sources
  libabsl-dev libhwloc-dev googletest libbenchmark-dev relacy-dev
  # where the allocators' memory comes from; loaded at run time
  libmimalloc-dev
  # the peer that the demonstration and the benchmarks compare with
  libtbb-dev
)
for argument in "$@"; do
  case $argument in
    --dev) packages+=(clang-14 libclang-rt-14-dev lld-14 libomp-14-dev clang-format-14 clang-tidy-14 git) ;;
    *)
      echo "usage: tools/install_packages.sh [--dev]" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "filch: this is not a Debian system; install these packages' equivalents: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

become_root=()
if [[ $(id -u) != 0 ]]; then
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    echo "filch: as root, please install: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  become_root=(sudo -n)
fi
echo "filch: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${become_root[@]}" apt-get update -qq &&
  "${become_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 3 "$log" >&2
  echo "filch: the packages could not be installed (no network?); please install: ${missing[*]}" >&2
  exit 1
fi

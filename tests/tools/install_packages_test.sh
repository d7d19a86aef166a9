#!/bin/bash
# tools/install_packages.sh among programs that only pretend: what is missing is
# installed, and whatever stands in the way gives a sentence.
set -uo pipefail
script=$1
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# fake NAME BODY: a program of that name, the only one on the path.
fake() {
  printf '#!%s\n%s\n' "$BASH" "$2" >"$world/$1"
  chmod +x "$world/$1"
}

# A Debian system, whose root we are, where everything is installed but the
# packages given.
new_world() {
  world=$(mktemp -d -p "$TEST_TMPDIR")
  calls=$world/calls
  : >"$calls"
  local tool
  for tool in bash env mktemp rm tail; do
    ln -s "$(command -v "$tool")" "$world/$tool"
  done
  fake dpkg-query "for package; do :; done
case ' $* ' in *\" \$package \"*) exit 1 ;; *) echo -n installed ;; esac"
  fake apt-get "echo \"apt-get \$*\" >>'$calls'"
  fake id "echo 0"
}

# expect STATUS ARGUMENT...: runs the script; what it says is in $said.
expect() {
  local status=$1 actual
  shift
  said=$(PATH=$world "$BASH" "$script" "$@" 2>&1)
  actual=$?
  [[ $actual == "$status" ]] || fail "ended with $actual, not $status: $said"
}

calls_are() {
  diff "$calls" <(printf '%s' "$1") >&2 || fail "other programs were called than expected"
}
installs="apt-get update -qq
apt-get install -y -qq --no-install-recommends libhwloc-dev relacy-dev
"

# Nothing to do, nothing to say.
new_world
expect 0
[[ -z $said ]] || fail "nothing is missing, and it says: $said"
calls_are ""

new_world libhwloc-dev relacy-dev
expect 0
[[ $said == "filch: installing libhwloc-dev relacy-dev" ]] || fail "installing: $said"
calls_are "$installs"

# What only developers need is only asked for on request.
new_world clang-format-14
expect 0
calls_are ""
expect 0 --dev
[[ $said == "filch: installing clang-format-14" ]] || fail "--dev: $said"

new_world
expect 2 --everything
[[ $said == usage:* ]] || fail "usage: $said"

# No network: at the first step or at the second.
for failing in update install; do
  new_world relacy-dev
  fake apt-get "if [[ \$1 == $failing ]]; then echo 'E: Could not resolve the mirror' >&2; exit 100; fi"
  expect 1
  [[ $said == *"E: Could not resolve the mirror"*"no network?"*"please install: relacy-dev" ]] ||
    fail "no network: $said"
done

# Not a Debian system.
for absent in dpkg-query apt-get; do
  new_world
  rm "$world/$absent"
  expect 1
  [[ $said == "filch: this is not a Debian system; "*libhwloc-dev* ]] || fail "not Debian: $said"
done

# Not root: without sudo, with one that asks for a password, with one that works.
new_world relacy-dev
fake id "echo 1000"
expect 1
[[ $said == "filch: as root, please install: apt-get install relacy-dev" ]] || fail "no root: $said"
fake sudo "exit 1"
expect 1
[[ $said == "filch: as root, please install: apt-get install relacy-dev" ]] || fail "password: $said"
calls_are ""

new_world libhwloc-dev relacy-dev
fake id "echo 1000"
fake sudo "[[ \$1 == -n ]] && shift && exec \"\$@\""
fake true ""
expect 0
calls_are "$installs"

# And if somebody took even that away in the meantime, no half of it is done.
fake sudo "case \$2 in true) ;; *) exit 1 ;; esac"
: >"$calls"
expect 1
[[ $said == *"please install: libhwloc-dev relacy-dev" ]] || fail "sudo stopped: $said"
calls_are ""

((failures == 0)) && echo PASSED
exit $((failures > 0))

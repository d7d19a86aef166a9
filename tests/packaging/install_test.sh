#!/bin/bash
# tools/install, and projects that know only TBB, on what it has installed.
#
#   install_test.sh INSTALL README LIBRARY...: the script, a file in the folder of
#   the projects, and the libraries
set -uo pipefail

install=$PWD/$1
projects=$PWD/$(dirname "$2")
libraries=$PWD/$(dirname "$3")
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
for tool in cmake make pkg-config; do
  command -v "$tool" >/dev/null || { echo "FAILED: $tool is missing; tools/install_packages.sh installs it"; exit 1; }
done

# expect STATUS SENTENCE ARGUMENT...: what the script answers.
expect() {
  local status=$1 sentence=$2 answer
  shift 2
  answer=$("$install" --libraries "$libraries" "$@" 2>&1)
  [[ $? == "$status" ]] || fail "tools/install $* did not end with $status: $answer"
  grep -qF -- "$sentence" <<<"$answer" || fail "tools/install $* did not say \"$sentence\": $answer"
}
expect 2 "Where should it be installed?"
expect 2 "There is no option --nonsense." --nonsense "$scratch/nothing"
expect 2 "One prefix at a time" "$scratch/one" "$scratch/two"
touch "$scratch/file"
expect 1 "Nothing can be written to $scratch/file/prefix" "$scratch/file/prefix"
mkdir -p "$scratch/other/include/tbb"
expect 1 "has another TBB already" "$scratch/other"
expect 0 "usage: tools/install" --help
answer=$("$install" --libraries "$scratch" "$scratch/nothing" 2>&1) && fail "it installs without libraries"
grep -q "There is no libfilch_tbb.a" <<<"$answer" || fail "no sentence about the missing library: $answer"

# Twice: the second time changes nothing.  Then moved.
expect 0 "installed the headers of oneTBB" "$scratch/first"
before=$(cd "$scratch/first" && find . | sort)
expect 0 "installed the headers of oneTBB" "$scratch/first"
[[ $(cd "$scratch/first" && find . | sort) == "$before" ]] || fail "installing again leaves something else"
expect 1 "has the headers of oneTBB already" --classic "$scratch/first"
prefix=$scratch/moved
mv "$scratch/first" "$prefix"
expect 0 "installed the headers of TBB 2020" --classic "$scratch/classic"

readelf -d "$prefix/lib/libtbb.so" | grep -q 'soname: \[libfilch_tbb.so.0\]' || fail "the soname is another one"
[[ -z $(find "$scratch" -name 'libtbb.so.*') ]] || fail "something pretends to be oneTBB"
grep -rlE '#include ["<](absl|hwloc|mimalloc)' "$prefix/include" "$scratch/classic/include" && fail "a header needs more than filch"

# Build systems tell the eras apart by this header.
[[ ! -e $scratch/classic/include/tbb/version.h && ! -e $scratch/classic/include/oneapi ]] ||
  fail "the headers of TBB 2020 look like oneTBB"

# cmake_run PREFIX PROJECT PROGRAM OPTION...
cmake_run() {
  local prefix=$1 project=$2 program=$3 build
  shift 3
  build=$(mktemp -d -p "$scratch")
  if ! { cmake -S "$projects/$project" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" "$@" &&
    cmake --build "$build" && "$build/$program"; } >"$build/log" 2>&1; then
    fail "$project $*:"
    cat "$build/log"
  fi
  tail -n 1 "$build/log"
}
cmake_run "$prefix" cmake_project histogram
cmake_run "$prefix" cmake_project histogram -DHISTOGRAM_FLAGS="-std=c++11 -g0"
cmake_run "$prefix" cmake_project histogram -DHISTOGRAM_FLAGS="-std=c++11 -std=c++20"
cmake_run "$scratch/classic" classic_project fib
cmake -S "$projects/classic_project" -B "$scratch/wrong" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
  fail "oneTBB is taken for TBB 2020.3, exactly"

cp -RL "$projects/make_project" "$scratch/make"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
pkg-config --atleast-version=2021.5 tbb || fail "pkg-config finds an old TBB"
if ! { make -C "$scratch/make" && LD_LIBRARY_PATH=$prefix/lib "$scratch/make/pipeline"; } >"$scratch/log" 2>&1; then
  fail "make_project:"
  cat "$scratch/log"
fi
tail -n 1 "$scratch/log"

# cxx PROGRAM SOURCE OPTION...: the program, in the scratch folder.
cxx() {
  local program=$scratch/$1 source=$projects/$2
  shift 2
  "${CXX:-c++}" -std=c++17 -o "$program" "$source" "$@" >"$scratch/log" 2>&1 ||
    { fail "$source $*:"; cat "$scratch/log"; }
}
read -ra include < <(pkg-config --cflags tbb)
shared=("-L$prefix/lib" "-Wl,-rpath,$prefix/lib")

# A program may be compiled for the library's own checks, where std::vector is another class.
cxx checked make_project/pipeline.cc -O1 -D_GLIBCXX_DEBUG "${include[@]}" "${shared[@]}" -ltbb
"$scratch/checked" >"$scratch/log" 2>&1 || { fail "a program with _GLIBCXX_DEBUG:"; cat "$scratch/log"; }

# Who compiles as C++14 is told so in one sentence, and not among hundreds of errors: there is
# one more, of the header that does not exist.
for header in "$prefix"/include/tbb/*.h; do
  name=$(basename "$header")
  [[ $name != version.h ]] || continue  # macros only
  grep -qs "^#error" "$prefix/include/oneapi/tbb/$name" && continue  # not provided
  answer=$(echo "#include <tbb/$name>" |
    "${CXX:-c++}" -std=c++14 -fsyntax-only "${include[@]}" -x c++ - 2>&1) && fail "$name is C++14"
  grep -q "filch's TBB headers need C++17" <<<"$answer" || fail "$name without C++17: $answer"
  [[ $(grep -c "error:" <<<"$answer") == 2 ]] || fail "$name has other errors as well: $answer"
done

# A program whose symbols are hidden has no second copy of what the library knows.
cxx cancel hidden_project/cancel.cc -O2 -fvisibility=hidden "${include[@]}" "${shared[@]}" -ltbb
answer=$("$scratch/cancel" 2>&1)
[[ $answer == "cancel: 0 units of a loop that is cancelled" ]] || fail "hidden_project: $answer"

# A library that is loaded while the program runs shares little thread-local storage with all
# others that are.
cxx plugin.so plugin_project/plugin.cc -O2 -fPIC -shared "${include[@]}" "${shared[@]}" -ltbb
"${CC:-cc}" -o "$scratch/host" "$projects/plugin_project/host.c" -ldl || fail "plugin_project/host.c"
answer=$("$scratch/host" "$scratch/plugin.so" 2>&1)
[[ $answer == "plugin: 2000 units" ]] || fail "plugin_project: $answer"
storage=$(($(readelf -lW "$prefix/lib/libtbb.so" | awk '$1 == "TLS" {print $6}')))
((storage > 0 && storage <= 384)) || fail "the library has $storage bytes of thread-local storage"

# Configure scripts look for TBB by a C function.  Who was compiled for oneTBB gets the answer of
# that, though, in whatever order a process has both.
c_program() {
  local program=$scratch/$1 source=$projects/version_project/$2
  shift 2
  "${CC:-cc}" -o "$program" "$source" "$@" >"$scratch/log" 2>&1 ||
    { fail "$source $*:"; cat "$scratch/log"; }
}
own="version: 12200, 2023.2.0"
c_program version version.c "${shared[@]}" -ltbb -ldl
answer=$("$scratch/version")
[[ $answer == "$own" ]] || fail "version_project: $answer"
both="-Wl,--no-as-needed"
onetbb=$("${CC:-cc}" -print-file-name=libtbb.so.12)
if [[ $onetbb == /* ]]; then
  c_program version_of_onetbb version.c "$onetbb" -ldl
  of_onetbb=$("$scratch/version_of_onetbb")
  [[ $of_onetbb == "version: "* && $of_onetbb != "$own" ]] || fail "oneTBB says $of_onetbb"
  c_program filch_first version.c "${shared[@]}" "$both" -ltbb "$onetbb" -ldl
  c_program onetbb_first version.c "$onetbb" "${shared[@]}" "$both" -ltbb -ldl
  for program in filch_first onetbb_first; do
    answer=$("$scratch/$program")
    [[ $answer == "$of_onetbb" ]] || fail "version_project, $program: $answer"
  done
  c_program plugin.so plugin.c -fPIC -shared "$onetbb"
  answer=$("$scratch/version" "$scratch/plugin.so")
  number=${of_onetbb#version: }
  [[ $answer == "$own; of the plugin: ${number%%,*}" ]] || fail "version_project, plugin: $answer"
else
  echo "not tested: there is no libtbb.so.12"
fi
nm -g "$prefix/lib/libtbb.a" | grep -q " TBB_runtime" && fail "the archive has names of oneTBB's"

# The allocators load mimalloc, but leave it alone where a sanitizer looks for mistakes.
shared+=(-ltbbmalloc)
archive=("$prefix/lib/libtbbmalloc.a" -lhwloc -pthread)
for kind in shared archive; do
  declare -n libraries_of_kind=$kind
  cxx memory memory_project/memory.cc "${include[@]}" "${libraries_of_kind[@]}"
  answer=$("$scratch/memory" 2>&1)
  [[ $answer == "memory: scalable" ]] || fail "memory_project, $kind: $answer"
  cxx memory memory_project/memory.cc -fsanitize=address "${include[@]}" "${libraries_of_kind[@]}"
  answer=$("$scratch/memory" use-after-free 2>&1) && fail "a use after free ends well, $kind"
  grep -q "heap-use-after-free" <<<"$answer" || fail "a sanitizer sees no use after free, $kind: $answer"
done

# oneTBB's proxy allocates by functions that the library has, too, under the same names.
proxy=$("${CXX:-c++}" -print-file-name=libtbbmalloc_proxy.so.2)
if [[ $proxy == /* ]]; then
  cxx memory memory_project/memory.cc "${include[@]}" "${shared[@]}"
  answer=$(LD_PRELOAD=$proxy "$scratch/memory" 2>&1)
  [[ $answer == "memory: scalable" ]] || fail "memory_project, with oneTBB's malloc proxy: $answer"
else
  echo "not tested: there is no libtbbmalloc_proxy.so.2"
fi

echo "$failures failures"
[[ $failures == 0 ]]

#!/bin/bash
# Every header of TBB 2020.3 is there, under its name, and either compiles or stops the
# compiler with a sentence; and the classic root has none that would tell a program it
# has met a later version.  Argument: some header of the facade's modern root.
set -u
include=${1%/include/oneapi/tbb/version.h}/classic/include
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

all="aggregator aligned_space atomic blocked_range blocked_range2d blocked_range3d blocked_rangeNd
cache_aligned_allocator combinable concurrent_hash_map concurrent_lru_cache concurrent_map
concurrent_priority_queue concurrent_queue concurrent_set concurrent_unordered_map
concurrent_unordered_set concurrent_vector critical_section enumerable_thread_specific flow_graph
flow_graph_abstractions flow_graph_opencl_node global_control info iterators memory_pool mutex
null_mutex null_rw_mutex parallel_do parallel_for parallel_for_each parallel_invoke
parallel_reduce parallel_scan parallel_sort parallel_while partitioner pipeline queuing_mutex
queuing_rw_mutex reader_writer_lock recursive_mutex runtime_loader scalable_allocator spin_mutex
spin_rw_mutex task task_arena task_group task_scheduler_init task_scheduler_observer tbb
tbb_allocator tbb_config tbb_disable_exceptions tbb_exception tbb_machine tbb_profiling tbb_stddef
tbb_thread tbbmalloc_proxy tick_count"

headers="tbb/compat/condition_variable tbb/compat/ppl.h tbb/compat/thread tbb/compat/tuple"
for name in $all; do headers+=" tbb/$name.h"; done

for header in $headers; do
  if [ ! -f "$include/$header" ]; then
    fail "$header does not exist, so another TBB's could be taken for it"
    continue
  fi
  # Those without are compiled by conformance tests.
  sed -n 2p "$include/$header" | grep -q "^#error" || continue
  output=$(echo "#include <$header>" | c++ -std=c++17 -fsyntax-only -I"$include" -x c++ - 2>&1) &&
    fail "$header compiles in spite of its #error"
  grep -qE "filch does not provide <$header>|filch's TBB headers" <<<"$output" ||
    fail "$header stops without the sentence: $output"
done

# Programs catch what loops throw with nothing more than the loop's header.
for name in combinable enumerable_thread_specific parallel_for parallel_for_each parallel_reduce \
  parallel_scan parallel_sort partitioner task_arena task_group; do
  grep -qx '#include "tbb_exception.h"' "$include/tbb/$name.h" ||
    fail "tbb/$name.h does not bring tbb::captured_exception along"
done

for header in tbb/version.h oneapi/tbb.h; do
  [ ! -e "$include/$header" ] || fail "$header says that this is oneTBB"
done

[ "$failures" = 0 ] && echo "every header is there or stops with its sentence"
exit $((failures != 0))

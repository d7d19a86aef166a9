#!/bin/bash
# Every header of oneTBB 2023.2 either compiles or stops the compiler with a
# sentence.  (That the provided ones compile is tests/conformance:
# headers_compile_alone_test.)  Arguments: some header of the facade, the list
# of the provided ones.
set -u
include=${1%/oneapi/tbb/version.h}
provided=$2
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

all="blocked_nd_range blocked_range blocked_range2d blocked_range3d blocked_rangeNd
cache_aligned_allocator collaborative_call_once combinable concurrent_hash_map
concurrent_lru_cache concurrent_map concurrent_priority_queue concurrent_queue concurrent_set
concurrent_unordered_map concurrent_unordered_set concurrent_vector enumerable_thread_specific
flow_graph flow_graph_abstractions global_control info memory_pool mutex null_mutex null_rw_mutex
numa_allocation parallel_for parallel_for_each parallel_invoke parallel_pipeline parallel_reduce
parallel_scan parallel_sort partitioner profiling queuing_mutex queuing_rw_mutex rw_mutex
scalable_allocator spin_mutex spin_rw_mutex task task_arena task_group task_scheduler_observer
tbb_allocator tbbmalloc_proxy tick_count version"

for name in $all; do
  for prefix in tbb oneapi/tbb; do
    header=$prefix/$name.h
    if [ ! -f "$include/$header" ]; then
      fail "$header does not exist, so another TBB's could be taken for it"
      continue
    fi
    grep -qx "$name" "$provided" && continue
    output=$(echo "#include <$header>" | c++ -std=c++17 -fsyntax-only -I"$include" -x c++ - 2>&1) &&
      fail "$header compiles but is not in the list of the provided headers"
    grep -q "filch does not provide <tbb/$name.h>" <<<"$output" ||
      fail "$header stops without the sentence: $output"
  done
done

while read -r name; do
  grep -qw "$name" <<<"$all" || fail "$name.h is provided but is no header of oneTBB 2023.2"
  grep -q "\"tbb/$name.h\"" "$include/oneapi/tbb.h" || fail "tbb.h does not include $name.h"
done <"$provided"

[ "$failures" = 0 ] && echo "every header compiles or stops with its sentence"
exit $((failures != 0))

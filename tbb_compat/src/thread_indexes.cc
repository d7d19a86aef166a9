#include "filch/tbb_compat/src/thread_indexes.h"

#include <cstddef>
#include <type_traits>
#include <utility>

#include "filch/pool/late_end.h"

namespace filch::tbb_compat_internal {
namespace {

// Used until the last thread is gone, so never destroyed.
static_assert(std::is_trivially_destructible_v<ThreadIndexes>);
ThreadIndexes indexes;

void Return() {
  const std::size_t next = std::exchange(index_of_thread, 0);
  if (next != 0 && next != ThreadIndexes::kMost + 1) indexes.Return(next - 1);
}

}  // namespace

__thread std::size_t index_of_thread = 0;

std::size_t TakeThreadIndex() {
  const std::size_t index = indexes.Take();
  index_of_thread = index + 1;
  filch::pool_internal::LateEnd::Expect<&Return>();
  return index;
}

}  // namespace filch::tbb_compat_internal

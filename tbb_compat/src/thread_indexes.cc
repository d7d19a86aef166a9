#include "filch/tbb_compat/src/thread_indexes.h"

#include <cstddef>
#include <type_traits>

namespace filch::tbb_compat_internal {
namespace {

// Used until the last thread is gone, so never destroyed.
static_assert(std::is_trivially_destructible_v<ThreadIndexes>);
ThreadIndexes indexes;

struct Return {
  ~Return() {
    const std::size_t index = ThreadIndex();
    index_of_thread = ThreadIndexes::kMost + 1;
    if (index != ThreadIndexes::kMost) indexes.Return(index);
  }
};

}  // namespace

__thread std::size_t index_of_thread = 0;

std::size_t TakeThreadIndex() {
  const std::size_t index = indexes.Take();
  index_of_thread = index + 1;
  // Destroyed when the thread ends, after what was made later.
  thread_local const Return at_the_end;
  static_cast<void>(at_the_end);
  return index;
}

}  // namespace filch::tbb_compat_internal

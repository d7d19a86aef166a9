// PipelineTokens: whether another item of a pipeline may begin whose first filter is parallel.
//
// Each end is a beginning, and each beginning another one while there are tokens, until the
// filter says that there is nothing more.  Then those that were seen to before find it stopped.
//
// Any thread.
// Memory ordering: nothing is ordered, as nothing is between the items (T1).
#ifndef FILCH_TBB_COMPAT_SRC_PIPELINE_TOKENS_H_
#define FILCH_TBB_COMPAT_SRC_PIPELINE_TOKENS_H_

#include <atomic>
#include <cstddef>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

template <typename Atomics = StdAtomics>
class PipelineTokens {
 public:
  // One item begins.
  explicit PipelineTokens(std::size_t tokens) : left_(tokens - 1) {}

  // The caller begins an item. Whether one more may, which the caller sees to.
  bool Begins() {
    std::size_t left = left_.load(std::memory_order_relaxed);  // T1: orders nothing
    while (left > 0 && !stopped()) {
      if (left_.compare_exchange_weak(left, left - 1,
                                      std::memory_order_relaxed,     // T1: as above
                                      std::memory_order_relaxed)) {  // T1: as above
        return true;
      }
    }
    return false;
  }

  // An item is through the last filter. Whether one more may begin, which the caller sees to.
  bool Ended() const { return !stopped(); }

  // There is no item any more, and the caller has not begun one.
  void Stop() {
    stopped_.store(true, std::memory_order_relaxed);  // T1: who begins one meanwhile does
  }
  bool stopped() const {
    return stopped_.load(std::memory_order_relaxed);  // T1: sooner or later
  }

 private:
  // Tokens for items that have not begun.
  typename Atomics::template Atomic<std::size_t> left_;
  typename Atomics::template Atomic<bool> stopped_{false};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_PIPELINE_TOKENS_H_

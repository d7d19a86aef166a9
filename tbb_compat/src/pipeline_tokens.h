// PipelineTokens: whether another item of a pipeline may begin.
//
// Where the first filter is serial, one thread at a time is the one that begins. When it has
// begun an item it goes on to the next one, or has somebody else do so, if there is a token
// for it; if not, whoever ends an item begins the next. Where the first filter is parallel,
// each end is a beginning, and each beginning another one while there are tokens.
//
// Any thread.
// Memory ordering: what a thread did before Begun is visible to the one that begins next (T1).
#ifndef FILCH_TBB_COMPAT_SRC_PIPELINE_TOKENS_H_
#define FILCH_TBB_COMPAT_SRC_PIPELINE_TOKENS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

template <typename Atomics = StdAtomics>
class PipelineTokens {
 public:
  // One item begins.
  PipelineTokens(std::size_t tokens, bool one_begins)
      : one_begins_(one_begins), left_(static_cast<std::int64_t>(tokens) - 1) {}

  // The caller has begun an item. Whether one more may, which the caller sees to.
  bool Begun() {
    if (one_begins_) return left_.fetch_sub(1, std::memory_order_acq_rel) > 0;  // T1: to Ended
    std::int64_t left = left_.load(std::memory_order_relaxed);  // T1: orders nothing
    while (left > 0 && !stopped()) {
      if (left_.compare_exchange_weak(left, left - 1,
                                      std::memory_order_relaxed,     // T1: as above
                                      std::memory_order_relaxed)) {  // T1: as above
        return true;
      }
    }
    return false;
  }

  // An item is through the last filter. The same.
  bool Ended() {
    if (one_begins_) return left_.fetch_add(1, std::memory_order_acq_rel) < 0;  // T1: from Begun
    return !stopped();
  }

  // There is no item any more, and the caller has not begun one.
  void Stop() {
    stopped_.store(true, std::memory_order_relaxed);  // T1: who begins one meanwhile does
  }

 private:
  bool stopped() const {
    return stopped_.load(std::memory_order_relaxed);  // T1: sooner or later
  }

  const bool one_begins_;
  // Tokens for items that have not begun; -1: there is none, and whoever ends an item begins.
  typename Atomics::template Atomic<std::int64_t> left_;
  typename Atomics::template Atomic<bool> stopped_{false};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_PIPELINE_TOKENS_H_

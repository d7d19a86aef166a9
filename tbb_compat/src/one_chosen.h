// OneChosen: which of the values that threads bring is the one for all.
//
// Threads that find none chosen each bring one, and the first to publish its own has chosen.
// Nobody waits for anybody.
//
// Any thread; constant initialization. The values stay as they are, and the one that is
// chosen stays for good; what becomes of the others is up to those who brought them.
// Memory ordering: a value is published to all who get it (C1 of README.md).
#ifndef FILCH_TBB_COMPAT_SRC_ONE_CHOSEN_H_
#define FILCH_TBB_COMPAT_SRC_ONE_CHOSEN_H_

#include <atomic>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

template <typename Value, typename Atomics = StdAtomics>
class OneChosen {
 public:
  // Null if none has been chosen.
  Value* Get() const {
    return chosen_.load(std::memory_order_acquire);  // C1: with the publication
  }

  // The one that is chosen: `mine`, which is not null, unless another one was there first.
  Value* Publish(Value* mine) {
    Value* none = nullptr;
    const bool first = chosen_.compare_exchange_strong(
        none, mine, std::memory_order_release,  // C1: publishes what `mine` points to
        std::memory_order_relaxed);
    return first ? mine : Get();
  }

 private:
  typename Atomics::template Atomic<Value*> chosen_{nullptr};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_ONE_CHOSEN_H_

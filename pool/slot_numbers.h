// SlotNumbers: whether somebody counts on the number of a thread's slot, or on how many there are.
//
// Who has asked for them may have a table with a place for each.
//
// Scheduler-internal.  Any thread.
// Memory ordering: none; who asked was here before (H3 of README.md).
#ifndef FILCH_POOL_SLOT_NUMBERS_H_
#define FILCH_POOL_SLOT_NUMBERS_H_

#include <atomic>

namespace filch {
namespace pool_internal {

class SlotNumbers {
 public:
  void CountOn() {
    if (AreCountedOn()) return;
    counted_on_.store(true, std::memory_order_relaxed);  // H3: before others come
  }
  bool AreCountedOn() const {
    return counted_on_.load(std::memory_order_relaxed);  // H3: who asked was here before
  }
  // Nobody is there who asked.
  void Forget() { counted_on_.store(false, std::memory_order_relaxed); }  // H3: see above

 private:
  std::atomic<bool> counted_on_{false};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLOT_NUMBERS_H_

// PredecessorCount: how many tasks have to be complete before another one may start,
// or before the thread that waits for them goes on.
//
// Whoever counts the last one off runs the successor.  A thread that waits instead
// counts as a predecessor itself and waits until it is the only one left; before it
// sleeps it announces itself in the same word.
//
// `wake` is called when one is left and somebody may sleep; the count may be gone by
// then, so it may use addresses only (wait_table.h).
//
// There are less than 2^30 of them: one bit is taken for the announcement.  Set, and Add of more
// than one, end the process with a sentence if there would be more; to count that far one by one
// takes a program that has no memory left for so many tasks.
//
// Any thread, unless it says otherwise.
// Memory ordering: what the others did before they were counted off is visible to whoever
// counts the last one off, and to whoever is counted and finds by Left or Is that they
// were (T1).
#ifndef FILCH_POOL_PREDECESSOR_COUNT_H_
#define FILCH_POOL_PREDECESSOR_COUNT_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/contract.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicPredecessorCount {
 public:
  // Not set.
  BasicPredecessorCount() = default;
  explicit BasicPredecessorCount(std::int32_t count) : word_(count) {}

  // While no predecessor is with the scheduler.
  void Set(std::int32_t count) {
    if (__builtin_expect(count < 0 || count >= kAwaited, 0)) FailWithCount();
    word_.store(count, std::memory_order_relaxed);  // T1: published with the predecessors
  }

  // What is left.
  std::int32_t Left() const {
    return word_.load(std::memory_order_acquire) & ~kAwaited;  // T1: what the others did
  }

  // Whether `count` are left and no thread has announced itself.
  bool Is(std::int32_t count) const {
    return word_.load(std::memory_order_acquire) == count;  // T1: of the others what they did
  }

  // Adds `count`, which may be negative but must not take the last one away; the new
  // number.  Any thread that is sure of a predecessor that has started or counts for
  // itself, and is not complete.
  std::int32_t Add(std::int32_t count) {
    const std::int32_t before = word_.fetch_add(
        count, std::memory_order_acq_rel);  // T1: the work of one who is counted off by hand
    const std::int32_t left = before & ~kAwaited;
    // Nothing is left of this where one is added.
    if (__builtin_expect(count > 1 && count >= kAwaited - left, 0)) FailWithCount();
    return left + count;
  }

  // One is complete; true if it was the last one.  Else the successor may be gone when
  // this returns.
  template <typename Wake>
  bool CountOff(const Wake& wake) {
    // Whoever is the only one left shares the count with nobody: most tasks have two
    // predecessors, so this saves every second read-modify-write.
    if (word_.load(std::memory_order_acquire) == 1) {  // T1: what all the others did
      word_.store(0, std::memory_order_relaxed);       // T1: ours alone
      return true;
    }
    const std::int32_t before = word_.fetch_sub(1, std::memory_order_acq_rel);  // T1: both ways
    if (__builtin_expect(before > kAwaited, 0)) return LeftAwaited(before, wake) == 0;
    return before == 1;
  }

  // One is complete, and the only other one that is left, as Is(2) has told, has not
  // started and is in the caller's hands: nobody else counts before it runs.
  void CountOffBesideLast() {
    word_.store(1, std::memory_order_relaxed);  // T1: whoever counts next gets it from the caller
  }

  // One will never run; what is left.
  template <typename Wake>
  std::int32_t Remove(const Wake& wake) {
    const std::int32_t before =
        word_.fetch_sub(1, std::memory_order_acq_rel);  // T1: as if it had been complete
    return LeftAwaited(before, wake);
  }

  // `count` are complete, the waiting thread is another one: one is left at least.
  void CountOffOwn(std::int32_t count) {
    if (count == 0) return;
    word_.fetch_sub(count, std::memory_order_relaxed);  // T1: what others did goes on to Left
  }

  // The calling thread is in the wait table and about to sleep until one is left; it
  // asks Left after this.  The announcement stays until the next Set.
  void AnnounceWaiter() {
    word_.fetch_or(kAwaited, std::memory_order_relaxed);  // T2: CountOff sees it, or is seen
  }

 private:
  // Set when a thread may sleep until one is left.
  static constexpr std::int32_t kAwaited = 1 << 30;

  // Not inlined: that is where tasks are made.
  [[noreturn]] __attribute__((cold, noinline)) static void FailWithCount() {
    Fail("filch::Task: the number of predecessors is negative, or 2^30 or more.");
  }

  template <typename Wake>
  static std::int32_t LeftAwaited(std::int32_t before, const Wake& wake) {
    const std::int32_t left = (before & ~kAwaited) - 1;
    if (left == 1 && before > kAwaited) wake();
    return left;
  }

  typename Atomics::template Atomic<std::int32_t> word_;
};

using PredecessorCount = BasicPredecessorCount<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PREDECESSOR_COUNT_H_

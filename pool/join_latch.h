// JoinLatch: whether the task of a join is over, and who has it meanwhile.
//
// One word.  The thief notes its slot there, so that the waiter finds its deque, and
// opens the latch as the last thing that it does with the task: the waiter may be gone
// with it at once, so whoever wakes it uses the address only (wait_table.h).
//
// The owner of the task: complete, AnnounceWaiter, Thief, threw, Renew; complete is also
// for any thread that knows the task.  The thief, once for each Renew: NoteThief, unless it
// opens at once, and then Open.
// Memory ordering: what the thief did before Open is visible once complete() is true
// (J1).
#ifndef FILCH_POOL_JOIN_LATCH_H_
#define FILCH_POOL_JOIN_LATCH_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicJoinLatch {
 public:
  bool complete() const {
    return (word_.load(std::memory_order_acquire) & kDone) != 0;  // J1: what the thief did
  }
  // The owner is in the wait table and about to sleep; it asks complete() after this.
  void AnnounceWaiter() {
    word_.fetch_or(kAwaited, std::memory_order_relaxed);  // J1: Open sees it, or is seen
  }
  // The number of the slot that NoteThief was told, or -1: nobody has told yet, or the
  // latch is open.
  int Thief() const {
    return static_cast<int>(word_.load(std::memory_order_relaxed) / kThief) - 1;  // J2: a hint
  }
  // What Open was told.  When complete.
  bool threw() const {
    return (word_.load(std::memory_order_relaxed) & kThrew) != 0;  // J1: after complete()
  }
  // As new.  While nobody else has the task.
  void Renew() {
    word_.store(kPending, std::memory_order_relaxed);  // J1: published with the next spawn
  }

  // The thief in this slot is about to run the task.
  void NoteThief(int slot) {
    word_.fetch_or((static_cast<std::uint32_t>(slot) + 1) * kThief,
                   std::memory_order_relaxed);  // J2: a hint, beside what the owner announces
  }
  // The thief is done.  True: the owner may sleep, and is to be woken; the task may be
  // gone by now.
  bool Open(bool threw) {
    const std::uint32_t before = word_.exchange(threw ? kDone | kThrew : kDone,
                                                std::memory_order_release);  // J1: the result
    return (before & kAwaited) != 0;
  }

 private:
  // What the word consists of; above them, as a multiple of kThief, one more than the
  // number of the slot whose thread has the task.
  static constexpr std::uint32_t kPending = 0;
  static constexpr std::uint32_t kAwaited = 1;
  static constexpr std::uint32_t kDone = 2;
  static constexpr std::uint32_t kThrew = 4;  // and done
  static constexpr std::uint32_t kThief = 8;

  typename Atomics::template Atomic<std::uint32_t> word_{kPending};
};

using JoinLatch = BasicJoinLatch<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_JOIN_LATCH_H_

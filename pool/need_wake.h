// NeedWake: the word by which the last searcher of an arena asks the next
// pusher to call somebody.
//
// Pushes are frequent and must cost nothing, going to sleep is rare.  So a push
// only loads the word, and the last searcher, before it sleeps, sets it, passes
// the heavy side of the asymmetric fence, and scans: a push whose load misses
// the word is one that the scan sees.  SLEEP.md tells the whole protocol.
//
// The heavy side interrupts every thread of the program, and takes 2 us on two processors and 9 on
// sixteen (virtual Intel Xeon ones, 2026-11-27), longer than many a loop.  So who asks also leaves
// a bit by which pushers pass a full fence themselves, until they have passed so many that another
// heavy one is no dearer: who asks again before that need not interrupt them.
//
// A thread that sleeps in an isolation asks for itself, as long as it sleeps.
//
// Memory ordering: for each push and each Ask, either the scan after Ask sees
// the push, or word() after the push sees the request.
#ifndef FILCH_POOL_NEED_WAKE_H_
#define FILCH_POOL_NEED_WAKE_H_

#include <atomic>
#include <cstdint>

#include "filch/pool/pool_atomics.h"

namespace filch {
namespace pool_internal {

// `kFences`: so many full fences, each on the slow path of a push, take as long as a heavy one.
template <typename Atomics = PoolAtomics, std::uint32_t kFences = 128>
class BasicNeedWake {
 public:
  // Nobody searches in a new arena: its first push calls somebody.
  BasicNeedWake() : word_(Atomics::IsAsymmetric() ? kAsk : kAsk | kFenceYourself) {}

  // The pusher, between its push and word().
  static void AfterPush() {
    Atomics::LightFence();  // I1: the light side, against Ask
  }

  // Zero: nobody needs this pusher.  The pusher, after AfterPush.
  std::uint32_t word() const {
    return word_.load(std::memory_order_relaxed);  // I1: what it misses, the scan finds
  }
  // Whether somebody is to be called; a hint.
  bool IsAsked() const { return (word() & ~(kFenceYourself | kFenceForNow)) != 0; }

  // The pusher, if word() was not zero.  True for the first one after a request:
  // it calls somebody, and the others rely on it.
  bool Answer() {
    std::uint32_t state = word();
    if (state == 0) return false;
    if ((state & (kFenceYourself | kFenceForNow)) != 0) {
      Atomics::SeqCstFence();  // W1: instead of the heavy fence
      state = word();
    }
    if ((state & kAsk) == 0) {
      if ((state & kFenceForNow) != 0) CountFence();
      return false;
    }
    return (word_.fetch_and(~kAsk, std::memory_order_seq_cst) & kAsk) != 0;  // W1: elects one
  }

  // The last searcher, which scans after that.
  void Ask() {
    fences_left_.store(kFences, std::memory_order_relaxed);  // I1: a hint
    const std::uint32_t before =
        word_.fetch_or(kAsk | kFenceForNow, std::memory_order_seq_cst);  // W1: before the scan
    if ((before & (kAsk | kFenceForNow)) == 0) {
      Atomics::HeavyFence();  // I1: settles the account with the pushers
    } else {
      // Whoever has set one of the two does that, or has done it, and scans; SLEEP.md.
      Atomics::SeqCstFence();  // I1: before the scan
    }
  }

  // A thread that waits in an isolation, before it looks for the last time and sleeps; until
  // IsOver every push takes the slow path, so that one in its isolation wakes it.
  void AskInIsolation() {
    word_.fetch_add(kOneIsolated, std::memory_order_seq_cst);  // I3: before the look
    Atomics::HeavyFence();                                     // I3: against AfterPush
  }
  void IsOver() {
    word_.fetch_sub(kOneIsolated, std::memory_order_relaxed);  // I3: who misses it wakes in vain
  }
  // The pusher, if word() was not zero: whether a thread has asked so.
  bool IsAskedInIsolation() const {
    if ((word() & kFenceYourself) != 0) Atomics::SeqCstFence();  // I3: instead of the heavy fence
    return word() >= kOneIsolated;
  }

  // In a forked child: every push takes the slow path, where it ends.
  void AbandonInChild() {
    word_.fetch_or(kForked, std::memory_order_relaxed);  // F1: there is no other thread
  }

 private:
  // The next pusher is to call somebody.
  static constexpr std::uint32_t kAsk = 1;
  // For good: the kernel offers no asymmetric fence, so every push must take the
  // slow path and pay a fence of its own.
  static constexpr std::uint32_t kFenceYourself = 2;
  // For good: this is a forked child, where nobody may go on.
  static constexpr std::uint32_t kForked = 4;
  // For now: somebody has passed the heavy fence, and the next one need not.
  static constexpr std::uint32_t kFenceForNow = 8;
  // The rest of the word counts threads that sleep in isolations.
  static constexpr std::uint32_t kOneIsolated = 16;

  // A pusher has passed a fence for those who may ask.
  void CountFence() {
    const std::uint32_t left = fences_left_.load(std::memory_order_relaxed);  // I1: a hint
    if (left != 0) {
      fences_left_.store(left - 1, std::memory_order_relaxed);  // I1: a hint
    } else {
      word_.fetch_and(~kFenceForNow, std::memory_order_relaxed);  // I1: the next Ask sets it again
    }
  }

  typename Atomics::template Atomic<std::uint32_t> word_;
  typename Atomics::template Atomic<std::uint32_t> fences_left_{0};
};

using NeedWake = BasicNeedWake<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_NEED_WAKE_H_

// ChaseLevDeque: the classic growable lock-free work-stealing deque.
//
// Every item can be stolen the moment it is pushed.  The owner pays for that
// with a full fence in every Pop; SplitDeque does not, and shares on request.
//
// Owner only: Push, Pop.  Any thread: Steal.  Destroy it when nobody uses it
// any more.
// Guaranteed: each item comes out exactly once; the owner takes the newest, a
// thief the oldest; a Pop that returns false, and a Steal that says kEmpty,
// found it empty at some instant of the call; lock-free; indices are 64 bits
// wide and never rebased; if memory runs out nothing is changed.
// Memory ordering: what the owner did before Push(x) is visible to whoever
// gets x.
//
// After Chase and Lev, "Dynamic circular work-stealing deque" (2005), in the
// C11 form of Le, Pop, Cohen, Zappa Nardelli, "Correct and efficient
// work-stealing for weak memory models" (2013), corrected: release stores in
// place of a release fence, and a ring published with release.  The table of
// edges (C1...) is in README.md.
//
//   ChaseLevDeque<Task*> deque;              // one owner thread
//   deque.Push(&task);
//   Task* next;
//   while (deque.Pop(&next)) next->Run();
//   // elsewhere: if (auto loot = deque.Steal(); loot.status == StealStatus::kStolen) ...
#ifndef FILCH_DEQUE_CHASE_LEV_DEQUE_H_
#define FILCH_DEQUE_CHASE_LEV_DEQUE_H_

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "filch/deque/ring_buffer.h"
#include "filch/deque/steal_result.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/std_atomics.h"

namespace filch {

template <typename T, typename Atomics = StdAtomics>
class ChaseLevDeque {
  static_assert(std::is_trivially_copyable_v<T>, "Items are copied by racing threads.");
  static_assert(std::atomic<T>::is_always_lock_free, "An item must fit into one machine word.");

 public:
  // Allocates nothing; the first Push does.
  ChaseLevDeque() : ChaseLevDeque(0) {}
  // With indices that start elsewhere and a first ring of another size (a power
  // of two), to test what else takes years or gigabytes.
  explicit ChaseLevDeque(std::int64_t start_index, std::int64_t initial_capacity = 256)
      : initial_capacity_(initial_capacity),
        top_(start_index),
        bottom_(start_index),
        full_at_(start_index) {}
  ~ChaseLevDeque() { Ring::DeleteAll(ring_.load(std::memory_order_relaxed)); }
  ChaseLevDeque(const ChaseLevDeque&) = delete;
  ChaseLevDeque& operator=(const ChaseLevDeque&) = delete;

  // Owner only.  Throws std::bad_alloc, and then nothing has changed.
  void Push(T item);

  // Owner only.  Takes the newest item; false means that the deque was empty at
  // some instant of the call.
  bool Pop(T* item);

  // Any thread.  Takes the oldest item.
  StealResult<T> Steal();

 private:
  struct Slot {
    typename Atomics::template Atomic<T> item{T()};

    void CopyFrom(const Slot& other) {
      item.store(other.item.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
  };
  using Ring = deque_internal::RingBuffer<Slot>;

  Slot& OwnSlot(std::int64_t index) {
    Slot* slots = slots_;
    return slots[static_cast<std::uint64_t>(index) & mask_];
  }

  ABSL_ATTRIBUTE_NOINLINE void MakeRoom();

  const std::int64_t initial_capacity_;

  // The thieves' end.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::int64_t> top_;
  typename Atomics::template Atomic<Ring*> ring_{nullptr};

  // The owner's end; thieves read bottom_ alone.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::int64_t> bottom_;
  typename Atomics::template Plain<Slot*> slots_{nullptr};   // of ring_
  typename Atomics::template Plain<std::uint64_t> mask_{0};  // of ring_
  typename Atomics::template Plain<std::int64_t> full_at_;   // no slot at this index yet
};

template <typename T, typename Atomics>
inline void ChaseLevDeque<T, Atomics>::Push(T item) {
  const std::int64_t b = bottom_.load(std::memory_order_relaxed);
  if (ABSL_PREDICT_FALSE(b == full_at_)) MakeRoom();
  OwnSlot(b).item.store(item, std::memory_order_relaxed);
  bottom_.store(b + 1, std::memory_order_release);  // C1: publishes slot b to Steal.
}

template <typename T, typename Atomics>
inline bool ChaseLevDeque<T, Atomics>::Pop(T* item) {
  const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
  bottom_.store(b, std::memory_order_release);  // C1: still publishes what is below.
  Atomics::SeqCstFence();                       // C4: before top_, against Steal's.
  std::int64_t t = top_.load(std::memory_order_relaxed);
  if (ABSL_PREDICT_TRUE(t < b)) {
    *item = OwnSlot(b).item.load(std::memory_order_relaxed);
    return true;
  }
  bool taken = false;
  if (t == b) {
    // The last item goes to whoever advances top_.  That the exchange is one
    // indivisible step is all that is needed: nobody learns anything else by it.
    taken = top_.compare_exchange_strong(t, t + 1, std::memory_order_relaxed,
                                         std::memory_order_relaxed);
    if (taken) *item = OwnSlot(b).item.load(std::memory_order_relaxed);
  }
  // Empty now, whoever has it: top_ is b + 1.  (Not t + 1: a failed exchange has
  // changed t.)  There is nothing below to publish.
  bottom_.store(b + 1, std::memory_order_relaxed);
  return taken;
}

template <typename T, typename Atomics>
StealResult<T> ChaseLevDeque<T, Atomics>::Steal() {
  StealResult<T> result;
  std::int64_t t = top_.load(std::memory_order_relaxed);
  Atomics::SeqCstFence();  // C4: before bottom_, against Pop's.
  const std::int64_t b = bottom_.load(std::memory_order_acquire);  // C1: sees the slots below.
  if (t >= b) return result;
  const Ring* ring = ring_.load(std::memory_order_acquire);  // C2: sees the copied slots.
  result.item = ring->At(static_cast<std::uint64_t>(t)).item.load(std::memory_order_relaxed);
  const bool taken = top_.compare_exchange_strong(
      t, t + 1, std::memory_order_seq_cst,  // C3, C5: slot read; among the fences.
      std::memory_order_relaxed);
  result.status = taken ? StealStatus::kStolen : StealStatus::kLost;
  return result;
}

// Makes sure that the slot at bottom_ may be written.
template <typename T, typename Atomics>
void ChaseLevDeque<T, Atomics>::MakeRoom() {
  const std::int64_t b = bottom_.load(std::memory_order_relaxed);
  const std::int64_t t =
      top_.load(std::memory_order_acquire);  // C3: thieves have read what they took.
  Ring* ring = ring_.load(std::memory_order_relaxed);
  if (ring == nullptr || b - t == ring->capacity()) {
    Ring* larger = Ring::New(ring == nullptr ? initial_capacity_ : 2 * ring->capacity(), ring);
    if (ring != nullptr) larger->CopyFrom(*ring, t, b);
    ring_.store(larger, std::memory_order_release);  // C2: publishes the copied slots.
    slots_ = larger->slots();
    mask_ = larger->mask();
    ring = larger;
  }
  full_at_ = t + ring->capacity();
}

}  // namespace filch

#endif  // FILCH_DEQUE_CHASE_LEV_DEQUE_H_

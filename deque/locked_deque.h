// LockedDeque: a work-stealing deque in which only thieves lock.
//
// The owner works without the lock until it meets a thief at the last item.
// Thieves take turns.  In return it is simple, holds any movable type, frees
// the ring it outgrows at once, and a thief may look into an item before it
// decides to take it.  Where many thieves compete use SplitDeque or
// ChaseLevDeque: a thief that loses its cpu under the lock keeps the others out.
//
// Owner only: Push, Pop.  Any thread: Steal, TrySteal, StealIf, empty.  Destroy
// it when nobody uses it any more.
// Guaranteed: each item comes out exactly once; the owner takes the newest, a
// thief the oldest; a Pop that returns false, and a Steal that says kEmpty,
// found it empty at some instant of the call; an item is moved out of its slot,
// so nothing of it stays behind; indices are 64 bits wide and never rebased; if
// memory runs out nothing is changed.
// Memory ordering: what the owner did before Push(x) is visible to whoever
// gets x.
//
// After Duffy, "Building a custom thread pool (part 2): a work stealing queue"
// (2008), corrected; its claim-then-check is the THE protocol of Cilk-5 (1998).
// The table of edges (D1...) is in README.md.
//
//   LockedDeque<std::function<void()>> deque;   // one owner thread
//   deque.Push([] { Work(); });
//   std::function<void()> next;
//   while (deque.Pop(&next)) next();
#ifndef FILCH_DEQUE_LOCKED_DEQUE_H_
#define FILCH_DEQUE_LOCKED_DEQUE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "filch/deque/deque_atomics.h"
#include "filch/deque/ring_buffer.h"
#include "filch/deque/spin_lock.h"
#include "filch/deque/steal_result.h"
#include "filch/topology/cache_line.h"

namespace filch {

template <typename T, typename Atomics = DequeAtomics>
class LockedDeque {
  static_assert(std::is_nothrow_default_constructible_v<T>, "A slot without an item holds T().");
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
                "An item must not get lost on its way.");

 public:
  // Allocates nothing; the first Push does.
  LockedDeque() : LockedDeque(0) {}
  // With indices that start elsewhere and a first ring of another size (a power
  // of two, 2 at least), to test what else takes years or gigabytes.
  explicit LockedDeque(std::int64_t start_index, std::int64_t initial_capacity = 256)
      : initial_capacity_(initial_capacity),
        top_(start_index),
        bottom_(start_index),
        full_at_(start_index) {}
  LockedDeque(const LockedDeque&) = delete;
  LockedDeque& operator=(const LockedDeque&) = delete;

  // Owner only.  Throws std::bad_alloc, and then nothing has changed: `item`,
  // too, is what it was.
  void Push(T&& item);
  void Push(const T& item) { Push(T(item)); }

  // Owner only.  Takes the newest item; false means that the deque was empty at
  // some instant of the call.
  bool Pop(T* item);

  // Any thread.  Takes the oldest item; waits for its turn.
  StealResult<T> Steal() {
    return StealIf([](const T&) { return true; });
  }

  // Any thread.  As Steal, but kLost if its turn does not come within
  // `patience`; without patience it tries once.
  StealResult<T> TrySteal(std::chrono::nanoseconds patience = std::chrono::nanoseconds::zero());

  // Any thread.  Takes the oldest item if accepts(item) says yes; kRefused if it
  // said no.  Nobody else can take the item meanwhile, so the predicate may look
  // at what it points to; it must not use the deque.
  template <typename Predicate>
  StealResult<T> StealIf(Predicate accepts) {
    const LockHolder holder(&lock_);
    return StealLocked(accepts);
  }

  // Any thread.  Waits for its turn; exact at some instant of the call.
  bool empty() {
    const LockHolder holder(&lock_);
    return top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed);
  }

 private:
  struct Slot {
    typename Atomics::template Plain<T> item{T()};

    T Take() {
      T taken = std::move(item);
      item = T();
      return taken;
    }
  };
  // A thief's claim to the oldest index, made under the lock and given back
  // unless it is kept, whatever the caller's predicate throws.
  class Claim {
   public:
    explicit Claim(LockedDeque* deque)
        : deque_(deque), index_(deque->top_.load(std::memory_order_relaxed)) {
      deque_->top_.store(index_ + 1, std::memory_order_release);  // D2: earlier slots are empty.
      Atomics::SeqCstFence();  // D3: before bottom_, against Pop's.
    }
    ~Claim() {
      if (!kept_) {
        deque_->top_.store(index_, std::memory_order_release);  // D2: done with the slots.
      }
    }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    std::int64_t index() const { return index_; }
    void Keep() { kept_ = true; }

   private:
    LockedDeque* const deque_;
    const std::int64_t index_;
    bool kept_ = false;
  };

  using Ring = deque_internal::RingBuffer<Slot>;
  using Lock = SpinLock<Atomics>;
  using LockHolder = SpinLockHolder<Atomics>;

  Slot& SlotAt(std::int64_t index) { return ring_->At(static_cast<std::uint64_t>(index)); }
  template <typename Predicate>
  StealResult<T> StealLocked(Predicate accepts);
  ABSL_ATTRIBUTE_NOINLINE bool PopLocked(std::int64_t index, T* item);
  ABSL_ATTRIBUTE_NOINLINE void MakeRoom();

  const std::int64_t initial_capacity_;

  // Thieves that wait for their turn write here, and disturb nobody else.
  alignas(kCacheLineSize) Lock lock_;

  // The thieves' end, which the owner reads in every Pop.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::int64_t> top_;

  // The owner's end.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::int64_t> bottom_;
  std::unique_ptr<Ring> ring_;                              // replaced by the owner under the lock
  typename Atomics::template Plain<std::int64_t> full_at_;  // no free slot at this index yet
  typename Atomics::template Plain<bool> known_empty_{true};  // until the next Push
};

template <typename T, typename Atomics>
inline void LockedDeque<T, Atomics>::Push(T&& item) {
  const std::int64_t b = bottom_.load(std::memory_order_relaxed);
  if (ABSL_PREDICT_FALSE(b == full_at_)) MakeRoom();
  SlotAt(b).item = std::move(item);
  bottom_.store(b + 1, std::memory_order_release);  // D1: publishes slot b to thieves.
  known_empty_ = false;
}

template <typename T, typename Atomics>
inline bool LockedDeque<T, Atomics>::Pop(T* item) {
  if (known_empty_) return false;
  const std::int64_t index = bottom_.load(std::memory_order_relaxed) - 1;
  bottom_.store(index, std::memory_order_release);  // D1: still publishes what is below.
  Atomics::SeqCstFence();                           // D3: before top_, against Claim's.
  // A top_ that has passed the index may be a thief's that has yet to see that
  // it came too late, and will go back: only the lock tells.
  if (ABSL_PREDICT_FALSE(index < top_.load(std::memory_order_acquire))) {  // D2: thieves are done.
    return PopLocked(index, item);
  }
  *item = SlotAt(index).Take();
  return true;
}

// Pops the item at `index`, which bottom_ already is, if no thief has got it.
template <typename T, typename Atomics>
bool LockedDeque<T, Atomics>::PopLocked(std::int64_t index, T* item) {
  const LockHolder holder(&lock_);
  if (top_.load(std::memory_order_relaxed) <= index) {
    *item = SlotAt(index).Take();
    return true;
  }
  // Thieves read it under the lock, and find nothing below that is theirs.
  bottom_.store(index + 1, std::memory_order_relaxed);
  known_empty_ = true;
  return false;
}

// Under the lock.  Claims the oldest index first, and then looks whether there
// is an item; the owner does the same at its end.
template <typename T, typename Atomics>
template <typename Predicate>
StealResult<T> LockedDeque<T, Atomics>::StealLocked(Predicate accepts) {
  StealResult<T> result;
  // A look before the claim: thieves that find nothing must not keep writing to
  // the line that the owner reads in every Pop.
  if (top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed)) {
    return result;
  }
  Claim claim(this);
  if (claim.index() >= bottom_.load(std::memory_order_acquire)) return result;  // D1: sees slots.
  Slot& slot = SlotAt(claim.index());
  const T& item = slot.item;
  if (!accepts(item)) {
    result.status = StealStatus::kRefused;
    return result;
  }
  result.item = slot.Take();
  result.status = StealStatus::kStolen;
  claim.Keep();
  return result;
}

template <typename T, typename Atomics>
StealResult<T> LockedDeque<T, Atomics>::TrySteal(std::chrono::nanoseconds patience) {
  using Clock = std::chrono::steady_clock;
  if (!lock_.TryLock()) {
    // Not a point in time to give up at: that may be past the end of the clock.
    const Clock::time_point start = Clock::now();
    unsigned round = 0;
    do {
      if (Clock::now() - start >= patience) return StealResult<T>{StealStatus::kLost, T(), 0};
      Atomics::Pause(round++);
    } while (!lock_.TryLock());
  }
  const LockHolder holder(&lock_, AdoptLock());
  return StealLocked([](const T&) { return true; });
}

// Makes sure that the slot at bottom_ may be written.  One slot stays free: a
// thief that has claimed an index still has to empty its slot, and top_ may be
// one too high for a moment.
template <typename T, typename Atomics>
void LockedDeque<T, Atomics>::MakeRoom() {
  const std::int64_t b = bottom_.load(std::memory_order_relaxed);
  std::int64_t capacity = initial_capacity_;
  if (ring_ != nullptr) {
    capacity = ring_->capacity();
    const std::int64_t t = top_.load(std::memory_order_acquire);  // D2: sees slots empty.
    if (b < t + capacity - 1) {
      full_at_ = t + capacity - 1;
      return;
    }
    capacity *= 2;
  }
  std::unique_ptr<Ring> ring(Ring::New(capacity, nullptr));  // may throw; nothing is changed yet
  const LockHolder holder(&lock_);
  const std::int64_t t = top_.load(std::memory_order_relaxed);
  for (std::int64_t i = t; i < b; ++i) {
    ring->At(static_cast<std::uint64_t>(i)).item = SlotAt(i).Take();
  }
  ring_.swap(ring);  // the old one is freed after the lock
  full_at_ = t + capacity - 1;
}

}  // namespace filch

#endif  // FILCH_DEQUE_LOCKED_DEQUE_H_

// SplitDeque: a work-stealing deque whose owner pays for sharing only when
// somebody wants to share.
//
// The newest items are private: the owner pushes and pops them with plain loads
// and stores, no fence, no read-modify-write.  The oldest are shared: thieves
// take them, one compare-exchange each.  The border between the two, `split`,
// moves when the owner serves a thief's request (Expose), when the owner runs
// out of private items (Pop takes shared ones back), or when a thief that has
// waited long enough moves it itself (ForceExposure).
//
// Use it where most items are popped by their owner.  Where every item must be
// stealable the moment it is pushed, use ChaseLevDeque.
//
// Owner only: Push, Pop, TryPop, Expose, RequestOwnExposure, bottom, private_size,
// exposure_requested.  Any thread: Steal, StealIf, RequestExposure, InsistOnExposure,
// request_word, ForceExposure, Inspect, ApproximateSizes.  Destroy it when nobody uses it any more.
// Guaranteed: each item comes out exactly once; the owner takes the newest, a
// thief the oldest shared one; a Pop that returns false found it empty; indices
// are 64 bits wide and never rebased; if memory runs out nothing is changed.
// Memory ordering: what the owner did before Push(x) is visible to whoever
// gets x.
//
// After van Dijk and van de Pol, "Lace" (2014) and Acar, Chargueraud, Rainey,
// "Scheduling parallel programs by work stealing with private deques" (2013);
// forced exposure is Dekker's pattern as in Cilk-5's THE protocol (1998).  The
// proof and the table of edges (E1...) are in README.md.
//
//   SplitDeque<Task*> deque;                        // one owner thread
//   deque.Push(&task);
//   if (deque.exposure_requested()) deque.Expose();
//   Task* next; std::uint64_t meta;
//   while (deque.Pop(&next, &meta)) next->Run();
#ifndef FILCH_DEQUE_SPLIT_DEQUE_H_
#define FILCH_DEQUE_SPLIT_DEQUE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "filch/deque/deque_atomics.h"
#include "filch/deque/private_border.h"
#include "filch/deque/ring_buffer.h"
#include "filch/deque/shared_part.h"
#include "filch/deque/spin_lock.h"
#include "filch/deque/steal_result.h"
#include "filch/deque/tagged_slot.h"
#include "filch/topology/cache_line.h"

namespace filch {

template <typename T, typename Atomics = DequeAtomics>
class SplitDeque {
  static_assert(std::is_trivially_copyable_v<T>, "Items are copied by racing threads.");
  static_assert(std::atomic<T>::is_always_lock_free, "An item must fit into one machine word.");

 public:
  enum class Contents { kEmpty, kPrivateOnly, kShared };

  // Allocates nothing; the first Push does.
  SplitDeque() : SplitDeque(0) {}
  // With indices that start elsewhere and a first ring of another size (a power
  // of two), to test what else takes years or gigabytes.
  explicit SplitDeque(std::int64_t start_index, std::int64_t initial_capacity = 256);
  ~SplitDeque() { Ring::DeleteAll(ring_.load(std::memory_order_relaxed)); }
  SplitDeque(const SplitDeque&) = delete;
  SplitDeque& operator=(const SplitDeque&) = delete;

  // Owner only.  `meta` travels with the item; a thief can test it before it
  // owns the item.  Throws std::bad_alloc, and then nothing has changed.
  void Push(T item, std::uint64_t meta = 0);
  // Owner only.  The same without new memory; false: it takes some, and nothing has changed.
  bool TryPush(T item, std::uint64_t meta = 0);

  // Owner only.  Takes the newest item; false means that the deque was empty at
  // some instant of the call.
  bool Pop(T* item, std::uint64_t* meta);

  // Owner only.  Removes `item` if it is the newest and private: the fast end of a join.
  // By the item and not by its index, for who has popped items and pushed them again may
  // have moved it.  False: nothing has changed; Pop() tells more.  Not before the first
  // Push.
  bool TryPop(T item);

  // Owner only.  The index that the next Push uses.
  std::int64_t bottom() const { return bottom_.load(std::memory_order_relaxed); }

  // Owner only.  How many items only the owner can take; fewer if a thief is
  // forcing an exposure meanwhile.
  std::int64_t private_size() const { return bottom() - border_.split(); }

  // Owner only, to be polled after Push.  Whether something is to be exposed.
  bool exposure_requested() const { return request_word() != kNoRequest; }
  // Who wants that, as a word that is 0 if nobody does, for callers that test several such
  // words with one branch.
  enum Request : std::uint32_t {
    kNoRequest,
    kByOwner,
    kByThief,           // who found nothing to steal
    kByInsistentThief,  // and has waited for long
  };
  std::uint32_t request_word() const { return requested_.load(std::memory_order_relaxed); }

  // Owner only.  The next private item is to be exposed, though nobody may want it.
  void RequestOwnExposure() { RequestAs(kByOwner); }

  // Owner only.  Shares the older half of the private items, rounded up, and
  // clears the request.  With no private item it does nothing: the request
  // stays for the next Push.
  __attribute__((noinline)) void Expose();

  // Any thread.  Takes the oldest shared item.  kEmpty speaks of the shared
  // part alone, and leaves a request for more; so does taking the last one.
  StealResult<T> Steal() {
    return StealIf([](std::uint64_t) { return true; });
  }

  // Any thread.  As Steal, if accepts(meta) says yes to the oldest shared item;
  // kRefused if it said no.  The answer counts only if that item is still the
  // oldest; the question may be about one that others take meanwhile, or about 0
  // or a later item's meta, so accepts must not follow a pointer made from it.
  template <typename Predicate>
  StealResult<T> StealIf(Predicate accepts);

  // Any thread.  Asks the owner to expose; cheap if already asked.
  void RequestExposure() { RequestAs(kByThief); }
  // The same, for who has waited for long.
  void InsistOnExposure() { RequestAs(kByInsistentThief); }

  // Any thread, but a thread switch dearer than anything else here.  Shares the
  // older half of the private items, rounded up, without waiting for the owner.
  // False: there was no private item.
  bool ForceExposure();

  // Any thread.  What a thief can hope for.  After the heavy side of a fence
  // whose light side follows each Push, kEmpty is a certificate: every item
  // pushed before is gone, or its owner is inside a call that removes it.
  // Otherwise all of it is a hint.
  Contents Inspect() const;

  // Any thread.  How many items there are, how many of them thieves can take at once,
  // and the index of the oldest; a hint while anybody changes that.
  struct Sizes {
    std::int64_t all;
    std::int64_t shared;
    std::int64_t oldest;
  };
  Sizes ApproximateSizes() const {
    const std::int64_t b = bottom();
    const SharedPart shared(shared_.load(std::memory_order_relaxed));
    const std::int64_t all = std::max<std::int64_t>(shared.DistanceTo(b), 0);
    return {all, shared.count(), b - all};
  }

 private:
  using Slot = deque_internal::TaggedSlot<T, Atomics>;
  using Ring = deque_internal::RingBuffer<Slot>;
  using Lock = deque_internal::SpinLock<Atomics>;
  using LockHolder = deque_internal::SpinLockHolder<Atomics>;
  using SharedPart = deque_internal::SharedPart;

  Slot& OwnSlot(std::int64_t index) {
    Slot* slots = slots_;
    return slots[static_cast<std::uint64_t>(index) & mask_];
  }

  bool LowerBottomTo(std::int64_t index);
  void Append(std::int64_t b, T item, std::uint64_t meta);
  __attribute__((noinline)) void PushWithNewRoom(T item, std::uint64_t meta);
  void MakeRoom();
  // What takes the place of another request meanwhile is asked for again by who wants it.
  void RequestAs(Request request) {
    if (request_word() < request) requested_.store(request, std::memory_order_relaxed);
  }
  __attribute__((noinline)) bool PopSlowly(T* item, std::uint64_t* meta);
  void Share(std::int64_t split, std::int64_t count);
  std::int64_t HalfOfPrivate(std::int64_t split, std::int64_t end) const;

  // The owner's.  A thief reads or writes here only to force an exposure.  Bottom
  // comes first: gcc keeps the address of an atomic that is used often in a
  // register, and that of the first member is the deque's own.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::int64_t> bottom_;
  deque_internal::PrivateBorder<Atomics> border_;
  typename Atomics::template Plain<Slot*> slots_{nullptr};   // of ring_
  typename Atomics::template Plain<std::uint64_t> mask_{0};  // of ring_
  typename Atomics::template Plain<std::int64_t> full_at_;   // no slot at this index yet
  const std::int64_t initial_capacity_;

  // What a thief needs.  Only thieves and slow paths write here.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint64_t> shared_;
  typename Atomics::template Atomic<Ring*> ring_{nullptr};

  // Written by thieves, rarely; read by the owner at every Push.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint32_t> requested_{kNoRequest};
  Lock lock_;  // guards border_ and growth of the shared part
};

template <typename T, typename Atomics>
SplitDeque<T, Atomics>::SplitDeque(std::int64_t start_index, std::int64_t initial_capacity)
    : bottom_(start_index),
      border_(start_index),
      full_at_(start_index),
      initial_capacity_(initial_capacity),
      shared_(SharedPart(start_index).word()) {}

template <typename T, typename Atomics>
inline void SplitDeque<T, Atomics>::Push(T item, std::uint64_t meta) {
  // All of the rest is done elsewhere, so nothing has to survive a call here.
  if (!TryPush(item, meta)) return PushWithNewRoom(item, meta);
}

template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::TryPush(T item, std::uint64_t meta) {
  const std::int64_t b = bottom_.load(std::memory_order_relaxed);
  if (__builtin_expect(b == full_at_, 0)) return false;
  Append(b, item, meta);
  return true;
}

template <typename T, typename Atomics>
inline void SplitDeque<T, Atomics>::Append(std::int64_t b, T item, std::uint64_t meta) {
  OwnSlot(b).Write(item, meta);
  bottom_.store(b + 1, std::memory_order_release);  // E4: publishes slot b to ForceExposure.
}

template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::PushWithNewRoom(T item, std::uint64_t meta) {
  MakeRoom();
  Append(bottom(), item, meta);
}

// Claims `index`, the newest, for the owner; false if a thief may have a say.
template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::LowerBottomTo(std::int64_t index) {
  bottom_.store(index, std::memory_order_release);  // E4: what is below; E6: the word.
  return __builtin_expect(border_.OwnerMayTake(index), 1);
}

template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::Pop(T* item, std::uint64_t* meta) {
  const std::int64_t index = bottom_.load(std::memory_order_relaxed) - 1;
  if (__builtin_expect(LowerBottomTo(index), 1)) {
    OwnSlot(index).Read(item, meta);
    return true;
  }
  // Through variables of its own: the caller's can stay in registers.
  T slow_item = T();
  std::uint64_t slow_meta = 0;
  if (!PopSlowly(&slow_item, &slow_meta)) return false;
  *item = slow_item;
  *meta = slow_meta;
  return true;
}

template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::TryPop(T item) {
  const std::int64_t index = bottom_.load(std::memory_order_relaxed) - 1;
  // If nothing is left, the slot holds the last item that was there; the border tells.
  if (__builtin_expect(OwnSlot(index).item() != item, 0)) return false;
  if (LowerBottomTo(index)) return true;
  bottom_.store(index + 1, std::memory_order_release);  // E4: publishes what was there before.
  return false;
}

// Called with bottom_ lowered by one; under the lock nobody else moves the
// border, so it can be put back and looked at in peace.
template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::PopSlowly(T* item, std::uint64_t* meta) {
  const LockHolder holder(&lock_);
  const std::int64_t b = bottom_.load(std::memory_order_relaxed) + 1;
  const std::int64_t split = border_.split();
  if (b > split) {
    OwnSlot(b - 1).Read(item, meta);
    return true;
  }
  bottom_.store(b, std::memory_order_relaxed);  // read under the lock, or as a hint
  std::uint64_t word = shared_.load(std::memory_order_relaxed);
  for (;;) {
    const SharedPart shared(word);
    // Only the owner and whoever holds the lock add to the shared part.
    if (shared.count() == 0) return false;
    if (shared.count() == 1) {
      // The index is used up, as if a thief had taken the item.  To lower
      // `split` instead would let the same word come back with another item.
      if (shared_.compare_exchange_weak(word, shared.WithoutOldest().word(),
                                        std::memory_order_relaxed, std::memory_order_relaxed)) {
        OwnSlot(b - 1).Read(item, meta);
        return true;
      }
    } else {
      const std::int64_t kept = shared.count() / 2;
      if (shared_.compare_exchange_weak(word, shared.WithCount(kept).word(),
                                        std::memory_order_relaxed, std::memory_order_relaxed)) {
        border_.MoveTo(split - (shared.count() - kept));
        bottom_.store(b - 1, std::memory_order_relaxed);
        OwnSlot(b - 1).Read(item, meta);
        return true;
      }
    }
  }
}

template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::Expose() {
  if (private_size() <= 0) return;
  const LockHolder holder(&lock_);
  const std::int64_t split = border_.split();
  const std::int64_t count = HalfOfPrivate(split, bottom());
  if (count <= 0) return;
  // Cleared first: a thief that comes too early for what follows asks again.
  requested_.store(kNoRequest, std::memory_order_relaxed);
  Share(split, count);
}

template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::ForceExposure() {
  const LockHolder holder(&lock_);
  const std::int64_t split = border_.split();
  std::int64_t count = HalfOfPrivate(split, bottom_.load(std::memory_order_relaxed));
  if (count <= 0) return false;
  border_.WarnOff(split + count);
  // The owner may have removed items until it saw the limit; not after.
  count = std::min(count, bottom_.load(std::memory_order_acquire) - split);  // E4: sees the slots.
  if (count <= 0) {
    border_.MoveTo(split);
    return false;
  }
  Share(split, count);
  return true;
}

template <typename T, typename Atomics>
template <typename Predicate>
StealResult<T> SplitDeque<T, Atomics>::StealIf(Predicate accepts) {
  StealResult<T> result;
  std::uint64_t word = shared_.load(std::memory_order_acquire);  // E1: sees slots and ring.
  const SharedPart shared(word);
  if (shared.count() == 0) {
    RequestExposure();
    return result;
  }
  const Ring* ring = ring_.load(std::memory_order_acquire);  // E2: sees the copied slots.
  ring->At(shared.tail()).Read(&result.item, &result.meta);
  // What was read belongs together, and to the tail, only if the word is still
  // the same; that is why a refusal is confirmed by an exchange, too.
  const bool accepted = accepts(result.meta);
  const SharedPart next = accepted ? shared.WithoutOldest() : shared;
  if (!shared_.compare_exchange_strong(word, next.word(),
                                       std::memory_order_release,  // E3: the slot has been read.
                                       std::memory_order_relaxed)) {
    result.status = StealStatus::kLost;
    return result;
  }
  result.status = accepted ? StealStatus::kStolen : StealStatus::kRefused;
  if (accepted && shared.count() == 1) RequestExposure();
  return result;
}

template <typename T, typename Atomics>
typename SplitDeque<T, Atomics>::Contents SplitDeque<T, Atomics>::Inspect() const {
  // In this order: the tail only rises, so a tail that has reached an older
  // bottom has passed everything below it.
  const std::int64_t b = bottom_.load(std::memory_order_acquire);  // E6: before the word.
  const SharedPart shared(shared_.load(std::memory_order_relaxed));
  if (shared.count() > 0) return Contents::kShared;
  return shared.DistanceTo(b) > 0 ? Contents::kPrivateOnly : Contents::kEmpty;
}

// Makes sure that the slot at bottom() may be written.
template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::MakeRoom() {
  const std::int64_t b = bottom();
  Ring* ring = ring_.load(std::memory_order_relaxed);
  const SharedPart shared(
      shared_.load(std::memory_order_acquire));  // E3: thieves have read what they took.
  const std::int64_t tail = b - shared.DistanceTo(b);
  if (ring == nullptr || b - tail == ring->capacity()) {
    Ring* larger = Ring::New(ring == nullptr ? initial_capacity_ : 2 * ring->capacity(), ring);
    if (ring != nullptr) larger->CopyFrom(*ring, tail, b);
    ring_.store(larger, std::memory_order_release);  // E2: publishes the copied slots.
    slots_ = larger->slots();
    mask_ = larger->mask();
    ring = larger;
  }
  full_at_ = tail + ring->capacity();
}

// Half of the private items, rounded up, as far as the word can count them.
template <typename T, typename Atomics>
std::int64_t SplitDeque<T, Atomics>::HalfOfPrivate(std::int64_t split, std::int64_t end) const {
  const SharedPart shared(shared_.load(std::memory_order_relaxed));
  return std::min((end - split + 1) / 2, SharedPart::kMaxCount - shared.count());
}

// Under the lock.  The oldest `count` private items, which begin at `split`,
// become shared.
template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::Share(std::int64_t split, std::int64_t count) {
  border_.MoveTo(split + count);
  shared_.fetch_add(SharedPart::Increment(count),
                    std::memory_order_release);  // E1: publishes slots and ring to StealIf.
}

}  // namespace filch

#endif  // FILCH_DEQUE_SPLIT_DEQUE_H_

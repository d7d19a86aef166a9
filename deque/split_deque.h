// SplitDeque: a work-stealing deque whose owner pays for sharing only when
// somebody wants to share.
//
// The newest items are private: the owner pushes and pops them with plain loads
// and stores, no fence, no read-modify-write.  The oldest are shared: thieves
// take them, one compare-exchange each.  The border between the two, `split`,
// moves when the owner serves a thief's request (Expose) or goes away (ExposeAll),
// when the owner runs out of private items (Pop takes shared ones back), or when a
// thief that has waited long enough moves it itself (ForceExposure).
//
// Use it where most items are popped by their owner.  Where every item must be
// stealable the moment it is pushed, use ChaseLevDeque.
//
// Owner only: Push, TryPush, Pop, PopOf, TryPop, Expose, ExposeAll, PrepareToExpose,
// DropRequest, RequestOwnExposure, bottom, private_size, exposure_requested.  Any thread:
// Steal, StealIf, RequestExposure, InsistOnExposure, request_word, ForceExposure, HasOf,
// Inspect, HasShared, ApproximateSizes.  Before anybody else uses it: ShareAmong.
// Destroy it when nobody uses it any more.
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
#include <functional>
#include <limits>
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
  // of two; 4 if it is less), to test what else takes years or gigabytes.
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

  // Owner only.  Takes the newest of the items with this meta that have index `from` or a
  // higher one; false: there was none at some instant of the call.  The others stay in their
  // order, and those at `*gap` and above it come down by one.  Unless it is the newest of all,
  // it takes the lock, and time in proportion to how many items are newer.
  __attribute__((noinline)) bool PopOf(std::uint64_t meta, std::int64_t from, T* item,
                                       std::int64_t* gap);

  // Owner only.  Removes `item` if it is the newest and private: the fast end of a join.
  // By the item and not by its index, for PopOf, or who pops items and pushes them again, may
  // have moved it.  False: nothing has changed; Pop() tells more.
  bool TryPop(T item);

  // Owner only.  The index that the next Push uses.
  std::int64_t bottom() const { return IndexOf(bottom_.load(std::memory_order_relaxed)); }

  // Owner only.  How many items only the owner can take; fewer if a thief is
  // forcing an exposure meanwhile.
  std::int64_t private_size() const {
    return bottom_.load(std::memory_order_relaxed) - border_.split();
  }

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

  // Owner only.  Forgets the request of a thief, for there is something to steal again.  One
  // that comes at the same time may be forgotten, too; who finds nothing asks again.
  void DropRequest() { requested_.store(kNoRequest, std::memory_order_relaxed); }
  // Owner only.  The next private item is to be exposed, though nobody may want it.
  void RequestOwnExposure() { RequestAs(kByOwner); }

  // Before anybody else uses it.  So many threads share what is pushed here, two at
  // first and at least: one part of what is shared, or taken back, is the owner's.
  void ShareAmong(std::int64_t threads) { threads_ = std::max<std::int64_t>(threads, 2); }

  // Owner only.  Shares the oldest of the private items, all but the owner's part (of two
  // threads: the older half, rounded up), and clears the request.  With no private
  // item it does nothing: the request stays for the next Push.
  __attribute__((noinline)) void Expose();
  // Owner only.  The same, but all of them, for an owner that goes away: fewer than 2^24 are
  // shared, and what is beyond that is left to the next owner, or to be forced.
  __attribute__((noinline)) void ExposeAll();

  // Owner only, and what it does anyway.  Fetches the two cache lines that Expose writes, so that
  // they come at the same time, and while the owner does something else: between processors that
  // share no cache each takes 100 to 250 ns.
  void PrepareToExpose() const {
    __builtin_prefetch(&requested_, kToWrite);
    __builtin_prefetch(&shared_, kToWrite);
  }

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

  // Any thread, but a thread switch dearer than anything else here.  Shares as many
  // of the private items as Expose does, without waiting for the owner.  False: there
  // was no private item.
  bool ForceExposure();

  // Any thread, but it takes the lock, and time in proportion to how many items there are.
  // Whether there is an item with this meta, behind others or not yet shared; a hint while
  // the owner pushes and pops.
  bool HasOf(std::uint64_t meta);

  // Any thread.  What a thief can hope for.  After the heavy side of a fence
  // whose light side follows each Push, kEmpty is a certificate: every item
  // pushed before is gone, or its owner is inside a call that removes it.
  // Otherwise all of it is a hint.
  Contents Inspect() const;

  // Any thread, a hint.  Whether a thief would find something now.  Unlike Inspect it reads
  // nothing that the owner writes at each Push and Pop.
  bool HasShared() const { return SharedPart(shared_.load(std::memory_order_relaxed)).count() > 0; }

  // Any thread.  How many items there are, how many of them thieves can take at once,
  // and the index of the oldest, modulo 2^40.  While anybody changes that, `all` is a hint,
  // and may be anything from 0 to what the deque has room for.
  struct Sizes {
    std::int64_t all;
    std::int64_t shared;
    std::uint64_t oldest;
  };
  Sizes ApproximateSizes() const {
    const Slot* const end = bottom_.load(std::memory_order_relaxed);
    const SharedPart shared(shared_.load(std::memory_order_relaxed));
    return {std::max(SizeUpTo(end, shared), shared.count()), shared.count(), shared.tail()};
  }

 private:
  using Slot = deque_internal::TaggedSlot<T, Atomics>;
  using Ring = deque_internal::RingBuffer<Slot>;
  using Lock = SpinLock<Atomics>;
  using LockHolder = SpinLockHolder<Atomics>;
  using SharedPart = deque_internal::SharedPart;

  // Slots of a ring that stay free; see SizeUpTo.
  static constexpr std::int64_t kFree = 2;
  static constexpr std::int64_t kLeastCapacity = 2 * kFree;
  // Of a prefetch.
  static constexpr int kToWrite = 1;
  // How many items are moved to win room for one, at most.
  static constexpr std::int64_t kMovesForARoom = 4;

  // The owner's way to count.
  std::int64_t IndexOf(const Slot* slot) const {
    const Slot* const first = slots_;
    return first_index_ + (slot - first);
  }
  Slot* OwnSlot(std::int64_t index) {
    Slot* const first = slots_;
    return first + (index - first_index_);
  }

  bool LowerBottomTo(Slot* newest);
  void Append(Slot* end, T item, std::uint64_t meta);
  __attribute__((noinline)) void PushWithNewRoom(T item, std::uint64_t meta);
  void MakeRoom();
  static Ring* NewRing(std::int64_t capacity, Ring* older);
  void PutInPlace(const Slot* begin, const Slot* end);
  void LayOut(std::int64_t split, std::int64_t end, std::int64_t full_at);
  // What takes the place of another request meanwhile is asked for again by who wants it.
  void RequestAs(Request request) {
    if (request_word() < request) requested_.store(request, std::memory_order_relaxed);
  }
  __attribute__((noinline)) bool PopSlowly(T* item, std::uint64_t* meta);
  bool FindNewestOf(std::uint64_t meta, std::int64_t from, std::int64_t end, std::int64_t* index);
  // What has become of a shared item that the owner wants.
  enum class Claim { kLost, kTakenAsOldest, kPrivateAgain };
  Claim ClaimShared(std::int64_t index);
  template <typename Part>
  void ExposePart(const Part& part);
  void Share(Slot* split, std::int64_t count);
  std::int64_t OthersPart(std::int64_t items) const { return items - items / threads_; }
  std::int64_t WithRoomToShare(std::int64_t items) const;
  std::int64_t SizeUpTo(const Slot* end, SharedPart shared) const;

  // The owner's.  A thief reads or writes here only to force an exposure.  Bottom
  // comes first: gcc keeps the address of an atomic that is used often in a
  // register, and that of the first member is the deque's own.
  alignas(kCacheLineSize) typename Atomics::template Atomic<Slot*> bottom_;
  deque_internal::PrivateBorder<Slot, Atomics> border_;
  typename Atomics::template Plain<Slot*> full_at_;             // no room from this slot on
  typename Atomics::template Plain<Slot*> slots_;               // of ring_
  typename Atomics::template Plain<std::int64_t> first_index_;  // of *slots_, for the owner
  Slot nothing_;                                                // below bottom_ without a ring

  // What a thief needs.  Only thieves and slow paths write here.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint64_t> shared_;
  typename Atomics::template Atomic<Ring*> ring_{nullptr};
  const std::int64_t initial_capacity_;
  std::int64_t threads_ = 2;  // never changes while others use it

  // Written by thieves, rarely; read by the owner at every Push.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint32_t> requested_{kNoRequest};
  Lock lock_;  // guards border_, the place of what is private, and growth of the shared part
};

template <typename T, typename Atomics>
SplitDeque<T, Atomics>::SplitDeque(std::int64_t start_index, std::int64_t initial_capacity)
    : bottom_(&nothing_ + 1),
      border_(&nothing_ + 1),
      full_at_(&nothing_ + 1),
      slots_(&nothing_ + 1),
      first_index_(start_index),
      shared_(SharedPart(start_index).word()),
      initial_capacity_(std::max(initial_capacity, kLeastCapacity)) {
  nothing_.Write(T(), 0);
}

template <typename T, typename Atomics>
inline void SplitDeque<T, Atomics>::Push(T item, std::uint64_t meta) {
  // All of the rest is done elsewhere, so nothing has to survive a call here.
  if (!TryPush(item, meta)) return PushWithNewRoom(item, meta);
}

template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::TryPush(T item, std::uint64_t meta) {
  Slot* const end = bottom_.load(std::memory_order_relaxed);
  if (__builtin_expect(end == full_at_, 0)) return false;
  Append(end, item, meta);
  return true;
}

template <typename T, typename Atomics>
inline void SplitDeque<T, Atomics>::Append(Slot* end, T item, std::uint64_t meta) {
  end->Write(item, meta);
  bottom_.store(end + 1, std::memory_order_release);  // E4: publishes *end; E6: the word.
}

template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::PushWithNewRoom(T item, std::uint64_t meta) {
  MakeRoom();
  Append(bottom_.load(std::memory_order_relaxed), item, meta);
}

// Claims the newest item for the owner; false if a thief may have a say.
template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::LowerBottomTo(Slot* newest) {
  bottom_.store(newest, std::memory_order_release);  // E4: what is below; E6: the word.
  return __builtin_expect(border_.OwnerMayTake(newest), 1);
}

template <typename T, typename Atomics>
inline bool SplitDeque<T, Atomics>::Pop(T* item, std::uint64_t* meta) {
  Slot* const newest = bottom_.load(std::memory_order_relaxed) - 1;
  if (__builtin_expect(LowerBottomTo(newest), 1)) {
    newest->Read(item, meta);
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
  Slot* const newest = bottom_.load(std::memory_order_relaxed) - 1;
  // If nothing is left, the slot holds what was there last, or nothing; the border tells.
  if (__builtin_expect(newest->item() != item, 0)) return false;
  if (LowerBottomTo(newest)) return true;
  bottom_.store(newest + 1, std::memory_order_release);  // E4: what was there; E6: the word.
  return false;
}

// Called with bottom_ lowered by one; under the lock nobody else moves the
// border, so it can be put back and looked at in peace.
template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::PopSlowly(T* item, std::uint64_t* meta) {
  const LockHolder holder(&lock_);
  Slot* const end = bottom_.load(std::memory_order_relaxed) + 1;
  if (end > border_.split()) {
    (end - 1)->Read(item, meta);
    return true;
  }
  bottom_.store(end, std::memory_order_release);  // E6: what is known of the word.
  const std::int64_t newest = IndexOf(end) - 1;
  const Ring* const ring = ring_.load(std::memory_order_relaxed);
  std::uint64_t word = shared_.load(std::memory_order_relaxed);
  for (;;) {
    const SharedPart shared(word);
    // Only the owner and whoever holds the lock add to the shared part.
    if (shared.count() == 0) return false;
    // Of all but the one that is popped, the others' part.
    const std::int64_t kept = OthersPart(shared.count() - 1);
    // The last one's index is used up, as if a thief had taken the item.  To lower
    // `split` instead would let the same word come back with another item.
    const SharedPart rest = kept == 0 ? shared.WithoutOldest() : shared.WithCount(kept);
    if (!shared_.compare_exchange_weak(word, rest.word(), std::memory_order_relaxed,
                                       std::memory_order_relaxed)) {
      continue;
    }
    ring->At(static_cast<std::uint64_t>(newest)).Read(item, meta);
    if (kept > 0) {
      LayOut(newest + 1 - (shared.count() - kept), newest, IndexOf(full_at_));
    }
    return true;
  }
}

template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::PopOf(std::uint64_t meta, std::int64_t from, T* item,
                                   std::int64_t* gap) {
  if (bottom() <= from || Inspect() == Contents::kEmpty) return false;
  const Slot* const last = bottom_.load(std::memory_order_relaxed) - 1;
  // If nothing is left, the slot may hold anything.
  if (last->meta() == meta) {
    *item = last->item();
    *gap = IndexOf(last);
    if (TryPop(*item)) return true;
  }
  const LockHolder holder(&lock_);
  std::int64_t found;
  if (!FindNewestOf(meta, from, bottom(), &found)) return false;
  if (found < IndexOf(border_.split())) {
    *item = ring_.load(std::memory_order_relaxed)->At(static_cast<std::uint64_t>(found)).item();
    *gap = bottom();
    const Claim claim = ClaimShared(found);
    if (claim != Claim::kPrivateAgain) return claim == Claim::kTakenAsOldest;
  } else {
    *item = OwnSlot(found)->item();
  }
  *gap = found;
  // Another one than `last`, if what was shared has been laid out anew.
  Slot* const new_end = bottom_.load(std::memory_order_relaxed) - 1;
  for (Slot* slot = OwnSlot(found); slot < new_end; ++slot) slot->CopyFrom(slot[1]);
  bottom_.store(new_end, std::memory_order_release);  // E4: what has moved; E6: the word.
  return true;
}

// Under the lock, below `end`.  Thieves may take what it finds, if that is shared, and what is
// older.
template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::FindNewestOf(std::uint64_t meta, std::int64_t from, std::int64_t end,
                                          std::int64_t* index) {
  const Ring* const ring = ring_.load(std::memory_order_relaxed);
  const SharedPart shared(shared_.load(std::memory_order_relaxed));
  const std::int64_t split = IndexOf(border_.split());
  const std::int64_t oldest = std::max(from, split - shared.count());
  for (std::int64_t i = end - 1; i >= oldest; --i) {
    const Slot& slot = i < split ? ring->At(static_cast<std::uint64_t>(i)) : *OwnSlot(i);
    if (slot.meta() != meta) continue;
    *index = i;
    return true;
  }
  return false;
}

// Under the lock.  As in PopSlowly, the oldest item is taken as a thief does it; of others all
// from `index` on become private.
template <typename T, typename Atomics>
typename SplitDeque<T, Atomics>::Claim SplitDeque<T, Atomics>::ClaimShared(std::int64_t index) {
  Slot* const split = border_.split();
  std::uint64_t word = shared_.load(std::memory_order_relaxed);
  for (;;) {
    const SharedPart shared(word);
    const std::int64_t older = index - (IndexOf(split) - shared.count());
    if (older < 0) return Claim::kLost;
    const SharedPart rest = older == 0 ? shared.WithoutOldest() : shared.WithCount(older);
    if (!shared_.compare_exchange_weak(word, rest.word(), std::memory_order_relaxed,
                                       std::memory_order_relaxed)) {
      continue;
    }
    if (older == 0) return Claim::kTakenAsOldest;
    Slot* const end = bottom_.load(std::memory_order_relaxed);
    PutInPlace(split, end);
    LayOut(index, IndexOf(end), IndexOf(full_at_));
    return Claim::kPrivateAgain;
  }
}

template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::Expose() {
  ExposePart([this](std::int64_t items) { return OthersPart(items); });
}

template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::ExposeAll() {
  ExposePart([](std::int64_t items) { return items; });
}

// part(n) of the n private items.
template <typename T, typename Atomics>
template <typename Part>
inline void SplitDeque<T, Atomics>::ExposePart(const Part& part) {
  if (private_size() <= 0) return;
  PrepareToExpose();
  const LockHolder holder(&lock_);
  Slot* const split = border_.split();
  const std::int64_t count = WithRoomToShare(part(bottom_.load(std::memory_order_relaxed) - split));
  if (count <= 0) return;
  // Cleared first: a thief that comes too early for what follows asks again.
  requested_.store(kNoRequest, std::memory_order_relaxed);
  Share(split, count);
}

template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::ForceExposure() {
  const LockHolder holder(&lock_);
  Slot* const split = border_.split();
  std::int64_t count = WithRoomToShare(OthersPart(bottom_.load(std::memory_order_relaxed) - split));
  if (count <= 0) return false;
  border_.WarnOff(split + count);
  // The owner may have removed items until it saw the limit; not after.
  count = std::min<std::int64_t>(
      count, bottom_.load(std::memory_order_acquire) - split);  // E4: sees the slots.
  if (count <= 0) {
    border_.MoveTo(split);
    return false;
  }
  Share(split, count);
  return true;
}

template <typename T, typename Atomics>
bool SplitDeque<T, Atomics>::HasOf(std::uint64_t meta) {
  if (Inspect() == Contents::kEmpty) return false;
  const LockHolder holder(&lock_);
  // The owner goes on with what is private, but moves nothing.
  const Slot* const end = bottom_.load(std::memory_order_acquire);  // E4: the slots, for a look
  std::int64_t index;
  return FindNewestOf(meta, std::numeric_limits<std::int64_t>::min(), IndexOf(end), &index);
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
  // The exchange below, and whoever uses the item, would wait for a cache line each.
  __builtin_prefetch(&shared_, kToWrite);
  const Ring* ring = ring_.load(std::memory_order_acquire);  // E2: sees the copied slots.
  ring->At(shared.tail()).Read(&result.item, &result.meta);
  if constexpr (std::is_pointer_v<T>) __builtin_prefetch(result.item, kToWrite);
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
  const Slot* const end = bottom_.load(std::memory_order_acquire);  // E6: before the word.
  const SharedPart shared(shared_.load(std::memory_order_relaxed));
  if (shared.count() > 0) return Contents::kShared;
  return SizeUpTo(end, shared) > 0 ? Contents::kPrivateOnly : Contents::kEmpty;
}

// How many items there are below `end`, which bottom_ has been before the word was `shared`
// and before this is called.  Two slots of a ring stay free, so that neither a full ring nor
// one below an empty one, where a Pop is about to find nothing, is taken for the other.
template <typename T, typename Atomics>
std::int64_t SplitDeque<T, Atomics>::SizeUpTo(const Slot* end, SharedPart shared) const {
  const Ring* const ring = ring_.load(std::memory_order_acquire);  // E2: sees the ring itself.
  if (ring == nullptr) return 0;
  const Slot* const first = ring->slots();
  // In an older ring, or below the first one: there was something, or there will be.
  const std::less<const Slot*> before;
  if (before(end, first - 1) || before(first + 2 * ring->capacity(), end)) return 1;
  const std::uint64_t size =
      (static_cast<std::uint64_t>(end - first) - shared.tail()) & ring->mask();
  return size == ring->mask() ? 0 : static_cast<std::int64_t>(size);
}

// Makes sure that the slot at bottom_ may be written.
template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::MakeRoom() {
  const std::int64_t b = bottom();
  Ring* ring = ring_.load(std::memory_order_relaxed);
  const SharedPart shared(
      shared_.load(std::memory_order_acquire));  // E3: thieves have read what they took.
  const std::int64_t size = shared.DistanceTo(b);
  const std::int64_t tail = b - size;
  // Laying out anew takes longer the more is private, so it has to win room in proportion.
  const bool grow =
      ring == nullptr || ring->capacity() - kFree - size <= private_size() / kMovesForARoom;
  if (grow) {
    ring = NewRing(ring == nullptr ? initial_capacity_ : 2 * ring->capacity(), ring);
  }
  const LockHolder holder(&lock_);
  const std::int64_t split = IndexOf(border_.split());
  if (split < b) PutInPlace(border_.split(), bottom_.load(std::memory_order_relaxed));
  if (grow) {
    const Ring* const old = ring_.load(std::memory_order_relaxed);
    if (old != nullptr) ring->CopyFrom(*old, tail, b);
    ring_.store(ring, std::memory_order_release);  // E2: publishes the copied slots.
  }
  LayOut(split, b, tail + ring->capacity() - kFree);
}

// A ring, with room for the owner beyond its end; with one slot before it, which TryPop reads
// when the owner has nothing and would be at the ring's start; and with one after all that, so
// that bottom_ has no address in common with another ring.
template <typename T, typename Atomics>
typename SplitDeque<T, Atomics>::Ring* SplitDeque<T, Atomics>::NewRing(std::int64_t capacity,
                                                                       Ring* older) {
  Ring* const ring = Ring::New(capacity, older, /*before=*/1, /*after=*/capacity + 1);
  // Whoever reads beyond the end has written there before.
  for (std::int64_t i = -1; i < capacity; ++i) ring->slots()[i].Write(T(), 0);
  return ring;
}

// Under the lock.  What the owner has beyond the ring's end is copied to where its index
// leads to: thieves look for it there.
template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::PutInPlace(const Slot* begin, const Slot* end) {
  const Ring* const ring = ring_.load(std::memory_order_relaxed);
  for (const Slot* slot = std::max<const Slot*>(begin, ring->slots() + ring->capacity());
       slot < end; ++slot) {
    const std::int64_t place = slot - ring->slots() - ring->capacity();
    ring->slots()[place].CopyFrom(*slot);
  }
}

// Under the lock.  From now on the indices [split, end), whose items are in their places, are
// private, and there is room below full_at.  All of that is one piece for
// the owner: what would begin again at the ring's start goes on beyond its end.
template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::LayOut(std::int64_t split, std::int64_t end, std::int64_t full_at) {
  const Ring* const ring = ring_.load(std::memory_order_relaxed);
  slots_ = ring->slots();
  first_index_ =
      split - static_cast<std::int64_t>(static_cast<std::uint64_t>(split) & ring->mask());
  for (std::int64_t i = std::max(split, first_index_ + ring->capacity()); i < end; ++i) {
    OwnSlot(i)->CopyFrom(ring->At(static_cast<std::uint64_t>(i)));
  }
  full_at_ = OwnSlot(full_at);
  border_.MoveTo(OwnSlot(split));
  bottom_.store(OwnSlot(end), std::memory_order_release);  // E6: what is known of the word.
}

// Of so many, as many as the word can count beside those that are shared.
template <typename T, typename Atomics>
std::int64_t SplitDeque<T, Atomics>::WithRoomToShare(std::int64_t items) const {
  const SharedPart shared(shared_.load(std::memory_order_relaxed));
  return std::min(items, SharedPart::kMaxCount - shared.count());
}

// Under the lock.  The oldest `count` private items, which begin at `split`,
// become shared.
template <typename T, typename Atomics>
void SplitDeque<T, Atomics>::Share(Slot* split, std::int64_t count) {
  PutInPlace(split, split + count);
  border_.MoveTo(split + count);
  const SharedPart before(
      shared_.load(std::memory_order_acquire));  // E3: thieves have read, for the store.
  if (before.count() == 0) {
    // Thieves leave it as it is, and unlike an addition a store is not waited for.
    shared_.store(before.WithCount(count).word(),
                  std::memory_order_release);  // E1: publishes slots and ring to StealIf.
  } else {
    shared_.fetch_add(SharedPart::Increment(count), std::memory_order_release);  // E1: likewise.
  }
}

}  // namespace filch

#endif  // FILCH_DEQUE_SPLIT_DEQUE_H_

// QueuedRwLock: one writer or any number of readers, who get it in the order in which they
// came.
//
// What queuing_rw_mutex is made of. One word says who has the lock and how many wait. A reader
// counts itself in it by one addition, and if somebody waits or writes it goes to the end of
// the queue instead; a writer needs the word to be empty. Who leaves takes itself out of the
// word in one step and touches nothing after that: the lock may be gone.
//
// Whose turn it is in the queue (QueuedLock) waits for the word to let it in, and so is alone
// with its look at a word that others change. Then it passes its turn on. A reader takes those
// behind it along, up to the next writer, so that a group of readers is one change of the word.
// The idea of a queue with a word that counts readers: Mellor-Crummey and Scott, "Scalable
// reader-writer synchronization for shared-memory multiprocessors" (PPoPP 1991).
//
// Any thread. Memory ordering: what a thread did before it unlocked is visible to the next
// writer, and if it has written to readers too.
#ifndef FILCH_TBB_COMPAT_DETAIL_QUEUED_RW_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_QUEUED_RW_LOCK_H_

#include <atomic>
#include <cstdint>

#include "_config.h"
#include "_queued_lock.h"
#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Atomics = filch::StdAtomics, typename Waiting = QueueWaiting>
class BasicQueuedRwLock {
 public:
  using Place = BasicQueuePlace<Atomics, Waiting>;

  BasicQueuedRwLock() = default;
  BasicQueuedRwLock(const BasicQueuedRwLock&) = delete;
  BasicQueuedRwLock& operator=(const BasicQueuedRwLock&) = delete;

  void Lock(Place& place, bool write) {
    if (write) {
      if (!Replace(kFree, kWriter)) LockSlowly(place, Access::kWrite, 0);
    } else {
      // Counted first, and taken back if it must wait: readers do not make each other repeat.
      const std::uint64_t before =
          state_.fetch_add(kReader, std::memory_order_acquire);  // M4: the last writer
      if ((before & kHoldsReadersOff) != 0) LockSlowly(place, Access::kRead, kReader);
    }
  }
  // Only if nobody else has the lock or waits for it, or only readers have it and this is
  // another.
  bool TryLock(bool write) {
    std::uint64_t state = Look();
    if (write) return state == kFree && Replace(kFree, kWriter);
    while ((state & kHoldsReadersOff) == 0) {
      if (state_.compare_exchange_weak(state, state + kReader,
                                       std::memory_order_acquire,  // M4: the last writer
                                       std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  void Unlock(bool writer) {
    const std::uint64_t own = writer ? kWriter : kReader;
    const std::uint64_t before =
        state_.fetch_sub(own, std::memory_order_release);  // M4: what it did, to the next
    // Beside the one that writes others may be counted for a moment.
    if ((before & kSleepers) != 0 && (writer || LetsIn(before - own))) Waiting::WakeAll(state_);
  }

  // A reader becomes the writer. False: it had to unlock in between, because
  // another reader was about to become the writer.
  bool Upgrade(Place& place) { return Replace(kReader, kWriter) || UpgradeSlowly(place); }
  // The writer becomes a reader.
  void Downgrade() {
    const std::uint64_t before = state_.fetch_add(
        kReader - kWriter, std::memory_order_release);  // M4: what it wrote, to readers
    // It may be a reader who is next.
    if ((before & kSleepers) != 0) Waiting::WakeAll(state_);
  }

 private:
  using Access = typename Place::Access;
  // In the lower half all that those who sleep wait for.
  static constexpr std::uint64_t kFree = 0;
  static constexpr std::uint64_t kWriter = 1;
  static constexpr std::uint64_t kUpgrading = 2;   // one of the readers is to be the writer
  static constexpr std::uint64_t kNextSleeps = 4;  // whose turn it is
  static constexpr std::uint64_t kUpgradingSleeps = 8;
  static constexpr std::uint64_t kReader = 16;  // and multiples of it
  // And multiples of it: who is in the queue.
  static constexpr std::uint64_t kQueued = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kSleepers = kNextSleeps | kUpgradingSleeps;
  static constexpr std::uint64_t kExcludes = kWriter | kUpgrading;
  static constexpr std::uint64_t kHoldsReadersOff = kExcludes | ~(kQueued - 1);

  static std::uint64_t Readers(std::uint64_t state) { return (state & (kQueued - 1)) / kReader; }

  std::uint64_t Look() const {
    return state_.load(std::memory_order_relaxed);  // M4: a hint
  }
  // The step of a lock with which nobody else has to do.
  bool Replace(std::uint64_t state, std::uint64_t next) {
    return state_.compare_exchange_strong(state, next,
                                          std::memory_order_acquire,  // M4: the last owners
                                          std::memory_order_relaxed);
  }
  // Whether in this state somebody may go on whom one reader more would stop: one who writes,
  // or the reader that upgrades.
  static bool LetsIn(std::uint64_t state) {
    return (state & kWriter) == 0 && Readers(state) <= ((state & kUpgrading) != 0 ? 1 : 0);
  }

  // `counted` is what the caller is in the word, and must not be while it waits.
  void LockSlowly(Place& place, Access access, std::uint64_t counted);
  bool UpgradeSlowly(Place& place);
  // For whose turn it is; `state` is the word, or was. They pass the turn on.
  void AdmitWriter(Place& place, std::uint64_t state);
  void AdmitReaders(Place& place, std::uint64_t state);
  // So many that queue read from now on. False: they have to wait, in this state.
  bool CountIn(std::uint64_t readers, std::uint64_t& state);
  // Waits for another state than `state`; `looks` is how often it has looked already. Returns
  // the state, with `sleeps` set in it before a sleep.
  std::uint64_t AwaitChange(std::uint64_t state, std::uint64_t sleeps, unsigned& looks);

  typename Atomics::template Atomic<std::uint64_t> state_{kFree};
  BasicQueuedLock<Atomics, Waiting> turns_;
  // Programs have mutexes of this size in what they share.
  [[maybe_unused]] std::uint64_t unused_[2] = {};
};

template <typename Atomics, typename Waiting>
void BasicQueuedRwLock<Atomics, Waiting>::LockSlowly(Place& place, Access access,
                                                     std::uint64_t counted) {
  place.Prepare(access);
  // First, so that nobody whom the word sends to the queue gets in front of this place.
  Place* const before = turns_.Join(place);
  std::uint64_t state = state_.fetch_add(
      kQueued - counted, std::memory_order_release);  // M4: what it read, to who upgrades
  if (counted != 0 && (state & kSleepers) != 0 && LetsIn(state - counted)) {
    Waiting::WakeAll(state_);
  }
  state += kQueued - counted;
  if (before != nullptr) {
    turns_.AwaitGrant(place, *before);
    if (place.reads) {
      if (place.has_turn) turns_.Unlock(place);
      return;
    }
    state = Look();
  }
  access == Access::kWrite ? AdmitWriter(place, state) : AdmitReaders(place, state);
}

template <typename Atomics, typename Waiting>
void BasicQueuedRwLock<Atomics, Waiting>::AdmitWriter(Place& place, std::uint64_t state) {
  unsigned looks = 0;
  for (;;) {
    if ((state & kExcludes) != 0 || Readers(state) != 0) {
      state = AwaitChange(state, kNextSleeps, looks);
    } else if (state_.compare_exchange_weak(state, ((state - kQueued) & ~kNextSleeps) | kWriter,
                                            std::memory_order_acquire,  // M4: the last owners
                                            std::memory_order_relaxed)) {
      return turns_.Unlock(place);
    }
  }
}

template <typename Atomics, typename Waiting>
void BasicQueuedRwLock<Atomics, Waiting>::AdmitReaders(Place& place, std::uint64_t state) {
  unsigned looks = 0;
  std::uint64_t readers = 0;
  Place* last = nullptr;
  do {
    while ((state & kExcludes) != 0) state = AwaitChange(state, kNextSleeps, looks);
    last = &place;
    for (readers = 1; last->linked.IsGiven(); ++readers) {
      Place* const next = last->next;
      if (next->writes) break;
      last = next;
    }
  } while (!CountIn(readers, state));
  if (last == &place) return turns_.Unlock(place);
  // A place may be gone as soon as it has been granted.
  Place* next = place.next;
  while (next != last) {
    Place& granted = *next;
    next = granted.next;
    granted.has_turn = false;
    granted.reads = true;
    granted.granted.Give();
  }
  last->reads = true;
  last->granted.Give();
}

template <typename Atomics, typename Waiting>
bool BasicQueuedRwLock<Atomics, Waiting>::CountIn(std::uint64_t readers, std::uint64_t& state) {
  const std::uint64_t change = readers * (kReader - kQueued);
  state = state_.fetch_add(change, std::memory_order_acquire);  // M4: the last writer
  if ((state & kExcludes) == 0) {
    // Before somebody else gets the turn and sleeps.
    if ((state & kNextSleeps) != 0) {
      state_.fetch_and(~kNextSleeps, std::memory_order_relaxed);  // M4: no order
    }
    return true;
  }
  // One of those who read already is going to write.
  state = state_.fetch_sub(change, std::memory_order_relaxed) - change;  // M4: no order
  if ((state & kSleepers) != 0 && LetsIn(state)) Waiting::WakeAll(state_);
  return false;
}

template <typename Atomics, typename Waiting>
bool BasicQueuedRwLock<Atomics, Waiting>::UpgradeSlowly(Place& place) {
  std::uint64_t state = state_.fetch_or(kUpgrading, std::memory_order_relaxed);  // M4: no order
  if ((state & kUpgrading) != 0) {
    LockSlowly(place, Access::kWrite, kReader);
    return false;
  }
  state |= kUpgrading;
  unsigned looks = 0;
  for (;;) {
    if (Readers(state) != 1) {
      state = AwaitChange(state, kUpgradingSleeps, looks);
    } else if (state_.compare_exchange_weak(
                   state, (state - kReader - kUpgrading + kWriter) & ~kUpgradingSleeps,
                   std::memory_order_acquire,  // M4: what readers saw is over
                   std::memory_order_relaxed)) {
      return true;
    }
  }
}

template <typename Atomics, typename Waiting>
std::uint64_t BasicQueuedRwLock<Atomics, Waiting>::AwaitChange(std::uint64_t state,
                                                               std::uint64_t sleeps,
                                                               unsigned& looks) {
  if (looks < Waiting::kLooks) {
    Waiting::Pause(looks++);
    return Look();
  }
  if ((state & sleeps) == 0) {
    return state_.fetch_or(sleeps, std::memory_order_relaxed) | sleeps;  // M4: no order
  }
  Waiting::Wait(state_, static_cast<std::uint32_t>(state));
  return Look();
}

extern template class BasicQueuedRwLock<>;
using QueuedRwLock = BasicQueuedRwLock<>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_QUEUED_RW_LOCK_H_

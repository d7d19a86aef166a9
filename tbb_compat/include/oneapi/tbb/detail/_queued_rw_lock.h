// QueuedRwLock: one writer or any number of readers, who get it in the order in which they
// came.
//
// What queuing_rw_mutex is made of. Whoever finds nobody in the way changes one word and is
// done. Anybody else closes that word (kClosed) and goes by the queue, under a lock of its
// own. From then on everybody does, until a thread that comes finds the queue empty and opens
// the word again. A thread that leaves does not: as soon as it is open, others may come, go
// and destroy all of this, while the one who opened it still has to let go of the inner lock.
//
// Any thread. Memory ordering: what a thread did before it unlocked is visible to the next
// writer, and if it has written to readers too.
#ifndef FILCH_TBB_COMPAT_DETAIL_QUEUED_RW_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_QUEUED_RW_LOCK_H_

#include <atomic>
#include <cstdint>

#include "_config.h"
#include "_queued_lock.h"
#include "_sleeping_lock.h"
#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// `Mutex` has lock() and unlock(); `Place` is a waiter's, as QueuePlace.
template <typename Atomics = filch::StdAtomics, typename Mutex = SleepingLock,
          typename Place = QueuePlace>
class BasicQueuedRwLock {
 public:
  BasicQueuedRwLock() = default;
  BasicQueuedRwLock(const BasicQueuedRwLock&) = delete;
  BasicQueuedRwLock& operator=(const BasicQueuedRwLock&) = delete;

  void Lock(Place& place, bool write) {
    // A writer's first step is its look.
    std::uint32_t state = write ? 0 : Look();
    if (!LockOpen(write, state)) LockSlowly(place, write);
  }
  // Only if nobody else has the lock or waits for it, or only readers have it and this is
  // another.
  bool TryLock(bool write) {
    std::uint32_t state = Look();
    return LockOpen(write, state) || ((state & kClosed) != 0 && TryLockSlowly(write));
  }
  void Unlock(bool writer) {
    std::uint32_t state = writer ? kWriter : state_.load(std::memory_order_relaxed);  // M4: retried
    while ((state & kClosed) == 0) {
      if (state_.compare_exchange_strong(state, state - (writer ? kWriter : kReader),
                                         std::memory_order_release,  // M4: what it did, to the next
                                         std::memory_order_relaxed)) {
        return;
      }
    }
    UnlockSlowly(writer);
  }

  // A reader becomes the writer. False: it had to unlock in between, because
  // another reader was about to become the writer.
  bool Upgrade(Place& place) {
    std::uint32_t state = kReader;
    return state_.compare_exchange_strong(
               state, kWriter,
               std::memory_order_acquire,  // M4: what readers saw is over
               std::memory_order_relaxed) ||
           UpgradeSlowly(place);
  }
  // The writer becomes a reader.
  void Downgrade() {
    std::uint32_t state = kWriter;
    if (!state_.compare_exchange_strong(state, kReader,
                                        std::memory_order_release,  // M4: what it wrote, to readers
                                        std::memory_order_relaxed)) {
      DowngradeSlowly();
    }
  }

 private:
  static constexpr std::uint32_t kWriter = 1;
  static constexpr std::uint32_t kClosed = 2;  // only who has lock_ changes the word
  static constexpr std::uint32_t kReader = 4;  // and multiples of it

  // Places in the order in which they were added.
  class Queue {
   public:
    Place* first() const { return oldest_; }
    void Add(Place& place) {
      (oldest_ == nullptr ? oldest_ : newest_->next) = &place;
      newest_ = &place;
    }
    void RemoveFirst() { oldest_ = oldest_->next; }

   private:
    Place* oldest_ = nullptr;
    Place* newest_ = nullptr;
  };

  std::uint32_t Look() const {
    return state_.load(std::memory_order_relaxed);  // M4: the next step fails, or not
  }
  // Gets the lock by the word alone, which was `state`, or says in which state it could not.
  bool LockOpen(bool write, std::uint32_t& state) {
    const std::uint32_t in_the_way = write ? ~std::uint32_t{0} : kWriter | kClosed;
    while ((state & in_the_way) == 0) {
      if (state_.compare_exchange_strong(state, state + (write ? kWriter : kReader),
                                         std::memory_order_acquire,  // M4: what was done before
                                         std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  void LockSlowly(Place& place, bool write);
  bool TryLockSlowly(bool write);
  void UnlockSlowly(bool writer);
  bool UpgradeSlowly(Place& place);
  void DowngradeSlowly();

  // The rest is for who has lock_.

  // Nobody else changes the word from now on. Returns it without kClosed.
  std::uint32_t Close() {
    return ~kClosed &
           state_.fetch_or(kClosed, std::memory_order_acquire);  // M4: by those without lock_
  }
  bool Admits(std::uint32_t state, bool write) const {
    return upgrading_ == nullptr && (write ? state == 0 : (state & kWriter) == 0);
  }
  // Opens the word again for somebody that gets the lock now. False: it is not his turn.
  bool AdmitAtOnce(bool write);
  // Calls those whose turn it is, and releases lock_. The word is closed.
  void PassOnAndUnlock(std::uint32_t state);

  typename Atomics::template Atomic<std::uint32_t> state_{0};
  Mutex lock_;
  Place* upgrading_ = nullptr;  // one of the readers
  Queue queue_;
};

template <typename Atomics, typename Mutex, typename Place>
bool BasicQueuedRwLock<Atomics, Mutex, Place>::AdmitAtOnce(bool write) {
  const std::uint32_t state = Close();
  if (queue_.first() != nullptr || !Admits(state, write)) return false;
  state_.store(state + (write ? kWriter : kReader),
               std::memory_order_release);  // M4: what was done under lock_, to who comes next
  return true;
}

template <typename Atomics, typename Mutex, typename Place>
void BasicQueuedRwLock<Atomics, Mutex, Place>::LockSlowly(Place& place, bool write) {
  lock_.lock();
  const bool admitted = AdmitAtOnce(write);
  if (!admitted) {
    place.Prepare(write);
    queue_.Add(place);
  }
  lock_.unlock();
  if (!admitted) place.granted.Await();
}

template <typename Atomics, typename Mutex, typename Place>
bool BasicQueuedRwLock<Atomics, Mutex, Place>::TryLockSlowly(bool write) {
  lock_.lock();
  const bool admitted = AdmitAtOnce(write);
  lock_.unlock();
  return admitted;
}

template <typename Atomics, typename Mutex, typename Place>
void BasicQueuedRwLock<Atomics, Mutex, Place>::UnlockSlowly(bool writer) {
  lock_.lock();
  PassOnAndUnlock(Close() - (writer ? kWriter : kReader));
}

template <typename Atomics, typename Mutex, typename Place>
bool BasicQueuedRwLock<Atomics, Mutex, Place>::UpgradeSlowly(Place& place) {
  lock_.lock();
  std::uint32_t state = Close();
  place.Prepare(true);
  const bool first = upgrading_ == nullptr;
  if (first) {
    upgrading_ = &place;
  } else {
    state -= kReader;
    queue_.Add(place);
  }
  PassOnAndUnlock(state);
  place.granted.Await();
  return first;
}

template <typename Atomics, typename Mutex, typename Place>
void BasicQueuedRwLock<Atomics, Mutex, Place>::DowngradeSlowly() {
  lock_.lock();
  PassOnAndUnlock(Close() - kWriter + kReader);
}

template <typename Atomics, typename Mutex, typename Place>
void BasicQueuedRwLock<Atomics, Mutex, Place>::PassOnAndUnlock(std::uint32_t state) {
  // Collected first: a place may be gone as soon as it has been granted, and the
  // lock with it.
  Queue granted;
  if (upgrading_ != nullptr && state == kReader) {
    state = kWriter;
    granted.Add(*upgrading_);
    upgrading_ = nullptr;
  }
  while (Place* const next = queue_.first()) {
    if (!Admits(state, next->writes)) break;
    queue_.RemoveFirst();
    state += next->writes ? kWriter : kReader;
    next->next = nullptr;
    granted.Add(*next);
  }
  state_.store(state | kClosed, std::memory_order_relaxed);  // M4: for who has lock_ next
  lock_.unlock();
  while (Place* const next = granted.first()) {
    granted.RemoveFirst();
    next->granted.Give();
  }
}

extern template class BasicQueuedRwLock<>;
using QueuedRwLock = BasicQueuedRwLock<>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_QUEUED_RW_LOCK_H_

// WaitTable: threads that wait for something at an address, found by it.
//
// A completion (a join's latch, a task group) may be destroyed the moment its
// waiter learns that it is complete, so whoever completes it must not touch it
// afterwards.  Waking through this table touches only the address, as a key.
//
// The waiter enlists first and checks its condition after that; the completer
// makes the condition true first and wakes after that.  An address that is
// reused meanwhile costs a spurious wake-up, which every waiter tolerates.
//
// Memory ordering: the bucket's mutex orders Enlist before the WakeAll that
// finds the waiter; Parker carries the edge to the woken thread.
#ifndef FILCH_POOL_WAIT_TABLE_H_
#define FILCH_POOL_WAIT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "filch/pool/linked_list.h"
#include "filch/pool/parker.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/fibonacci_hash.h"

namespace filch {
namespace pool_internal {

// 2^kBucketBits locks guard it; a model checker brings its own lock.
template <typename Parker, typename Mutex = std::mutex, int kBucketBits = 6>
class BasicWaitTable {
 public:
  // One waiting thread; lives on its stack while it is enlisted.  The table's to write.
  struct Waiter {
    const void* key = nullptr;
    Parker* parker = nullptr;
    ListLink<Waiter> link;
  };

  // From here on, WakeAll(key) unparks `parker`.  The waiter's own thread.
  void Enlist(Waiter& waiter, const void* key, Parker& parker);

  // Takes the waiter back.  The waiter's own thread, once for each Enlist.
  void Delist(Waiter& waiter);

  // Unparks everybody who waits for `key`; they stay enlisted.  Any thread.
  void WakeAll(const void* key);

  // Forgets all waiters, and who is waking them.  A child of fork(), which has none of these
  // threads, while it has one.
  void BeginInChild() {
    for (Bucket& bucket : buckets_) ::new (&bucket) Bucket;
  }

 private:
  struct alignas(kCacheLineSize) Bucket {
    Mutex mutex;
    LinkedList<Waiter, &Waiter::link> waiters;
  };

  static constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;

  Bucket& BucketOf(const void* key) { return buckets_[FibonacciIndex<kBuckets>(key)]; }

  Bucket buckets_[kBuckets];
};

template <typename Parker, typename Mutex, int kBucketBits>
void BasicWaitTable<Parker, Mutex, kBucketBits>::Enlist(Waiter& waiter, const void* key,
                                                        Parker& parker) {
  waiter.key = key;
  waiter.parker = &parker;
  Bucket& bucket = BucketOf(key);
  const std::lock_guard<Mutex> lock(bucket.mutex);
  bucket.waiters.PushFront(waiter);
}

template <typename Parker, typename Mutex, int kBucketBits>
void BasicWaitTable<Parker, Mutex, kBucketBits>::Delist(Waiter& waiter) {
  Bucket& bucket = BucketOf(waiter.key);
  const std::lock_guard<Mutex> lock(bucket.mutex);
  bucket.waiters.Remove(waiter);
}

template <typename Parker, typename Mutex, int kBucketBits>
void BasicWaitTable<Parker, Mutex, kBucketBits>::WakeAll(const void* key) {
  Bucket& bucket = BucketOf(key);
  const std::lock_guard<Mutex> lock(bucket.mutex);
  for (const Waiter& waiter : bucket.waiters) {
    if (waiter.key == key) waiter.parker->Unpark();
  }
}

using WaitTable = BasicWaitTable<Parker>;

// Compiled once.
extern template class BasicWaitTable<Parker>;

// The one table of the process.
WaitTable& GlobalWaitTable();

// What those wait for who sleep in an isolation.
inline const void* IsolationKey(std::uint64_t isolation) {
  return reinterpret_cast<const void*>(isolation);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WAIT_TABLE_H_

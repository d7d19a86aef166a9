#include "filch/pool/wait_table.h"

#include <mutex>
#include <new>

namespace filch {
namespace pool_internal {

void WaitTable::Enlist(Waiter& waiter) {
  Bucket& bucket = BucketOf(waiter.key);
  const std::lock_guard<std::mutex> lock(bucket.mutex);
  waiter.previous = nullptr;
  waiter.next = bucket.first;
  if (bucket.first != nullptr) bucket.first->previous = &waiter;
  bucket.first = &waiter;
}

void WaitTable::Delist(Waiter& waiter) {
  Bucket& bucket = BucketOf(waiter.key);
  const std::lock_guard<std::mutex> lock(bucket.mutex);
  (waiter.previous != nullptr ? waiter.previous->next : bucket.first) = waiter.next;
  if (waiter.next != nullptr) waiter.next->previous = waiter.previous;
}

void WaitTable::WakeAll(const void* key) {
  Bucket& bucket = BucketOf(key);
  const std::lock_guard<std::mutex> lock(bucket.mutex);
  for (Waiter* waiter = bucket.first; waiter != nullptr; waiter = waiter->next) {
    if (waiter->key == key) waiter->parker->Unpark();
  }
}

WaitTable& GlobalWaitTable() {
  // Never destroyed: threads may still wake each other while statics go away.
  // Not on the heap: the first wait must not fail because there is no memory.
  alignas(WaitTable) static unsigned char memory[sizeof(WaitTable)];
  static WaitTable* const table = ::new (memory) WaitTable;
  return *table;
}

}  // namespace pool_internal
}  // namespace filch

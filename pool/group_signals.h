// GroupSignals: what is to be known about the task groups of one home slot.
//
// Apart from the slot, and never destroyed: a task of one pool that completes a
// group of another looks here when that pool may be gone.  A few slots may share
// an entry, which costs a wake-up too many now and then.
//
// Scheduler-internal.
#ifndef FILCH_POOL_GROUP_SIGNALS_H_
#define FILCH_POOL_GROUP_SIGNALS_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/cache_line.h"

namespace filch {
namespace pool_internal {

struct alignas(kCacheLineSize) GroupSignals {
  // How many threads are parked for such a group.
  std::atomic<std::uint32_t> waiters{0};
  // How many tasks of such groups were spawned in other arenas than the home's.
  std::atomic<std::uint32_t> spawned_elsewhere{0};
};

inline GroupSignals& GroupSignalsOf(const void* slot) {
  static GroupSignals signals[64];
  const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(slot));
  return signals[(bits * 0x9E3779B97F4A7C15u) >> 58];
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_GROUP_SIGNALS_H_

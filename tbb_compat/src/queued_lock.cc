#include <atomic>
#include <cstdint>
#include <thread>

#include "../include/oneapi/tbb/detail/_queued_lock.h"
#include "../include/oneapi/tbb/detail/_queued_rw_lock.h"
#include "filch/pool/futex.h"
#include "filch/topology/cpu_relax.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {
namespace {

// How often to look before a sleep: at once, and then after others have had the processor.
// The latter is for longer than a wake-up takes, or whoever comes behind a thread that had to
// be woken would sleep too, and so would all from then on (2 Intel Xeons under KVM, two
// threads that lock again and again: 300 ns for each lock so, 2000 with 100 looks at once).
constexpr int kLooks = 10;
constexpr int kLooksOfOthers = 100;

}  // namespace

void Signal::AwaitSlowly() {
  for (int i = 0; i < kLooks + kLooksOfOthers; ++i) {
    if (i < kLooks) {
      filch::CpuRelax();
    } else {
      std::this_thread::yield();
    }
    if (IsGiven()) return;
  }
  std::uint32_t state = kAwaited;
  state_.compare_exchange_strong(state, kSleeps, std::memory_order_acquire,  // M3
                                 std::memory_order_acquire);
  while (!IsGiven()) filch::pool_internal::FutexWait(state_, kSleeps);
}

void Signal::Wake() { filch::pool_internal::FutexWakeOne(state_); }

template class BasicQueuedRwLock<>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#include <atomic>
#include <cstdint>
#include <thread>

#include "../include/oneapi/tbb/detail/_queued_lock.h"
#include "../include/oneapi/tbb/detail/_queued_rw_lock.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/futex.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {
namespace {

static_assert(sizeof(std::atomic<std::uint64_t>) == 2 * sizeof(std::atomic<std::uint32_t>),
              "half of the word is a futex");

// For the kernel, which gets its address.
std::atomic<std::uint32_t>& LowerHalf(std::atomic<std::uint64_t>& word) {
  constexpr int kLower = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0;
  return reinterpret_cast<std::atomic<std::uint32_t>*>(&word)[kLower];
}

}  // namespace

void QueueWaiting::Pause(unsigned look) {
  if (look < kLooksAtOnce) {
    filch::CpuRelax();
  } else {
    std::this_thread::yield();
  }
}

void QueueWaiting::Wait(std::atomic<std::uint64_t>& word, std::uint32_t expected) {
  filch::Futex::Wait(LowerHalf(word), expected);
}

void QueueWaiting::WakeAll(std::atomic<std::uint64_t>& word) {
  filch::Futex::WakeAll(LowerHalf(word));
}

template class BasicSignal<>;
template class BasicQueuedRwLock<>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

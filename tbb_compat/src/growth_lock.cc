#include <cstddef>
#include <mutex>
#include <type_traits>

#include "../include/oneapi/tbb/detail/_growth_lock.h"
#include "filch/pool/forked_child.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/fibonacci_hash.h"

namespace {

// Enough that threads seldom meet, and no more than fork() takes at once.
constexpr std::size_t kLocks = 8;

struct alignas(filch::kCacheLineSize) Lock {
  std::mutex mutex;
};

// Initialized before any code runs, and nothing is to be destroyed: static objects use containers
// when they are made, and when they end.
Lock locks[kLocks];
static_assert(std::is_trivially_destructible_v<Lock>);

class TakenByFork final : private filch::pool_internal::ForkListener {
 public:
  TakenByFork() : ForkListener(Order::kInnermost) {
    filch::pool_internal::ForkedChild::Tell(*this);
  }

 private:
  void LockForFork() override {
    for (Lock& lock : locks) lock.mutex.lock();
  }
  void UnlockAfterFork() override {
    for (Lock& lock : locks) lock.mutex.unlock();
  }
};
TakenByFork taken_by_fork;
static_assert(std::is_trivially_destructible_v<TakenByFork>);

}  // namespace

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

std::mutex& GrowthLock(const void* container) {
  return locks[filch::FibonacciIndex<kLocks>(container)].mutex;
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

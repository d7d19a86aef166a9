// SlowDispatch: whether running a task may take the short way.
//
// While nothing in the process is cancelled, no context has floating-point settings
// of its own and no pool is traced, that is nearly always, one load says so, and
// nobody looks at each task.
//
// Scheduler-internal.
// Memory ordering: relaxed, a hint (C1 of README.md).
#ifndef FILCH_POOL_SLOW_DISPATCH_H_
#define FILCH_POOL_SLOW_DISPATCH_H_

#include <atomic>
#include <cstdint>

namespace filch {
namespace pool_internal {

class SlowDispatch {
 public:
  // Any thread, all three.  A late answer only lets a few more tasks go unseen.
  static bool IsNeeded() {
    return reasons_.load(std::memory_order_relaxed) != 0;  // C1: a hint
  }
  static void Need() { reasons_.fetch_add(1, std::memory_order_relaxed); }    // C1: a hint
  static void NoNeed() { reasons_.fetch_sub(1, std::memory_order_relaxed); }  // C1: a hint

 private:
  // Cancelled contexts, contexts with settings, and traced pools.
  static std::atomic<std::int64_t> reasons_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLOW_DISPATCH_H_

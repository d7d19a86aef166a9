// SharedCounter: units handed out in ascending order from one atomic counter.
//
// Use it for the schemes that StealingRangePartitioner is compared with; every
// taker contends for the same cache line.
//
// Any thread: everything.  Guaranteed: each unit is handed out at most once, and
// exactly once if takers go on until they get nothing and nobody stops it.
//
// Memory ordering: none.  The counter hands out numbers; what they mean was
// known to the takers before.
//
//   SharedCounter counter(100);
//   while (!(chunk = counter.Take(8)).empty()) Work(chunk);
#ifndef FILCH_PARTITIONER_SHARED_COUNTER_H_
#define FILCH_PARTITIONER_SHARED_COUNTER_H_

#include <atomic>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace partitioner_internal {

template <typename Atomics = StdAtomics>
class alignas(kCacheLineSize) BasicSharedCounter {
 public:
  // The units 0 ... units - 1.
  explicit BasicSharedCounter(std::uint32_t units) : units_(units) {}
  BasicSharedCounter(const BasicSharedCounter&) = delete;
  BasicSharedCounter& operator=(const BasicSharedCounter&) = delete;

  // Up to `count` units; empty if there are none.  Any thread.
  UnitInterval Take(std::uint32_t count) {
    // Looked at first, so that late comers do not run the counter up.
    if (next_.load(std::memory_order_relaxed) >= units_) return {};                 // E11: guess.
    const std::uint64_t begin = next_.fetch_add(count, std::memory_order_relaxed);  // E11: claims.
    if (begin >= units_) return {};
    const std::uint64_t left = units_ - begin;
    return {static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(begin + (count < left ? count : left))};
  }

  // One `parts`-th of what is left, at least one unit; empty if there are none.
  // Any thread.
  UnitInterval TakeShare(std::uint32_t parts) {
    std::uint64_t begin = next_.load(std::memory_order_relaxed);  // E11: guess.
    while (begin < units_) {
      const std::uint64_t share = (units_ - begin) / parts;
      const std::uint64_t end = begin + (share == 0 ? 1 : share);
      if (next_.compare_exchange_weak(begin, end, std::memory_order_relaxed,
                                      std::memory_order_relaxed)) {  // E11: claims.
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      }
    }
    return {};
  }

  // Drops the units that nobody has taken.  Any thread.
  void Stop() {
    // Nobody who took a number before is hurt, and nobody gets one after.
    next_.store(units_, std::memory_order_relaxed);  // E11: claims all.
  }

 private:
  // 64 bits: takers may add past the end, and must not come round again.
  typename Atomics::template Atomic<std::uint64_t> next_{0};
  const std::uint64_t units_;
};

using SharedCounter = BasicSharedCounter<>;

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_SHARED_COUNTER_H_

// PipelineHelp: whether one thread more makes a pipeline faster.
//
// Threads that pass on the baton of a pipeline whose items are short wait for each other's
// caches longer than the items take: two processors that are far from each other begin an item
// of nothing every 230 ns, one alone every 45 (virtual AMD EPYC, 2026-11-25). So a thread that
// has joined others looks now and then at how many items begin. If they were no fewer without
// it, it leaves, and stays away for a while, the longer the more often that was so; meanwhile
// it counts again. The last one never leaves, and who is away comes back at once when the others
// are gone, so the pipeline goes on whatever they wait for.
//
// Any thread; times are ticks.
// Memory ordering: none, all of it is a hint (T3).
#ifndef FILCH_TBB_COMPAT_SRC_PIPELINE_HELP_H_
#define FILCH_TBB_COMPAT_SRC_PIPELINE_HELP_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "filch/topology/cache_line.h"

namespace filch::tbb_compat_internal {

class alignas(kCacheLineSize) PipelineHelp {
 public:
  // Who takes longer for its own items helps, and need not ask.
  static constexpr std::uint64_t kLongItem = 2000;
  // Who has helped in vain stays away for so long.
  static constexpr std::uint64_t kShortestPause = 8000;
  // A thread that stays away does nothing else.
  static constexpr std::uint64_t kLongestPause = 64000;

  void Join() { threads_.fetch_add(1, std::memory_order_relaxed); }   // T3: a count
  void Leave() { threads_.fetch_sub(1, std::memory_order_relaxed); }  // T3: a count

  // How long who comes should stay away before it joins.
  std::uint64_t Pause() const {
    return threads_.load(std::memory_order_relaxed) == 0  // T3: a hint
               ? 0
               : pause_.load(std::memory_order_relaxed);  // T3: a hint
  }
  // Who stayed away saw so many items begin in `elapsed`.
  void BegunWithout(std::uint64_t items, std::uint64_t elapsed) {
    without_.store(PaceOf(items, elapsed), std::memory_order_relaxed);  // T3: a hint
  }

  // Who has joined has taken `own` items on in `elapsed`, while `items` began. Whether it stays;
  // else it has left.
  bool Stays(std::uint64_t own, std::uint64_t items, std::uint64_t elapsed) {
    if (elapsed > own * kLongItem) return true;
    const std::uint64_t without = without_.load(std::memory_order_relaxed);  // T3: a hint
    if (PaceOf(items, elapsed) < without) {
      pause_.store(kShortestPause, std::memory_order_relaxed);  // T3: a hint
      return true;
    }
    int threads = threads_.load(std::memory_order_relaxed);  // T3: a guess
    do {
      if (threads <= 1) return true;
    } while (!threads_.compare_exchange_weak(threads, threads - 1,
                                             std::memory_order_relaxed,    // T3: a count
                                             std::memory_order_relaxed));  // T3: a better guess
    const std::uint64_t pause = pause_.load(std::memory_order_relaxed);    // T3: a hint
    pause_.store(std::clamp(2 * pause, kShortestPause, kLongestPause),
                 std::memory_order_relaxed);  // T3: a hint
    return false;
  }

 private:
  // The time between two of them, in 2^-8 ticks.
  static std::uint64_t PaceOf(std::uint64_t items, std::uint64_t elapsed) {
    return (elapsed << 8) / std::max<std::uint64_t>(items, 1) + 1;
  }

  std::atomic<int> threads_{0};
  std::atomic<std::uint64_t> pause_{0};
  // The pace when a thread less took part; 0: unknown.
  std::atomic<std::uint64_t> without_{0};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_PIPELINE_HELP_H_

// StreamHelp: whether one thread more is faster with items that begin one after the other.
//
// Threads that make the items of a pipeline in turn wait for each other's caches, and if the
// items are short, longer than these take: two processors that are far from each other begin an
// item of nothing every 190 ns, one alone every 35 (virtual AMD EPYC, 2026-11-25).  So a thread
// that has joined others looks now and then at how many items begin.  If they were no fewer
// without it, it leaves, and stays away for a while, the longer the more often that was so;
// meanwhile it counts again.  The last one never leaves, and who is away comes back, at once when
// the others are gone, so it goes on whatever items wait for.
//
// Short streams are over by then.  So the others may stay away at first (StreamStart).
//
// Any thread; a visit belongs to one.  Times are ticks, `begun` is how many items have begun.
// Memory ordering: relaxed, all of it is a hint (L5 of README.md).
#ifndef FILCH_POOL_STREAM_HELP_H_
#define FILCH_POOL_STREAM_HELP_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "filch/topology/cache_line.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/tick_clock.h"

namespace filch {

class alignas(kCacheLineSize) StreamHelp {
 public:
  // Of a thread that makes items, since it has looked last.
  struct Visit {
    std::uint64_t items;  // its own
    std::uint64_t begun;  // until then
    std::uint64_t since;
  };

  // It looks after so many.
  static constexpr std::uint64_t kItems = 16;
  // Who takes longer for its own items helps, and need not ask.
  static constexpr std::uint64_t kLongItem = 2000;
  // Who has helped in vain stays away for so long.
  static constexpr std::uint64_t kShortestPause = 8000;
  // A thread that stays away does nothing else.
  static constexpr std::uint64_t kLongestPause = 64000;

  // `begins_alone`: who comes while the first thread makes items stays away before it joins.
  explicit StreamHelp(bool begins_alone) : pause_(begins_alone ? kLongestPause : 0) {}

  void Join(Visit& visit, std::uint64_t begun, std::uint64_t now = Ticks()) {
    threads_.fetch_add(1, std::memory_order_relaxed);  // L5: a count
    visit = {0, begun, now};
  }
  void Leave() { threads_.fetch_sub(1, std::memory_order_relaxed); }  // L5: a count

  // Who has joined has made kItems more.  Whether it stays; else it has left.
  bool Stays(Visit& visit, std::uint64_t begun, std::uint64_t now = Ticks()) {
    const bool alone = threads_.load(std::memory_order_relaxed) <= 1;  // L5: a hint
    // What is so without others says nothing of their help.
    if (!alone && !Helps(begun - visit.begun, now - visit.since) && TryLeave()) {
      return false;
    }
    visit = {0, begun, now};
    return true;
  }

  // How long who comes should stay away before it joins.
  std::uint64_t Pause() const {
    return threads_.load(std::memory_order_relaxed) == 0  // L5: a hint
               ? 0
               : pause_.load(std::memory_order_relaxed);  // L5: a hint
  }
  // Returns after that.  begun() may be asked now and then.
  template <typename Begun>
  void StayAway(const Begun& begun) {
    const std::uint64_t pause = Pause();
    if (pause == 0) return;
    const std::uint64_t since = Ticks();
    const std::uint64_t before = begun();
    std::uint64_t elapsed = 0;
    do {
      if (Pause() == 0) return;
      for (int i = 0; i < 16; ++i) CpuRelax();
      std::this_thread::yield();
      elapsed = Ticks() - since;
    } while (elapsed < pause);
    BegunWithout(begun() - before, elapsed);
  }
  // Who stayed away saw so many items begin in `elapsed`.
  void BegunWithout(std::uint64_t items, std::uint64_t elapsed) {
    without_.store(PaceOf(items, elapsed), std::memory_order_relaxed);  // L5: a hint
  }

 private:
  // Whether a thread that made kItems in `elapsed`, while `items` began, makes that faster.
  bool Helps(std::uint64_t items, std::uint64_t elapsed) {
    if (elapsed > kItems * kLongItem) {
      if (pause_.load(std::memory_order_relaxed) != 0) {  // L5: a hint
        pause_.store(0, std::memory_order_relaxed);       // L5: a hint
      }
      return true;
    }
    if (PaceOf(items, elapsed) >= without_.load(std::memory_order_relaxed)) {  // L5: a hint
      return false;
    }
    pause_.store(kShortestPause, std::memory_order_relaxed);  // L5: a hint
    return true;
  }
  // Not if it is the last.
  bool TryLeave() {
    int threads = threads_.load(std::memory_order_relaxed);  // L5: a guess
    do {
      if (threads <= 1) return false;
    } while (!threads_.compare_exchange_weak(threads, threads - 1,
                                             std::memory_order_relaxed,    // L5: a count
                                             std::memory_order_relaxed));  // L5: a better guess
    const std::uint64_t pause = pause_.load(std::memory_order_relaxed);    // L5: a hint
    pause_.store(std::clamp(2 * pause, kShortestPause, kLongestPause),
                 std::memory_order_relaxed);  // L5: a hint
    return true;
  }
  // The time between two of them, in 2^-8 ticks.
  static std::uint64_t PaceOf(std::uint64_t items, std::uint64_t elapsed) {
    return (elapsed << 8) / std::max<std::uint64_t>(items, 1) + 1;
  }

  std::atomic<int> threads_{0};
  std::atomic<std::uint64_t> pause_;
  // The pace when a thread less took part; 0: unknown.
  std::atomic<std::uint64_t> without_{0};
};

}  // namespace filch

#endif  // FILCH_POOL_STREAM_HELP_H_

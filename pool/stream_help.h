// StreamHelp: whether one thread more is faster with items that begin one after the other.
//
// Threads that make the items of a pipeline in turn wait for each other's caches, and if the
// items are short, longer than these take: two processors that are far from each other begin an
// item of nothing every 190 ns, one alone every 35 (virtual AMD EPYC, 2026-11-25).  So a thread
// that takes part looks now and then at how many items begin.  If they were no fewer without it, it
// leaves, and stays away for a while, the longer the more often that was so; meanwhile it counts
// again.  The last one never leaves, and who is away comes back when nothing begins any more, so it
// goes on whatever items wait for.
//
// Who has come takes part until it leaves, also while it looks for an item to take on: that is what
// threads do most of the time that hand items to each other.  1000 items of 0.3 us in two serial
// filters take two processors that are far from each other 1200 us, one alone 310, and so 400
// (2026-11-30).
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

#include "filch/pool/stream_visit.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/tick_clock.h"

namespace filch {

class alignas(kCacheLineSize) StreamHelp {
 public:
  // Who takes longer for its own items, with what it does in between, helps, and need not ask.
  static constexpr std::uint64_t kLongItem = 4000;
  // Who has helped in vain stays away for so long.
  static constexpr std::uint64_t kShortestPause = 8000;
  // A thread that stays away does nothing else.
  static constexpr std::uint64_t kLongestPause = 64000;

  // `begins_alone`: who comes while the first thread makes items stays away before it joins.
  explicit StreamHelp(bool begins_alone, std::uint64_t now = Ticks())
      : made_(now), pause_(begins_alone ? kLongestPause : 0) {}

  // Of the calling thread.  One that was at another stream in between is new here, and is counted
  // twice (but see StreamStart): the last one may stand still once, for the shortest pause.  Throws
  // std::bad_alloc, at the first call.
  static StreamVisit& OwnVisit();
  // Whether it is a visit to this stream, and not to one that had its place in memory.
  bool IsAt(const StreamVisit& visit) const { return visit.stream == this && visit.since >= made_; }

  // Takes part from now on, if it does not yet.
  void Join(StreamVisit& visit, std::uint64_t begun, std::uint64_t now = Ticks()) {
    if (IsAt(visit)) return;
    threads_.fetch_add(1, std::memory_order_relaxed);  // L5: a count
    visit = {this, 0, begun, now};
  }

  // Who has joined has taken on StreamVisit::kItems more.  Whether it stays; else it has left.
  bool Stays(StreamVisit& visit, std::uint64_t begun, std::uint64_t now = Ticks()) {
    // What is so without others says nothing of their help, nor what was before it came.
    if (IsAt(visit) && !IsAlone() && !Helps(begun - visit.begun, now - visit.since) && TryLeave()) {
      visit = {};
      return false;
    }
    Join(visit, begun, now);
    visit = {this, 0, begun, now};
    return true;
  }

  // Whether there is no thread, or one.
  bool IsAlone() const { return threads_.load(std::memory_order_relaxed) <= 1; }  // L5: a hint

  // How long who comes should stay away before it joins.
  std::uint64_t Pause() const {
    return threads_.load(std::memory_order_relaxed) == 0  // L5: a hint
               ? 0
               : pause_.load(std::memory_order_relaxed);  // L5: a hint
  }
  // Returns after that, or when nothing begins any more, or the stream is over.  begun() may be
  // asked now and then, is_over() often.
  template <typename Begun, typename IsOver>
  void StayAway(const Begun& begun, const IsOver& is_over) {
    const std::uint64_t pause = Pause();
    if (pause == 0) return;
    const std::uint64_t since = Ticks();
    const std::uint64_t before = begun();
    std::uint64_t now = since;
    std::uint64_t latest = before;
    std::uint64_t latest_at = since;
    do {
      if (is_over() || Pause() == 0) return;
      for (int i = 0; i < 16; ++i) CpuRelax();
      std::this_thread::yield();
      now = Ticks();
      // Each look takes a cache line from who makes items.
      if (now - latest_at < kShortestPause) continue;
      const std::uint64_t until_now = begun();
      if (until_now == latest) break;
      latest = until_now;
      latest_at = now;
    } while (now - since < pause);
    BegunWithout(begun() - before, now - since);
  }
  // Who stayed away saw so many items begin in `elapsed`.
  void BegunWithout(std::uint64_t items, std::uint64_t elapsed) {
    without_.store(PaceOf(items, elapsed), std::memory_order_relaxed);  // L5: a hint
  }

 private:
  // Whether a thread that has taken on StreamVisit::kItems in `elapsed`, while `items` began, makes
  // that faster.
  bool Helps(std::uint64_t items, std::uint64_t elapsed) {
    if (elapsed > StreamVisit::kItems * kLongItem) {
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

  const std::uint64_t made_;
  std::atomic<int> threads_{0};
  std::atomic<std::uint64_t> pause_;
  // The pace when a thread less took part; 0: unknown.
  std::atomic<std::uint64_t> without_{0};
};

}  // namespace filch

#endif  // FILCH_POOL_STREAM_HELP_H_

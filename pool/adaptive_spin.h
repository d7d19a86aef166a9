// AdaptiveSpin: how long a thread that finds no work looks around before it sleeps, by how long
// it was without work the last times.
//
// To look for as long as waking costs never costs more than twice the best that could have
// been done.  But what has no work for a little longer than that, time and again, is late each
// time; so it looks longer, for as long as its last times would have needed.  Those that
// were too long for that make it give up sooner.  After Karlin, Li, Manasse and Owicki,
// "Empirical studies of competitive spinning for a shared-memory multiprocessor" (SOSP 1991).
//
// That holds while the thread has its cpu for itself.  Who looks around when its time on a cpu
// is over comes back milliseconds later, while one that slept is let in at once when it is
// called.  So once others took the cpu it does not look longer until several times would have
// needed that; twice as many each time, unless it hardly ever happens.
//
// Values with neither clock nor atomics.  One thread.
#ifndef FILCH_POOL_ADAPTIVE_SPIN_H_
#define FILCH_POOL_ADAPTIVE_SPIN_H_

#include <algorithm>
#include <cstdint>

namespace filch {
namespace pool_internal {

class AdaptiveSpin {
 public:
  // So many times as long as a thread usually looks.
  constexpr int times() const { return times_; }

  // The thread was without work, looking or asleep, for up to so many times the usual time.
  // More than `most` are not worth it.
  constexpr void WasIdle(std::int64_t times, int most) {
    if (times <= 1) return;  // says nothing of longer ones
    if (times > most) {
      times_ = std::max(times_ / 2, 1);
      return;
    }
    if (to_earn_ > 0) {
      --to_earn_;
      return;
    }
    if (++earned_ % kForgiven == 0) doubts_ = std::max(doubts_ - 1, 0);
    // Twice as long, for the next one may be longer; less only little by little.
    const int enough = std::min(2 * static_cast<int>(times), most);
    times_ = std::max(enough, times_ - (times_ + 7) / 8);
  }

  // Others took the cpu while the thread looked.
  constexpr void WasDisplaced() {
    times_ = 1;
    to_earn_ = 1u << doubts_;
    doubts_ = std::min(doubts_ + 1, kMostDoubts);
  }

 private:
  // What a time slice of others costs is a hundred times what not having to be woken saves.
  static constexpr std::uint32_t kForgiven = 64;
  static constexpr int kMostDoubts = 8;

  int times_ = 1;
  int doubts_ = 0;
  std::uint32_t to_earn_ = 0;  // so many times, before it looks longer
  std::uint32_t earned_ = 0;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ADAPTIVE_SPIN_H_

// Patience: how long a thread that has looked for work in vain pauses before it looks again, by
// what came of the last times when it found some.
//
// What a thread takes from another costs that one some cache lines, and in the end one of them
// waits for the other.  That is lost if the work is over sooner than it was fetched, and nothing
// else comes after it: the other had done it sooner itself.  So who has fetched such work leaves
// the others time for the next, and none once some was worth it.  On two processors that share
// no cache (AMD EPYC, 2026-11-26) static loops of half a microsecond took 1.8 us when they were
// shared, and take 0.8 so; groups of two tasks of a microsecond 3.0 and 2.5.
//
// A value with neither clock nor atomics.  One thread.
#ifndef FILCH_POOL_PATIENCE_H_
#define FILCH_POOL_PATIENCE_H_

#include <algorithm>
#include <chrono>

namespace filch {
namespace pool_internal {

class Patience {
 public:
  using Duration = std::chrono::nanoseconds;

  constexpr Duration pause() const { return pause_; }

  // It is `now`, any clock's time since some beginning, and the thread looks for work again.
  constexpr void BeginSearch(Duration now) {
    if (runs_) work_ += now - found_;
    runs_ = false;
  }
  // It has found some with the first look since, or with a later one that took `look`.
  constexpr void FoundAtOnce(Duration now) { Run(now); }
  constexpr void Found(Duration now, Duration look) {
    look_ = look;
    work_ = Duration::zero();
    Run(now);
  }
  // The first look has found nothing.  `expects_work`: something is on its way to the thread.
  constexpr void FoundNothingAtOnce(bool expects_work = false) {
    if (expects_work) {
      pause_ = Duration::zero();
    } else if (look_ != Duration::zero()) {
      pause_ = work_ >= kWorth * look_ ? Duration::zero() : std::clamp(2 * pause_, kLeast, kMost);
    }
    look_ = Duration::zero();
  }

 private:
  // So many looks are lost: there is one for the request, for the work, for what it works on,
  // and for its end.
  static constexpr int kWorth = 5;
  // From what a thread pauses anyway, to what is nothing beside a time worth waiting for.
  static constexpr Duration kLeast{320};
  static constexpr Duration kMost{10240};

  constexpr void Run(Duration now) {
    found_ = now;
    runs_ = true;
  }

  Duration pause_{};
  Duration look_{};   // that found the first of what has run since; 0: there is nothing
  Duration work_{};   // it took so long
  Duration found_{};  // what runs now
  bool runs_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PATIENCE_H_

// Search: a thread that has no work looks for some, for a limited time.
//
// Scheduler-internal.  Time comes from `Clock`, so that a test brings its own.
// `Sources` is what NextTask asks (next_task.h), and
//
//   SeesQueued()              whether rule 5 may find something
//   set_last_resort(bool)     whether rule 6 may also take what others may come for
//   Insist()                  tells those who have not answered that rule 6 has waited for long
#ifndef FILCH_POOL_SEARCH_H_
#define FILCH_POOL_SEARCH_H_

#include <algorithm>
#include <chrono>

#include "filch/pool/next_task.h"
#include "filch/topology/cpu_relax.h"

namespace filch {
namespace pool_internal {

// Looks for a task by rules 3 to 6, once at least, until `spin` is over.  Returns at
// once when `stop()`.  Insists while it looks for long, so never if `spin` is short.
template <typename Clock, typename Sources, typename Stop>
Choice Search(Sources& sources, std::chrono::nanoseconds spin, const Stop& stop) {
  constexpr int kLongestPause = 32;  // of CpuRelax: about a third of a microsecond
  // Who spawns tasks of less answers within a microsecond or two.
  constexpr std::chrono::microseconds kPatience{5};
  typename Clock::time_point now = Clock::now();
  const typename Clock::time_point deadline = now + spin;
  typename Clock::time_point patient_until = now + kPatience;
  for (int pause = 1;; pause = std::min(2 * pause, kLongestPause)) {
    now = Clock::now();
    const bool last_round = now >= deadline;
    if (now >= patient_until) {
      sources.Insist();
      patient_until = Clock::now() + kPatience;
    }
    sources.set_last_resort(last_round);
    if (stop()) return {};
    const Choice choice = NextTask(sources, nullptr, nullptr);
    if (choice || last_round) {
      sources.set_last_resort(false);
      return choice;
    }
    // What is enqueued is seen at once: a look at the queue costs no more than the
    // pause that it is part of.
    for (int i = 0; i < pause && !sources.SeesQueued(); ++i) CpuRelax();
  }
}

// What was found, and how many searches it took.
struct Searched {
  Choice choice;
  int times;
};

// Searches up to so many times, and lets others have the cpu in between; if they took it, not
// again.  Returns at once when `stop()`.
template <typename Clock, typename Sources, typename Stop, typename Yield>
Searched SearchTimes(Sources& sources, std::chrono::nanoseconds spin, int times, const Stop& stop,
                     const Yield& yield) {
  for (int searches = 1;; ++searches) {
    const Choice choice = Search<Clock>(sources, spin, stop);
    if (choice || searches >= times || spin.count() == 0 || stop()) return {choice, searches};
    const typename Clock::time_point before = Clock::now();
    yield();
    // It could as well have slept.
    if (Clock::now() - before > spin) return {{}, searches};
  }
}

// Whether `seen()`, at which it looks once at least, until `spin` is over or `stop()`.
template <typename Clock, typename Seen, typename Stop>
bool WatchFor(std::chrono::nanoseconds spin, const Seen& seen, const Stop& stop) {
  constexpr int kPause = 8;  // of CpuRelax: as long as the look at the clock
  const typename Clock::time_point deadline = Clock::now() + spin;
  for (;;) {
    const bool last_round = Clock::now() >= deadline;
    if (stop()) return false;
    if (seen()) return true;
    if (last_round) return false;
    for (int i = 0; i < kPause; ++i) CpuRelax();
  }
}

// Looks whether `called()`, until it is or `time` is over, or the cpu was away for so
// long that others must be running on it: sleeping, and being woken, is quicker than
// waiting for one's turn.
template <typename Clock, typename Called, typename Yield>
void StayOnLookout(std::chrono::nanoseconds time, const Called& called, const Yield& yield) {
  // Of CpuRelax: about as long as the look at the clock and the call of the system
  // that follow.
  constexpr int kLooks = 32;
  // A thread that runs keeps a cpu for a millisecond or more.  A hypervisor takes it away
  // 150 to 600 times a second, mostly for 50 to 200 us (two virtual AMD EPYC processors,
  // 2026-11-22): that says nothing about the next time.
  constexpr std::chrono::microseconds kAway{500};
  typename Clock::time_point now = Clock::now();
  const typename Clock::time_point deadline = now + time;
  while (now < deadline) {
    for (int i = 0; i < kLooks; ++i) {
      if (called()) return;
      CpuRelax();
    }
    // Whoever calls may need this cpu.
    yield();
    const typename Clock::time_point before = now;
    now = Clock::now();
    if (now - before > kAway) return;
  }
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SEARCH_H_

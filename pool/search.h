// Search: a thread that has no work looks for some, for a limited time.
//
// Scheduler-internal.  Time comes from `Clock`, so that a test brings its own.
// `Sources` is what NextTask asks (next_task.h), and
//
//   SeesQueued()              whether rule 5 may find something
//   set_reach(Reach)          how far rule 6 goes
#ifndef FILCH_POOL_SEARCH_H_
#define FILCH_POOL_SEARCH_H_

#include <algorithm>
#include <chrono>

#include "filch/pool/next_task.h"
#include "filch/pool/reach.h"
#include "filch/topology/cpu_relax.h"

namespace filch {
namespace pool_internal {

// How long a victim has time to share what it was asked for: about as long as it takes to
// do so in its name, which costs the thief 17 us and the victim 11 (two virtual Intel Xeon
// processors, 2026-11-23).  A pipeline of items of 70 us took 1.18 times as long without
// it, and with 2 to 20 us the same within 3 %.
constexpr std::chrono::microseconds kPatience{10};

// Looks for a task by rules 3 to 6, once at least, until `spin` is over.  Returns at
// once when `stop()`.
template <typename Clock, typename Sources, typename Stop>
Choice Search(Sources& sources, std::chrono::nanoseconds spin, const Stop& stop) {
  constexpr int kLongestPause = 32;  // of CpuRelax: about a third of a microsecond
  const typename Clock::time_point begin = Clock::now();
  bool patient = true;
  for (int pause = 1;; pause = std::min(2 * pause, kLongestPause)) {
    const auto time = Clock::now() - begin;
    const bool last_round = time >= spin;
    Reach reach;
    reach.takes_mail = last_round;
    if (time >= kPatience) {
      // Once, and at the end: whoever has private work later was asked before, and has
      // shared some.
      reach.forces = patient || last_round;
      patient = false;
    }
    if (stop()) return {};
    sources.set_reach(reach);
    const Choice choice = NextTask(sources, nullptr, nullptr);
    sources.set_reach({});
    if (choice || last_round) return choice;
    // What is enqueued is seen at once: a look at the queue costs no more than the
    // pause that it is part of.
    for (int i = 0; i < pause && !sources.SeesQueued(); ++i) CpuRelax();
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

// Search: a thread that has no work looks for some, for a limited time.
//
// Scheduler-internal.  Time comes from `Clock`, so that a test brings its own.
// `Sources` is what NextTask asks (next_task.h), and
//
//   SeesQueued()              whether rule 5 may find something
//   SeesMail()                whether rule 4 may
//   set_reach(reach)          how far rule 6 looks from now on
//   BeginSearch()             what rule 6 finds next is looked for from now on
//   Insist(force)             tells those who have not answered that rule 6 has waited for long;
//                             `force`: takes what they keep after they were told
#ifndef FILCH_POOL_SEARCH_H_
#define FILCH_POOL_SEARCH_H_

#include <algorithm>
#include <chrono>

#include "filch/pool/next_task.h"
#include "filch/pool/patience.h"
#include "filch/topology/cpu_relax.h"

namespace filch {
namespace pool_internal {

// Leaves the core to others for so long, or until `wakes()`.  Whether it does.  By the clock, for
// CpuRelax takes 10 ns or 60.
template <typename Clock, typename Wakes>
bool RelaxFor(std::chrono::nanoseconds time, const Wakes& wakes) {
  if (wakes()) return true;
  const typename Clock::time_point begin = Clock::now();
  do {
    CpuRelax();
    if (wakes()) return true;
  } while (Clock::now() - begin < time);
  return false;
}

// Looks for a task by rules 3 to 6, once at least, until `spin` is over.  Returns at
// once when `stop()`.  Insists while it looks for long, so never if `spin` is short.
// Calls `yield()` in its pauses, but for the first ones, which are short, and those in which it
// sees something, unless that was in vain before.
template <typename Clock, typename Sources, typename Stop, typename Yield>
Choice Search(Sources& sources, std::chrono::nanoseconds spin, const Stop& stop, Patience& patience,
              const Yield& yield) {
  using std::chrono::nanoseconds;
  constexpr nanoseconds kFirstRelaxed{25};
  constexpr nanoseconds kMostRelaxed{800};
  // Then pauses grow by a sixteenth of the time that was looked for, up to so long, or are so
  // long at once if the thread is patient: each look takes cache lines from those who work.
  constexpr nanoseconds kShortPause{320};
  constexpr nanoseconds kLongPause{2560};
  // Who spawns tasks of a microsecond or two answers by then; others are told that somebody waits.
  constexpr nanoseconds kAnswer{2500};
  // Whose task takes that much longer, 10 us in all, cannot answer in time: nine of sixteen tasks
  // of 50 us waited for the owner of all.
  constexpr nanoseconds kForceAfter{7500};
  constexpr nanoseconds kForceAgainAfter{5000};
  // Who sends what is over so soon takes it back by then, and a patient thread lets it.
  constexpr nanoseconds kMailWaits{400};
  // What is enqueued or sent to this thread is seen at once: a look there costs no more than the
  // pause that it is part of.  That it is to stop, soon: those who bring that about may write
  // there all the time.
  constexpr unsigned kLooksForStop = 4;
  unsigned looks = 0;
  typename Clock::time_point mail_came{};
  const auto wakes = [&] {
    if (++looks % kLooksForStop == 0 && stop()) return true;
    if (sources.SeesQueued()) return true;
    if (!sources.SeesMail()) {
      mail_came = {};
      return false;
    }
    if (patience.pause() == nanoseconds::zero()) return true;
    const typename Clock::time_point now = Clock::now();
    if (mail_came == typename Clock::time_point{}) mail_came = now;
    return now - mail_came >= kMailWaits;
  };
  const auto relax = [&wakes](nanoseconds time) { return !RelaxFor<Clock>(time, wakes); };
  const typename Clock::time_point begin = Clock::now();
  const typename Clock::time_point deadline = begin + spin;
  typename Clock::time_point insist_at = begin + kAnswer;
  patience.BeginSearch(begin.time_since_epoch());
  sources.BeginSearch();
  bool at_once = true;
  bool insisted = false;
  // What it sees may be somebody's who needs this cpu to finish it.
  bool saw_in_vain = false;
  for (nanoseconds relaxed = kFirstRelaxed;; relaxed = std::min(2 * relaxed, kMostRelaxed)) {
    const typename Clock::time_point now = Clock::now();
    const bool last_round = now >= deadline;
    if (now >= insist_at) {
      sources.Insist(insisted);
      insist_at = Clock::now() + (insisted ? kForceAgainAfter : kForceAfter);
      insisted = true;
    }
    sources.set_reach(last_round ? Reach::kLastResort : Reach::kOneThread);
    if (stop()) return {};
    nanoseconds pause = std::min<nanoseconds>(
        std::max<nanoseconds>((now - begin) / 16, patience.pause()), kLongPause);
    const Choice choice = NextTask(sources, nullptr, nullptr);
    if (choice) {
      const typename Clock::time_point found = Clock::now();
      if (at_once) {
        patience.FoundAtOnce(found.time_since_epoch());
      } else {
        patience.Found(found.time_since_epoch(), found - now);
      }
    } else if (at_once) {
      patience.FoundNothingAtOnce();
      pause = patience.pause();
    }
    if (choice || last_round) {
      sources.set_reach(Reach::kOneThread);
      return choice;
    }
    at_once = false;
    bool goes_on = relax(relaxed);
    if (relaxed == kMostRelaxed && (goes_on || saw_in_vain)) yield();
    saw_in_vain = !goes_on;
    if (pause < kShortPause) continue;
    const typename Clock::time_point until = std::min(now + pause, deadline);
    while (goes_on && Clock::now() < until) {
      if (stop()) return {};
      goes_on = relax(kMostRelaxed);
      saw_in_vain = !goes_on;
      if (goes_on) yield();
    }
  }
}

// A thread that runs keeps a cpu for a millisecond or more.  A hypervisor takes it away
// 150 to 600 times a second, mostly for 50 to 200 us (two virtual AMD EPYC processors,
// 2026-11-22): that says nothing about the next time.
constexpr std::chrono::microseconds kAway{500};

// What came of looking several times.
template <typename Found>
struct Looked {
  Found found;     // false: nothing
  int times;       // that it took
  bool displaced;  // others had the cpu meanwhile
};

// Looks for `spin()` each time, up to so many times, until `look(time)` finds something.  Not
// again if there is no time, others had the cpu for long, or `!goes_on()`.
template <typename Clock, typename Spin, typename Look, typename GoesOn>
auto LookSeveralTimes(const Spin& spin, int most, const Look& look, const GoesOn& goes_on)
    -> Looked<decltype(look(spin()))> {
  if (most <= 1) return {look(spin()), 1, false};
  for (int times = 1;; ++times) {
    const std::chrono::nanoseconds time = spin();
    const typename Clock::time_point latest = Clock::now() + time + kAway;
    const auto found = look(time);
    const bool displaced = Clock::now() > latest;
    if (found || displaced || times >= most || time.count() == 0 || !goes_on()) {
      return {found, times, displaced};
    }
  }
}

// Whether `seen()`, at which it looks once at least, until `spin` is over or `stop()`.  Calls
// `yield()` between two looks.
template <typename Clock, typename Seen, typename Stop, typename Yield>
bool WatchFor(std::chrono::nanoseconds spin, const Seen& seen, const Stop& stop,
              const Yield& yield) {
  constexpr int kPause = 2;  // of CpuRelax: about as long as the look at the clock
  const typename Clock::time_point deadline = Clock::now() + spin;
  for (;;) {
    const bool last_round = Clock::now() >= deadline;
    if (stop()) return false;
    if (seen()) return true;
    if (last_round) return false;
    for (int i = 0; i < kPause; ++i) CpuRelax();
    yield();
  }
}

// Looks whether `called()`, until it is or `time` is over, or the cpu was away for so
// long that others must be running on it: sleeping, and being woken, is quicker than
// waiting for one's turn.
template <typename Clock, typename Called, typename Yield>
void StayOnLookout(std::chrono::nanoseconds time, const Called& called, const Yield& yield) {
  // Of CpuRelax: about as long as the look at the clock and the call of the system
  // that follow.
  constexpr int kLooks = 8;
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

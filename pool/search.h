// Search: a thread that has no work looks for some, for a limited time.
//
// Scheduler-internal.  Time comes from `Clock`, so that a test brings its own.
// `Sources` is what NextTask asks (next_task.h), and
//
//   SeesQueued()              whether rule 5 may find something
//   SeesMail()                whether rule 4 may
//   SeesStealable()           whether rule 6 may, as far as that costs next to nothing
//   set_reach(reach)          how far rule 6 looks from now on
//   BeginPause(), EndPause()  between the two the thread has nothing, and takes nothing
//   BeginSearch()             what rule 6 finds next is looked for from now on
//   ExpectsWork()             whether something is on its way to the thread, for the first look in
//                             vain that asks
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

// One search: what Search() does.
template <typename Clock, typename Sources, typename Stop, typename Yield>
class OneSearch {
  using Duration = std::chrono::nanoseconds;
  using TimePoint = typename Clock::time_point;

 public:
  OneSearch(Sources& sources, Duration spin, const Stop& stop, Patience& patience,
            const Yield& yield)
      : sources_(sources),
        stop_(stop),
        patience_(patience),
        yield_(yield),
        deadline_(begin_ + spin) {}

  Choice Run() {
    patience_.BeginSearch(begin_.time_since_epoch());
    sources_.BeginSearch();
    for (bool is_first = true;; is_first = false) {
      const TimePoint now = Clock::now();
      const bool is_last = now >= deadline_;
      if (now >= insist_at_) Insist();
      sources_.set_reach(is_last ? Reach::kLastResort : Reach::kOneThread);
      if (stop_()) return {};
      const Choice choice = Look(now, is_first);
      if (choice || is_last) {
        sources_.set_reach(Reach::kOneThread);
        return choice;
      }
      if (!Pause(now, PauseAfter(now, is_first))) return {};
    }
  }

 private:
  static constexpr Duration kFirstRelaxed{25};
  static constexpr Duration kMostRelaxed{800};
  // After the first ones pauses grow by a sixteenth of the time that was looked for, up to so long,
  // or are so long at once if the thread is patient: each look takes cache lines from those who
  // work.
  static constexpr Duration kShortPause{320};
  static constexpr Duration kLongPause{2560};
  // Who spawns tasks of a microsecond or two answers by then; others are told that somebody waits.
  static constexpr Duration kAnswer{2500};
  // Whose task takes that much longer, 10 us in all, cannot answer in time: nine of sixteen tasks
  // of 50 us waited for the owner of all.
  static constexpr Duration kForceAfter{7500};
  static constexpr Duration kForceAgainAfter{5000};
  // Who sends what is over so soon takes it back by then, and a patient thread lets it.
  static constexpr Duration kMailWaits{400};
  // What is enqueued, shared by the only other thread or sent to this one is seen at once: a look
  // there costs no more than the pause that it is part of.  That it is to stop, soon: those who
  // bring that about may write there all the time.
  static constexpr unsigned kGlancesForStop = 4;

  void Insist() {
    sources_.Insist(insisted_);
    insist_at_ = Clock::now() + (insisted_ ? kForceAgainAfter : kForceAfter);
    insisted_ = true;
  }

  // By all rules, and learns from what comes of it.  It is `now`.
  Choice Look(TimePoint now, bool is_first) {
    const Choice choice = NextTask(sources_, nullptr, nullptr);
    if (choice) {
      const TimePoint found = Clock::now();
      if (is_first) {
        patience_.FoundAtOnce(found.time_since_epoch());
      } else {
        patience_.Found(found.time_since_epoch(), found - now);
      }
    } else if (is_first) {
      patience_.FoundNothingAtOnce(sources_.ExpectsWork());
    }
    return choice;
  }

  // How long after a look in vain, which began at `now`, the next one may begin.
  Duration PauseAfter(TimePoint now, bool is_first) const {
    if (is_first) return patience_.pause();
    return std::min<Duration>(std::max<Duration>((now - begin_) / 16, patience_.pause()),
                              kLongPause);
  }

  // Until `pause` after `now`, and a little longer each time.  False: it is to stop.
  bool Pause(TimePoint now, Duration pause) {
    sources_.BeginPause();
    const bool goes_on = PauseUntil(now, pause);
    sources_.EndPause();
    return goes_on;
  }

  bool PauseUntil(TimePoint now, Duration pause) {
    Relax(relaxed_, relaxed_ == kMostRelaxed);
    relaxed_ = std::min(2 * relaxed_, kMostRelaxed);
    if (pause < kShortPause) return true;
    const TimePoint until = std::min(now + pause, deadline_);
    while (!sees_ && Clock::now() < until) {
      if (stop_()) return false;
      Relax(kMostRelaxed, true);
    }
    return true;
  }

  // Leaves the core to others for so long, or until it sees something.  What it sees twice may be
  // somebody's who needs this cpu to finish it.
  void Relax(Duration time, bool yields) {
    const bool saw = sees_;
    sees_ = SeesWithin(time);
    if (yields && (!sees_ || saw)) yield_();
  }

  // By the clock, for CpuRelax takes 10 ns or 60.
  bool SeesWithin(Duration time) {
    if (Glance()) return true;
    const TimePoint begin = Clock::now();
    do {
      CpuRelax();
      if (Glance()) return true;
    } while (Clock::now() - begin < time);
    return false;
  }

  // Whether something ends a pause.
  bool Glance() {
    if (++glances_ % kGlancesForStop == 0 && stop_()) return true;
    if (sources_.SeesQueued()) return true;
    const bool is_patient = patience_.pause() != Duration::zero();
    if (!is_patient && sources_.SeesStealable()) return true;
    if (!sources_.SeesMail()) {
      mail_came_ = {};
      return false;
    }
    if (!is_patient) return true;
    const TimePoint now = Clock::now();
    if (mail_came_ == TimePoint{}) mail_came_ = now;
    return now - mail_came_ >= kMailWaits;
  }

  Sources& sources_;
  const Stop& stop_;
  Patience& patience_;
  const Yield& yield_;
  const TimePoint begin_ = Clock::now();
  const TimePoint deadline_;
  TimePoint insist_at_ = begin_ + kAnswer;
  bool insisted_ = false;
  Duration relaxed_ = kFirstRelaxed;
  bool sees_ = false;
  unsigned glances_ = 0;
  TimePoint mail_came_{};  // what waits; none if there is none
};

// Looks for a task by rules 3 to 6, once at least, until `spin` is over.  Returns at
// once when `stop()`.  Insists while it looks for long, so never if `spin` is short.
// Calls `yield()` in its pauses, but for the first ones, which are short, and those in which it
// sees something, unless that was in vain before.
template <typename Clock, typename Sources, typename Stop, typename Yield>
Choice Search(Sources& sources, std::chrono::nanoseconds spin, const Stop& stop, Patience& patience,
              const Yield& yield) {
  return OneSearch<Clock, Sources, Stop, Yield>(sources, spin, stop, patience, yield).Run();
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SEARCH_H_

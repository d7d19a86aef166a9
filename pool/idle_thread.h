// IdleThread: the thread in a slot while it has no work, as the loops of idle_loops.h see it.
//
// It looks for work, learns from what came of it how long to look the next time, and sleeps.
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_IDLE_THREAD_H_
#define FILCH_POOL_IDLE_THREAD_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "filch/pool/adaptive_spin.h"
#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/away_scope.h"
#include "filch/pool/completion.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/idle_protocol.h"
#include "filch/pool/look_several_times.h"
#include "filch/pool/lookout.h"
#include "filch/pool/next_task.h"
#include "filch/pool/parker.h"
#include "filch/pool/patience.h"
#include "filch/pool/search.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/wait_scope.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {

// Lets others have the cpu: who has been called, another thread of the program, or another
// program.  Alone on its cpus a thread loses next to nothing by that; without it twelve programs on
// two of them took a fifth longer, and two threads that run loops, and a worker, half as long again
// (two virtual AMD EPYC processors, 2026-11-27).
struct YieldCpu {
  void operator()() const { std::this_thread::yield(); }
};

// What a thread remembers of the times when it had no work.
struct IdleHistory {
  using Clock = std::chrono::steady_clock;

  AdaptiveSpin waits;  // for something
  AdaptiveSpin stays;  // as a worker in an arena
  Patience patience;   // in stays
  // When and where the last stay ended, after so many looks in vain; 0: not for want of work.
  Clock::time_point left;
  const Arena* arena = nullptr;
  int looks = 0;
};
inline thread_local IdleHistory idle_history __attribute__((visibility("hidden")));

// The thread in a slot, as the loops of idle_loops.h see it.
class IdleThread {
  using Clock = IdleHistory::Clock;

 public:
  // `awaited` is what the thread waits for.
  IdleThread(Slot& slot, const ArenaSources::Scope& scope, const Completion& awaited)
      : slot_(slot),
        most_looks_(arena().idle_times().most_in_waits),
        adaptive_(idle_history.waits),
        patience_(own_patience_),
        sources_(slot, scope, &awaited) {
    // A loop whose units others have taken waits here: what is spawned meanwhile is no part of it.
    slot.withheld_until = 0;
  }
  // A worker's stay, which begins and ends with it.
  IdleThread(Slot& slot, Stay& stay)
      : slot_(slot),
        stay_(&stay),
        most_looks_(arena().idle_times().most_in_stays),
        adaptive_(idle_history.stays),
        patience_(idle_history.patience),
        sources_(slot, {}, stay) {
    const IdleHistory& history = idle_history;
    if (history.looks != 0 && history.arena == slot.arena && Learns()) {
      Note(history.looks, Clock::now() - history.left);
    }
  }
  IdleThread(const IdleThread&) = delete;
  IdleThread& operator=(const IdleThread&) = delete;
  ~IdleThread() {
    if (stay_ == nullptr) return;
    IdleHistory& history = idle_history;
    history.looks = looks_;
    if (looks_ == 0 || !Learns()) return;
    history.left = Clock::now();
    history.arena = slot_.arena;
  }

  Arena& arena() { return *slot_.arena; }
  int index() const { return slot_.index; }
  Parker& parker() { return slot_.parker; }
  void Park() {
    const bool serves_queue = CanBeCalledToQueue();
    const AwayScope away(serves_queue ? slot_.outer : &slot_);
    slot_.stats.parks.Increment();
    arena().BeginSleepingWait(serves_queue);
    if (slot_.trace != nullptr) slot_.trace->Record(TraceKind::kParkBegin);
    if (Learns()) {
      const Clock::time_point begin = Clock::now();
      slot_.parker.Park();
      Note(looks_, Clock::now() - begin);
    } else {
      slot_.parker.Park();
    }
    if (slot_.trace != nullptr) slot_.trace->Record(TraceKind::kParkEnd);
    arena().EndSleepingWait(serves_queue);
  }

  void StartSearching(bool serves_queue) {
    slot_.calls_to_spread = 0;
    arena().StartSearching(serves_queue);
  }
  void SpreadCall() {
    slot_.calls_to_spread = IdleProtocol::kCalls;
    arena().SpreadCall(slot_);
  }
  void StopSearching(bool serves_queue) { arena().StopSearching(slot_, serves_queue); }
  bool StopSearchingToSleep(bool serves_queue) {
    return arena().StopSearchingToSleep(slot_, serves_queue);
  }
  void ForwardWake() { arena().ForwardWake(slot_); }

  Choice AnnounceIsolated() {
    if (!IsCallableInIsolation()) return {};
    const std::uint64_t isolation = sources_.scope().isolation;
    GlobalWaitTable().Enlist(isolated_, IsolationKey(isolation), slot_.parker);
    arena().BeginIsolatedSleep();
    sources_.set_reach(Reach::kLastResort);
    const Choice choice = Next();
    sources_.set_reach(Reach::kOneThread);
    return choice ? choice : arena().StealBehind(slot_, isolation);
  }
  void WithdrawIsolated() {
    if (!IsCallableInIsolation()) return;
    arena().EndIsolatedSleep();
    GlobalWaitTable().Delist(isolated_);
  }

  // Hooks of the arena that were not told of this stay yet.
  bool HooksAreWaiting() const { return __builtin_expect(HooksWait(slot_), 0); }
  void TellHooks() { TellHooksOfEntry(slot_); }

  static Choice Nothing() { return {}; }
  Choice Next() { return NextTask(sources_, nullptr, nullptr); }
  template <typename Stop>
  Choice Search(const Stop& stop) {
    // Nothing is learned from that: it is but a look.
    if (IsInTheWay()) {
      if (stop()) return {};
      if (const Choice choice = Next()) return choice;
      stay_->MakeWay();
    }
    const auto search = [&] {
      return LookAround(stop, [&](std::chrono::nanoseconds time) {
        return pool_internal::Search<Clock>(sources_, time, stop, patience_, YieldCpu());
      });
    };
    const Choice choice = search();
    if (choice || !std::exchange(has_run_, false)) return choice;
    // To go and to be called back costs more than a look whether the next task comes.
    return stay_ != nullptr && stay_->IsForQueueAlone() && SeesQueued() ? search() : choice;
  }
  // Whether there is work in the arena; looks for as long, and takes none.
  template <typename Stop>
  bool SeesWork(const Stop& stop) {
    if (IsInTheWay() && !stop() && !arena().LooksBusy()) stay_->MakeWay();
    return LookAround(stop, [&](std::chrono::nanoseconds time) {
      return WatchFor<Clock>(
          time, [this] { return arena().LooksBusy(); }, stop, YieldCpu());
    });
  }
  template <typename Stop>
  void Run(const Choice& choice, const Stop& stop) {
    has_run_ = true;
    RunTasks(sources_, choice, stop);
  }

 private:
  bool IsInTheWay() const { return stay_ != nullptr && __builtin_expect(stay_->IsInTheWay(), 0); }

  bool CanBeCalledToQueue() const {
    return IsCallable(sources_.scope()) && sources_.scope().serves_queue;
  }

  bool IsCallableInIsolation() const {
    return sources_.scope().isolation != 0 && sources_.scope().steals;
  }

  // Looks once, and again if that was better the last times: what was learned in other
  // arenas holds here as far as it may.
  template <typename Stop, typename Look>
  auto LookAround(const Stop& stop, const Look& look) {
    const auto spin = [this]() -> std::chrono::nanoseconds {
      // Where work keeps coming, one that is to end would look until there is some.
      if (stay_ != nullptr && !stay_->MayLinger()) return {};
      return arena().spin();
    };
    const auto goes_on = [&] {
      return !stop() && (stay_ == nullptr || !stay_->IsWantedElsewhere());
    };
    const auto looked =
        LookSeveralTimes<Clock>(spin, std::min(adaptive_.times(), most_looks_), look, goes_on);
    const bool stopped = !looked.found && stop();
    looks_ = looked.found || stopped ? 0 : looked.times;
    if (looked.displaced) {
      adaptive_.WasDisplaced();
    } else if (looks_ == 0 && !(stopped && stay_ != nullptr) && Learns()) {
      Note(looked.times, {});
    }
    return looked.found;
  }

  // Whether there is something in the shared queue, or soon.
  bool SeesQueued() {
    const auto never = [] { return false; };
    return LookAround(never, [&](std::chrono::nanoseconds time) {
      return WatchFor<Clock>(
          time, [this] { return sources_.SeesQueued(); }, never, YieldCpu());
    });
  }

  bool Learns() { return most_looks_ > 1 && arena().spin().count() != 0; }
  // The thread has looked so many times, and then slept for some time.
  void Note(int looks, std::chrono::nanoseconds slept) {
    const std::chrono::nanoseconds spin = arena().idle_times().spin;
    adaptive_.WasIdle(looks + (slept + spin - std::chrono::nanoseconds(1)) / spin, most_looks_);
  }

  Slot& slot_;
  Stay* const stay_ = nullptr;  // null: it waits for something
  const int most_looks_;
  AdaptiveSpin& adaptive_;
  Patience own_patience_;  // of one wait
  Patience& patience_;
  int looks_ = 0;  // in vain, before it sleeps
  WaitTable::Waiter isolated_;
  bool has_run_ = false;
  ArenaSources sources_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_IDLE_THREAD_H_

// WakePlacement: a worker that is called works on another cpu than its caller.
//
// Linux wakes a thread where it slept or where the caller is, even if others are idle, for in a
// virtual machine one that is halted does not count as idle; and moves it there with the next
// balancing, some milliseconds later.  To wake it elsewhere takes the caller some microseconds
// more.  So that is done where it is known to matter:
//
// * A caller that works on takes its own cpu out of the affinity of a thread that slept there, and
//   the thread puts it back when it is awake.
// * A thread that was woken where the caller is goes elsewhere: at once if that one works on, and
//   else when it finds nothing more to do.  A caller that waits for it is served soonest where it
//   is, but one that does not waits there for the thread: eight tasks of 1 us that were enqueued
//   once a millisecond took 1300 us while it looked for more there, and take 55 so.
// * A thread that began late, though it was not kept off, may have waited until the caller gave the
//   cpu up, and is kept off the next times: loops of 320 us that came once a millisecond ran on one
//   cpu and take 215 us so (two virtual AMD EPYC processors, 2026-11-27).
// * Where that does not help, because other cpus are busy, none of it is done for a while.
//
// Scheduler-internal.  Nothing here is a matter of correctness: a call that fails, a
// thread bound to one cpu, or a machine of more than 1024 cpus leave everything to the
// kernel.  But a thread that is awake may bind itself for a purpose of its own, and the kernel
// gives the number of one that has ended to another thread, maybe of another process: so callers do
// something to it only while it sleeps or is on the lookout.  What somebody else does to it
// meanwhile, stays.
//
// Memory ordering: what a call does to the thread comes before the thread is awake (X3 of
// README.md); for the rest there is none (X2).
#ifndef FILCH_POOL_WAKE_PLACEMENT_H_
#define FILCH_POOL_WAKE_PLACEMENT_H_

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "filch/pool/caller.h"

namespace filch {
namespace pool_internal {

class WakePlacement {
 public:
  // Before the thread is started with `attributes`: it shall begin elsewhere, too.  Its
  // first call is WakeUp.
  void PlaceStart(pthread_attr_t& attributes);

  // --- the thread
  // Before it sleeps.
  void FallAsleep();
  // It does not sleep yet, and may have been moved.
  void StayHere();
  // When it is awake, and when it begins: it may run where it might before.  Leaves the cpu of a
  // caller that works on.
  void WakeUp();
  // Whether it was woken where a caller was that may want to go on there.
  bool IsInTheWay() const { return in_the_way_; }
  // Goes elsewhere, if there is another cpu.
  void MakeWay();

  // --- any other thread
  // Before it wakes the thread, which sleeps.
  void PlaceWake(Caller caller);
  // Before it calls the thread, which is on the lookout: if that may be waiting for its turn here.
  void KeepOffIfHere();

 private:
  // In ticks: 100 to 400 us.  A thread that is woken on a cpu with nothing to do takes 25 to 70.
  static constexpr std::int64_t kLong = 200000;
  // So many calls keep a thread off that was late, unless it is late then, too.
  static constexpr int kKeptOff = 32;
  // So often it has to be late before that is tried again, as a power of two.
  static constexpr int kMostDoubts = 8;
  // So many times it does not make way after it had to wait for another cpu.
  static constexpr int kStays = 32;

  // --- the thread
  void LearnFrom(bool was_kept_off, bool was_late);
  static bool TookLong(std::uint64_t since);
  bool IsWhereCallerWas() const;
  // Waits until no caller has it, so that none comes until it sleeps again.
  void TakeThread();
  // Puts back what callers have taken from it; false: nothing.
  bool LiftRestriction();

  // --- any other thread
  void KeepOffThisCpu();

  // The thread, for one caller at a time: 0 while one of them has it, and while it is awake.
  std::atomic<pid_t> thread_{0};
  // Of whoever has the thread, and of its starter before that: whether something was taken from it;
  // where it might run before, and where since then.
  bool restricted_ = false;
  cpu_set_t everywhere_;
  cpu_set_t kept_to_;
  // The thread's own.
  pid_t own_number_ = 0;
  bool sleeps_ = false;
  bool in_the_way_ = false;
  int late_ = 0;  // so often, since it was kept off
  int doubts_ = 0;
  int stays_ = 0;
  // The cpu on which it fell asleep, or looked out last.
  std::atomic<int> last_cpu_{-1};
  // Of the last call since the thread woke: when it was, in ticks, or 0; from which cpu, and
  // by whom.
  std::atomic<std::uint64_t> called_at_{0};
  std::atomic<int> called_from_{-1};
  std::atomic<Caller> caller_{Caller::kHandsOver};
  // So many more calls keep it off, wherever it slept.
  std::atomic<int> keep_off_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WAKE_PLACEMENT_H_

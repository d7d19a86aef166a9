// WakePlacement: a worker that is called begins on another cpu than its caller.
//
// The caller goes on working where it is.  Linux wakes a thread where it slept, and if
// that is the caller's cpu, moves it to an idle one with the next balancing, some
// milliseconds later: loops of that length then run on one cpu while others are
// idle.  So the caller takes its own cpu out of the affinity of a thread that slept
// there, and the thread puts it back when it is awake.
//
// Scheduler-internal.  Nothing here is a matter of correctness: a call that fails, a
// thread bound to one cpu, or a machine of more than 1024 cpus leave everything to the
// kernel.  A thread that several call may go without more than one cpu until it sleeps again.
// But the kernel gives the number of a thread that has ended to another one, maybe of
// another process, which nobody may restrict: so a thread does not end while it is called.
//
// Memory ordering: what a call does to the thread comes before its end (X3 of README.md); for
// the rest there is none (X2).
#ifndef FILCH_POOL_WAKE_PLACEMENT_H_
#define FILCH_POOL_WAKE_PLACEMENT_H_

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include <atomic>

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
  // When it is awake: it may run where it might before.
  void WakeUp();
  // Before it ends: waits for a call that has begun, and has no effect of later ones.
  void End();

  // --- any other thread
  // Before it wakes the thread, which sleeps: if it slept where the caller is.
  void KeepOffThisCpu();

 private:
  // Everywhere that the thread may run; its own.
  cpu_set_t everywhere_;
  // The thread, for one caller at a time: 0 while there is one, and before the thread has
  // slept and after its End.
  std::atomic<pid_t> thread_{0};
  bool has_slept_ = false;  // the thread's own
  // The cpu on which it fell asleep.
  std::atomic<int> slept_on_{-1};
  // Whether something was taken from it.
  std::atomic<bool> restricted_{false};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WAKE_PLACEMENT_H_

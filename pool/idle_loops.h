// The loops of a thread that runs out of work: a wait for something, and a
// worker's stay in an arena.
//
// They say in which order a thread announces its sleep, stops searching, looks
// once more and parks, and who takes over a call that it does not follow; so they
// are templates that a model checker runs as well.  WaitFor and Worker::ServeIn use them.
//
// `Thread` is the thread in its slot:
//
//   arena(), index()     where it is; the arena has waiters(), a BasicWaiterSet
//   parker(), Park()     what it sleeps on
//   StartSearching(serves_queue), StopSearching(...), StopSearchingToSleep(...),
//   ForwardWake()        idle_protocol.h's events
//   SpreadCall()         the thread was called and has found work: it calls others for more
//   AnnounceIsolated(), WithdrawIsolated()   a thread in an isolation is unparked by pushes there
//                        between the two; returns a task that was there before, or Nothing()
//   HooksAreWaiting(), TellHooks()   arena hooks that did not hear of the thread yet
//   Next()               a task by rules 3 to 6, or Nothing()
//   Search(stop)         the same, for a while; stops looking if stop()
//   SeesWork(stop)       whether there is some, likewise; takes none
//   Run(choice, stop)    runs it, if any, and what follows, until stop()
//
// Memory ordering: S1 and G3 of README.md hang on the order of the calls here.
#ifndef FILCH_POOL_IDLE_LOOPS_H_
#define FILCH_POOL_IDLE_LOOPS_H_

#include <utility>

namespace filch {
namespace pool_internal {

// Sleeps until `completion` unparks the thread, unless it is complete already.
// For a thread that may not take any task; in an isolation a push there unparks it, too.
// Returns what that left for it before.
template <typename Thread, typename Completion>
auto SleepUncallable(Thread& thread, Completion& completion) {
  completion.Enlist(thread.parker());
  const auto choice = thread.AnnounceIsolated();
  if (!choice && !completion.IsComplete()) thread.Park();
  thread.WithdrawIsolated();
  completion.Delist();
  return choice;
}

// The same for a thread that can be called for work as well; it counts as
// searching until here.  True: there is work, which somebody relies on it for.
template <typename Thread, typename Completion>
bool SleepCallable(Thread& thread, Completion& completion, bool serves_queue) {
  auto& arena = thread.arena();
  completion.Enlist(thread.parker());
  arena.waiters().Announce(thread.index(), serves_queue);
  const bool found = thread.StopSearchingToSleep(serves_queue);
  if (!found && !completion.IsComplete()) thread.Park();
  const bool called = arena.waiters().Withdraw(thread.index(), serves_queue);
  completion.Delist();
  return called || found;
}

// Waits for a task to run, or for `completion`, and sleeps when there is neither.
// Nothing: it is complete.  `callable`: the thread may take anything, so it can be
// called when there is work.
template <typename Thread, typename Completion>
auto AwaitTask(Thread& thread, Completion& completion, bool callable, bool serves_queue) {
  const auto complete = [&completion] { return completion.IsComplete(); };
  // A thread that was called for work takes it as one that searches: it is the
  // one who sees to it that somebody is called for what is left.
  bool called = false;
  while (!complete()) {
    auto choice = called ? thread.Nothing() : thread.Next();
    if (!choice && thread.HooksAreWaiting()) thread.TellHooks();
    if (!choice && callable) {
      thread.StartSearching(serves_queue);
      choice = thread.Search(complete);
      if (!choice && !complete()) {
        called = SleepCallable(thread, completion, serves_queue);
        continue;
      }
      thread.StopSearching(serves_queue);
      called = false;
    } else if (!choice) {
      choice = thread.Search(complete);
      if (!choice && !complete()) choice = SleepUncallable(thread, completion);
    }
    if (choice) return choice;
  }
  // Called for work, and leaving: the call must not be lost.
  if (called) thread.ForwardWake();
  return thread.Nothing();
}

// Runs tasks until `completion` is complete, and sleeps when there are none.
template <typename Thread, typename Completion>
void WaitUntilComplete(Thread& thread, Completion& completion, bool callable, bool serves_queue) {
  const auto complete = [&completion] { return completion.IsComplete(); };
  while (const auto choice = AwaitTask(thread, completion, callable, serves_queue)) {
    thread.Run(choice, complete);
  }
}

// A worker's stay in an arena, from its arrival as a searching thread until it
// finds nothing more to do or has to go.  `stay` is stay.h's Stay.
template <typename Thread, typename Stay>
void ServeUntilIdle(Thread& thread, Stay& stay) {
  const auto stop = [&stay] { return stay.MustLeave(); };
  bool called = true;
  for (;;) {
    auto choice = thread.Nothing();
    if (!thread.HooksAreWaiting()) {
      choice = thread.Search(stop);
    } else if (thread.SeesWork(stop)) {
      // Not of a thread that was called too late, and leaves.
      thread.StopSearching(true);
      thread.TellHooks();
      thread.StartSearching(true);
      choice = thread.Search(stop);
    }
    if (choice) {
      // While it counts as searching, so that the last one who stops finds somebody coming.
      if (std::exchange(called, false)) thread.SpreadCall();
      thread.StopSearching(true);
      thread.Run(choice, stop);
      thread.StartSearching(true);
      continue;
    }
    stay.AnnounceSleep();
    if (!thread.StopSearchingToSleep(true)) return;
    if (stay.MustLeave() || !stay.WithdrawSleep()) {
      // The work found last is for whoever is called next; that may be us.
      thread.ForwardWake();
      return;
    }
    thread.StartSearching(true);
  }
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_IDLE_LOOPS_H_

// Recruiter: whoever has threads for arenas, as these see it: the pool.
//
// Scheduler-internal.
#ifndef FILCH_POOL_RECRUITER_H_
#define FILCH_POOL_RECRUITER_H_

#include <cstdint>

#include "filch/pool/caller.h"
#include "filch/pool/slot_numbers.h"

namespace filch {

class Arena;

class Recruiter {
 public:
  // Gets somebody to look at the arena: a sleeping worker, a new one, or a
  // thread that waits in the arena.  The caller has published the work with a
  // sequentially consistent operation.  It is called after a task was pushed, so
  // it must not throw: the pusher would believe that the task is still its own.
  // It does nothing if `most` are coming already.  Any thread.
  virtual void Recruit(Arena& arena, std::uint32_t most, pool_internal::Caller caller) noexcept = 0;
  // Whether anybody is left who could come if Recruit called, and would find a slot.  Any
  // thread.
  virtual bool CouldCome(Arena& arena) const = 0;
  // Whether Recruit would bring somebody whom nobody has called yet; a hint.  Any thread.
  virtual bool CanCall(Arena& arena) const = 0;
  // The arena has a free slot again: if somebody is wanted there and nobody was free to come,
  // those who serve arenas of lower priorities hear of it.  Any thread.
  virtual void ShowNote(Arena& arena) noexcept = 0;
  // A thread is about to sleep in a wait; that is over.  What was left behind in any arena
  // may be what it waits for.  `serves_queue`: it can be called to the shared queue of the
  // arena where it waits; the same in both calls.  Any thread.
  virtual void BeginSleepingWait(bool /*serves_queue*/) noexcept {}
  virtual void EndSleepingWait(bool /*serves_queue*/) noexcept {}
  // Whether a worker is in such a wait, and cannot be called to a queue; a hint.  Any thread.
  virtual bool WorkerSleepsInWait() const { return false; }
  // A number that is another one if, since the last call, threads have run or pushed tasks, or have
  // gone on in loops, in other arenas of the same or lower priorities; always the same where
  // there are no workers that might be kept there.  A hint.  Any thread.
  virtual std::int64_t LookForStepsBeside(const Arena& /*arena*/) { return 0; }

  // Somebody has asked for the number of a thread's slot, or how many there are, and may
  // have a table with a place for each: from now on no thread is added to an arena of
  // several slots whose threads are busy, or all away.  Any thread.
  void CountOnSlots() { slot_numbers_.CountOn(); }
  const pool_internal::SlotNumbers& slot_numbers() const { return slot_numbers_; }

 protected:
  ~Recruiter() = default;

 private:
  pool_internal::SlotNumbers slot_numbers_;
};

}  // namespace filch

#endif  // FILCH_POOL_RECRUITER_H_

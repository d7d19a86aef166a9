// HelpedCall: a function that one thread calls while others wait for its end and help.
//
// The first thread to need something computes it, in parallel; those that need it
// meanwhile run what it has spawned instead of sleeping, and nothing else, since they may
// hold locks that a stranger's task would want.  A "helper lock" in Agrawal, Leiserson and
// Sukha, "Helper Locks for Fork-Join Parallel Programming" (PPoPP 2010).
//
//   filch::HelpedCall call;        // by the first thread, which lets others see it
//   call.Run(compute);
//   call.End();                    // after what others look at first says that it is done
//
//   call.HelpUntilEnd();           // by each of the others
//
// A call has the arena of the thread that makes it, which has to run it there.  The owner
// keeps it alive until all who help have returned.  What leaves the function as an
// exception is the caller's, who has to end the call all the same; who helps is not told.
// What happens before End() happens before the return of each HelpUntilEnd().
#ifndef FILCH_POOL_HELPED_CALL_H_
#define FILCH_POOL_HELPED_CALL_H_

#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/isolate.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_group.h"

namespace filch {

class HelpedCall {
 public:
  HelpedCall() { tasks_.Add(); }
  HelpedCall(const HelpedCall&) = delete;
  HelpedCall& operator=(const HelpedCall&) = delete;

  // Calls f() and throws what it throws.  By the thread that made this, once.  Isolated: one
  // that needs the same call, and that this thread ran while it waits inside, would wait for
  // itself.  Without a context: whoever is cancelled may be the only one who does not need it.
  template <typename F>
  void Run(const F& f) {
    pool_internal::Slot& slot = pool_internal::CurrentSlot();
    const IsolationReentry inside(region_);
    // The region is new: nothing of it lies below.
    slot.isolation_floor = slot.deque.bottom();
    const ContextScope no_context(nullptr);
    f();
  }

  // By the same thread, after Run, once.
  void End() { tasks_.Withdraw(); }

  // Returns when the call has ended.  Any other thread, but not out of a part of the call,
  // which would wait for itself.  Who is in the arena of the call already, or finds room
  // there, helps; who does not, sleeps.
  void HelpUntilEnd();

 private:
  void WaitInside();

  Arena& arena_ = *pool_internal::CurrentSlot().arena;
  const Isolation region_ = Isolation::Make();
  Context context_;
  // The call counts as one.
  WaitGroup tasks_{context_};
};

}  // namespace filch

#endif  // FILCH_POOL_HELPED_CALL_H_

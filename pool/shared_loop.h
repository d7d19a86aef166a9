// SharedLoop: a loop over units while several threads are in it.
//
// Each thread in the loop holds a StealingRange of units, and leaves an
// invitation, a task, in its deque.  Who steals the invitation takes half of
// what somebody has left, leaves an invitation of its own, and steals from the
// others when its part is done, if they have enough for that to be worth what it
// takes; a thread that finds nothing waits for them a while, if what it would need
// is dear to make, takes what is left then, or leaves.
//
// Scheduler-internal; RunIndexLoop calls it.  It lives on the stack of the thread
// that runs the loop, which is in it from the beginning and destroys it when its
// own Participate has returned and everybody whom it has brought in by Accept or AcceptDealt is
// done.  Who came by an invitation has left by then.
#ifndef FILCH_POOL_SHARED_LOOP_H_
#define FILCH_POOL_SHARED_LOOP_H_

#include <atomic>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/evenness.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_parts.h"
#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class SharedLoop {
 public:
  // Units that the thread of Participate has for certain others, who come for them by AcceptDealt.
  class Mail {
   public:
    // Others may come from now on.  Once, and none of the other functions before it.
    virtual void Send() noexcept = 0;
    // Those are over that the thread has begun with, after so many ticks.
    virtual void OwnIsOver(std::uint64_t elapsed) = 0;
    // More units of the thread's own, that lay in its deque meanwhile; or nothing.
    virtual UnitInterval TakeOwn() = 0;
    // Some that nobody has begun, which are the calling thread's again; or nothing.
    virtual UnitInterval TakeBack() = 0;
    // Whether all of them have been run, or are the calling thread's.
    virtual bool IsDone() const = 0;

   protected:
    ~Mail() = default;
  };

  // The thread in `slot` is going to call Participate.  Of an uneven loop nobody
  // takes more at once than leaves a part for each thread that could come.
  SharedLoop(LoopBody& body, Context& context, Slot& slot, Evenness evenness = Evenness::kEven)
      : body_(body),
        context_(context),
        evenness_(evenness),
        parts_(slot.arena->slots().count_with_extra(), slot.index) {}

  LoopBody& body() { return body_; }
  Context& context() { return context_; }
  LoopParts& parts() { return parts_; }
  bool uneven() const { return evenness_ == Evenness::kUneven; }
  int participants() const {
    return participants_.load(std::memory_order_relaxed);  // L1: a hint for the batch size
  }

  // The others have units of their own to begin with (AcceptDealt), or the loop is most likely over
  // before they could come; so one invitation is enough.  While the loop is young nobody is let in
  // by it, unless he insists, and who has done his own leaves: most likely the others are about
  // done, too, and to look at what each of sixteen threads has left takes longer than many a loop.
  // Before Participate, once.
  void BeginYoung();
  // The same, and so it stays: there is nothing to look for.
  void BeginWithNothingToShare() { young_until_ = kForGood; }
  bool began_young() const { return young_until_ != 0; }
  // A hint: the clocks of two threads may differ.
  bool IsYoung() const { return young_until_ != 0 && Ticks() < young_until_; }
  bool HasNothingToShare() const { return young_until_ == kForGood; }

  // The share of the thread in `slot` that made the loop, beginning with `units`, if there are
  // any; `segment` belongs to the units before those.  `mail`: is sent when the thread is about
  // to begin with its own, and taken back if these are over before others could begin.
  void Participate(Slot& slot, UnitInterval units, void* segment, Mail* mail = nullptr) noexcept;
  // How others come to their first units: by an invitation, or because they were sent for them.
  enum class Arrival { kInvited, kDealt };
  // The thread in `slot` joins with units of its own.
  void Accept(Slot& slot, UnitInterval units) noexcept;
  // The same if it was sent for them.
  void AcceptDealt(Slot& slot, UnitInterval units) noexcept;

 private:
  static constexpr std::uint64_t kForGood = ~std::uint64_t{0};

  void RunOne(UnitInterval unit) noexcept;
  void Join(Slot& slot, UnitInterval units, Arrival arrival) noexcept;

  LoopBody& body_;
  Context& context_;
  const Evenness evenness_;
  std::uint64_t young_until_ = 0;  // never changes while others use it
  std::atomic<int> participants_{1};
  LoopParts parts_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SHARED_LOOP_H_

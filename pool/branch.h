// Branch: what one thread does of something that is forked again and again.
//
// Like Join, a fork leaves its second part in the deque, where the thread finds it again
// unless another one took it.  But then it does not wait there: that one has taken what it
// needs with it, is a branch of its own, and all branches are waited for once, by the one who
// began.  So the thread looks for other work while a part of its own is under way elsewhere,
// and the last one to end wakes one other at most, where a tree of joins is folded from thread
// to thread.  For loops; whatever puts results together after each fork needs Join.
//
//   class Loop : public Branch { ... };       // with what the thread needs to run parts
//
//   CreditLatch latch;
//   Loop loop(latch);
//   ... ForkOff(slot, loop, left, part); ...  // as often as it likes, also while it runs parts
//   loop.AwaitAll(slot);
//
// Scheduler-internal; loops are made of it.
// Memory ordering: what happened before a fork is visible to its parts, and what all branches
// did is visible after AwaitAll (J1, J3).
//
// Computations of this kind are called terminally strict (S. Agarwal et al., Deadlock-free
// scheduling of X10 computations with bounded resources, 2007), those of Join fully strict.
#ifndef FILCH_POOL_BRANCH_H_
#define FILCH_POOL_BRANCH_H_

#include <optional>
#include <utility>

#include "filch/pool/credit_latch.h"
#include "filch/pool/join.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/topology/catch_all.h"

namespace filch {
namespace pool_internal {

class Branch {
 public:
  Branch(const Branch&) = delete;
  Branch& operator=(const Branch&) = delete;

  // Returns when all branches have ended.  The one who began, which has no part left, in its
  // slot; once, also after an exception.
  void AwaitAll(Slot& slot);

 protected:
  // Of the one who begins.
  explicit Branch(CreditLatch& latch) : latch_(latch), credit_(kAllCredit) {}
  // Of one who has taken a part of another branch.
  Branch(const Branch& other, Credit credit) : latch_(other.latch_), credit_(credit) {}
  ~Branch() = default;

 private:
  template <typename Own, typename Part>
  friend class ForkedOff;
  template <typename Own, typename Left, typename Part>
  friend void ForkOff(Slot& slot, Own& own, const Left& left, Part& part);

  // Half of the credit, for a part; 0: it cannot be halved any more.
  Credit Halve() {
    const Credit half = credit_ / 2;
    credit_ -= half;
    return half;
  }
  void Regain(Credit credit) { credit_ += credit; }
  void NoteThief(int slot) { thief_ = slot; }
  // True: the part that was forked is the caller's to run.  False: somebody has taken it, or, if
  // it had no credit, has run it.
  static bool TakeBack(Slot& slot, JoinTask& task, Credit credit);
  // Returns credit, and wakes who waits for the last of it.
  static void End(CreditLatch& latch, Credit credit);

  CreditLatch& latch_;
  Credit credit_;   // not returned, and not in a part
  int thief_ = -1;  // the slot of whoever has taken a part last
};

// A part in the deque.
template <typename Own, typename Part>
class ForkedOff final : public JoinTask {
 public:
  ForkedOff(Own& own, Part& part, Credit credit, Context* context)
      : JoinTask(&ForkedOff::RunTaken, context), own_(own), part_(part), credit_(credit) {}

  Credit credit() const { return credit_; }
  // When complete: the slot of whoever is at work on it, or -1.
  int taker() const { return taker_; }

 private:
  // The part as its taker has it.
  struct Taken {
    Taken(const Own& other, Part& what, Credit credit)
        : own(other, credit), part(std::move(what)) {}

    Own own;
    Part part;
  };

  static Task* RunTaken(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<ForkedOff&>(task);
    if (self.credit_ == 0) {
      self.RunAsThief(execution.slot, [&] { self.RunFor(execution.cancelled); });
    } else {
      self.Take(execution.slot, execution.cancelled);
    }
    return nullptr;
  }

  // As in a join: its owner waits for the end.
  void RunFor(bool cancelled) {
    if (cancelled) return;
    Own own(own_, 0);
    part_.Run(own);
  }

  // The task is gone when its owner has seen that the part was taken.
  void Take(Slot& slot, bool cancelled) {
    CreditLatch& latch = own_.Branch::latch_;
    Credit credit = credit_;
    {
      std::optional<Taken> taken;
      CompleteAfter([&] {
        taker_ = slot.index;
        if (!cancelled) taken.emplace(own_, part_, credit);
      });
      if (taken) {
        slot.innermost = nullptr;  // this task may be gone
        slot.deque.RequestOwnExposure();
        FILCH_TRY { taken->part.Run(taken->own); }
        FILCH_CATCH_ALL { taken->own.KeepException(); }
        credit = taken->own.Branch::credit_;
      }
    }
    Branch::End(latch, credit);
  }

  Own& own_;
  Part& part_;
  const Credit credit_;
  int taker_ = -1;
};

// Calls left(), which may fork more, and runs `part`, by part.Run(own), at the same time if a
// thread comes for it.  That one moves the part, or copies it, out of the frame where it was
// forked, and has a branch of its own, Own(own, credit), for which it reads what does not change
// while `own` lives.  (The calling thread may be the one, in a wait that left() began.)
// Exceptions: what left() throws, or part.Run(own), or moving the part, is thrown on; what a part
// throws that was taken is for KeepException() of its branch, which is called while it is handled.
// Once the credit cannot be halved, a part is run where it is, as a join's.
template <typename Own, typename Left, typename Part>
inline __attribute__((always_inline)) void ForkOff(Slot& slot, Own& own, const Left& left,
                                                   Part& part) {
  Branch& branch = own;
  ForkedOff<Own, Part> task(own, part, branch.Halve(), slot.context);
  FILCH_TRY { slot.Spawn(task); }
  FILCH_CATCH_ALL {
    branch.Regain(task.credit());
    FILCH_RETHROW;
  }
  FILCH_TRY { left(); }
  FILCH_CATCH_ALL {
    if (Branch::TakeBack(slot, task, task.credit())) {
      branch.Regain(task.credit());
    } else {
      task.TakeException();  // the first one counts
    }
    FILCH_RETHROW;
  }
  if (__builtin_expect(slot.deque.TryPop(&task), 1) ||
      Branch::TakeBack(slot, task, task.credit())) {
    branch.Regain(task.credit());
    part.Run(own);
    return;
  }
  branch.NoteThief(task.taker());
  task.Rethrow();
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_BRANCH_H_

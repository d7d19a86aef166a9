// LoopInvitations: tasks of a participant in a shared loop that bring whoever steals them into it.
//
// Scheduler-internal.  The participant's thread.
#ifndef FILCH_POOL_LOOP_INVITATION_H_
#define FILCH_POOL_LOOP_INVITATION_H_

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "filch/pool/join.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// A task that brings whoever steals it into the loop.
class LoopInvitation final : public JoinTask {
 public:
  explicit LoopInvitation(SharedLoop& loop)
      : JoinTask(&LoopInvitation::Accept, &loop.context()), loop_(loop) {}
  ~LoopInvitation() = default;

  // That its thread has offered before it.
  LoopInvitation* older = nullptr;

  // Not in the deque, and nobody is in the loop because of it.
  bool free() const { return state_ == State::kHere || complete(); }
  // While it is free: whether somebody has come by it.
  bool was_taken() const { return state_ != State::kHere; }

  // Leaves it in the deque.  Only while it is free.
  void Offer(Slot& slot) {
    Renew();
    state_ = State::kOffered;
    loop_.parts().CountInvitation();
    try {
      slot.Spawn(*this);
    } catch (...) {  // std::bad_alloc: nobody will ever take it
      loop_.parts().CountTaken();
      state_ = State::kHere;
      throw;
    }
  }

  // Takes it back if nobody has taken it; whether it is back.
  bool TakeBack(Slot& slot) {
    if (state_ != State::kOffered || complete()) return false;
    if (slot.deque.TryPop(this) || TakeBackJoin(slot, *this)) {
      loop_.parts().CountTaken();
      state_ = State::kHere;
      return true;
    }
    state_ = State::kOut;
    return false;
  }

  // Waits for the guest who took it.  After TakeBack.
  void AwaitGuest(Slot& slot) {
    if (!free()) AwaitPeer(slot, *this);
  }

 private:
  enum class State { kHere, kOffered, kOut };

  static Task* Accept(Task& task, Execution& execution) noexcept;

  SharedLoop& loop_;
  State state_ = State::kHere;
};

// A participant's invitations: with few threads nearly always the one at hand is enough.
class LoopInvitations {
 public:
  explicit LoopInvitations(SharedLoop& loop) : loop_(loop), first_(loop) {}

  // Leaves an invitation in the deque if there are too few in the whole loop.
  void KeepSomeOpen(Slot& slot) {
    if (loop_.HasNothingToShare()) return;
    if (loop_.parts().open_invitations() >= Wanted(slot)) return;
    LoopInvitation& invitation = FreeOne();
    for (LoopInvitation** at = &newest_; *at != nullptr; at = &(*at)->older) {
      if (*at != &invitation) continue;
      *at = invitation.older;
      break;
    }
    invitation.older = std::exchange(newest_, &invitation);
    any_taken_ |= invitation.was_taken();
    any_offered_ = true;
    invitation.Offer(slot);
  }

  // The newest first, as they lie in the deque.
  void TakeBack(Slot& slot) {
    while (newest_ != nullptr) {
      LoopInvitation* const invitation = std::exchange(newest_, newest_->older);
      invitation->older = nullptr;
      any_taken_ |= !invitation->TakeBack(slot);
    }
  }
  bool any_offered() const { return any_offered_; }
  // As far as the participant knows; when all are taken back, it does.
  bool any_taken() const { return any_taken_; }
  void AwaitGuests(Slot& slot) {
    for (const auto& invitation : more_) invitation->AwaitGuest(slot);
    first_.AwaitGuest(slot);
  }

 private:
  // Two for each participant, who may just have come because of a call and pass it on to two;
  // but no more than can still come, and one at least.
  int Wanted(const Slot& slot) const {
    if (loop_.began_young()) return 1;  // most of those who could come are there
    const int inside = loop_.participants();
    return std::max(1, std::min(2 * inside, slot.concurrency - inside));
  }

  LoopInvitation& FreeOne() {
    if (first_.free()) return first_;
    for (const auto& invitation : more_) {
      if (invitation->free()) return *invitation;
    }
    more_.push_back(std::make_unique<LoopInvitation>(loop_));
    return *more_.back();
  }

  SharedLoop& loop_;
  LoopInvitation first_;
  std::vector<std::unique_ptr<LoopInvitation>> more_;
  // Of those that were offered since the last TakeBack.
  LoopInvitation* newest_ = nullptr;
  bool any_offered_ = false;
  bool any_taken_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_INVITATION_H_

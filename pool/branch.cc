#include "filch/pool/branch.h"

#include "filch/pool/announced_completion.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/join.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_for.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

class AllBranches final : public AnnouncedCompletion<CreditLatch> {
 public:
  AllBranches(CreditLatch& latch, int thief) : AnnouncedCompletion(latch), thief_(thief) {}

  bool IsComplete() const override { return awaited().complete(); }
  int Thief() const override { return thief_; }

 private:
  const int thief_;
};

}  // namespace

void Branch::AwaitAll(Slot& slot) {
  if (credit_ == kAllCredit) return;
  latch_.Return(credit_);
  AllBranches all(latch_, thief_);
  WaitAfterLooking(slot, all, ThiefShares::kHelp);
}

bool Branch::TakeBack(Slot& slot, JoinTask& task, Credit credit) {
  if (TakeBackJoin(slot, task)) return true;
  if (credit == 0) {
    AwaitJoin(slot, task);
  } else {
    // It is taken in no time, and what its taker has shared is no part of that.
    AwaitPeer(slot, task);
  }
  return false;
}

void Branch::End(CreditLatch& latch, Credit credit) {
  // Only the address is used afterwards.
  if (latch.Return(credit)) GlobalWaitTable().WakeAll(&latch);
}

}  // namespace pool_internal
}  // namespace filch

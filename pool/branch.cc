#include "filch/pool/branch.h"

#include "filch/pool/arena.h"
#include "filch/pool/completion.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/parker.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

class AllBranches final : public Completion {
 public:
  AllBranches(CreditLatch& latch, int thief) : latch_(latch), thief_(thief) {}

  bool IsComplete() const override { return latch_.complete(); }
  void Enlist(Parker& parker) override {
    GlobalWaitTable().Enlist(waiter_, &latch_, parker);
    latch_.AnnounceWaiter();
  }
  void Delist() override { GlobalWaitTable().Delist(waiter_); }
  int Thief() const override { return thief_; }

 private:
  CreditLatch& latch_;
  const int thief_;
  WaitTable::Waiter waiter_;
};

}  // namespace

void Branch::AwaitAll(Slot& slot) {
  if (credit_ == kAllCredit) return;
  latch_.Return(credit_);
  AwaitBriefly([&] {
    return latch_.complete() || (thief_ >= 0 && slot.arena->slot(thief_).deque.HasShared());
  });
  if (latch_.complete()) return;
  AllBranches all(latch_, thief_);
  WaitFor(slot, all);
}

void Branch::End(CreditLatch& latch, Credit credit) {
  // Only the address is used afterwards.
  if (latch.Return(credit)) GlobalWaitTable().WakeAll(&latch);
}

}  // namespace pool_internal
}  // namespace filch

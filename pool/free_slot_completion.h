// FreeSlotCompletion: something that a thread waits for, or a slot of an arena
// that becomes free.
//
// For a thread whose wait may depend on tasks in an arena that it found full.  The
// threads inside may be busy with their own affairs until they leave, and then
// nobody but the one who was kept out may be left to run those tasks.
//
// Memory ordering: the wait becomes a seeker and then looks at the slots (W5).
#ifndef FILCH_POOL_FREE_SLOT_COMPLETION_H_
#define FILCH_POOL_FREE_SLOT_COMPLETION_H_

#include "filch/pool/arena.h"
#include "filch/pool/completion.h"
#include "filch/pool/parker.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {

class FreeSlotCompletion final : public Completion {
 public:
  FreeSlotCompletion(Completion& awaited, Arena& arena) : awaited_(awaited), arena_(arena) {}

  bool IsComplete() const override { return awaited_.IsComplete() || arena_.HasFreeSlot(); }

  void Enlist(Parker& parker) override {
    awaited_.Enlist(parker);
    GlobalWaitTable().Enlist(waiter_, arena_.slot_key(), parker);
    arena_.vacancy().AddSeeker();
  }

  void Delist() override {
    arena_.vacancy().RemoveSeeker();
    GlobalWaitTable().Delist(waiter_);
    awaited_.Delist();
  }

 private:
  Completion& awaited_;
  Arena& arena_;
  WaitTable::Waiter waiter_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FREE_SLOT_COMPLETION_H_

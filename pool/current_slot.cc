#include "filch/pool/current_slot.h"

#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

namespace {

// Gives the slot and its arena back, when the thread ends at the latest.
class Attachment {
 public:
  Slot& Attach() {
    ForkedChild::MustNotBeThisProcess();
    const Pool& pool = DefaultPool();
    ArenaOptions options;
    options.slots = pool.concurrency();
    options.leave_fast = pool.leave_fast();
    slot_ = &OccupyFreeArena(options);
    BeginStay(*slot_);
    current_slot = slot_;
    if (HooksWait(*slot_)) TellHooksOfEntry(*slot_);
    return *slot_;
  }

  ~Attachment() { Detach(); }

  // Not where the thread is in another slot, or in a task.
  void Detach() {
    if (slot_ == nullptr || ForkedChild::IsThisProcess()) return;
    if (slot_->hooks_told != 0) TellHooksOfLeave(*slot_);
    current_slot = nullptr;
    Slot& slot = *std::exchange(slot_, nullptr);
    Arena& arena = *slot.arena;
    arena.Vacate(slot);
    DefaultPool().ReleaseArena(arena);
  }

  bool IsIn(const Slot* slot) const { return slot != nullptr && slot == slot_; }

 private:
  Slot* slot_ = nullptr;
};

Attachment& CallingThreadsAttachment() {
  // Whose end may tell hooks.
  LoopHistory::OutliveWhatFollows();
  static thread_local Attachment attachment;
  return attachment;
}

}  // namespace

Slot& OccupyFreeArena(const ArenaOptions& options) {
  Pool& pool = DefaultPool();
  Arena& arena = pool.AcquireArena(options);
  if (Slot* const slot = arena.OccupyFromOutside()) return *slot;
  try {
    Slot& slot = OccupyFreeArena(options);  // a new arena at the latest
    pool.ReleaseArena(arena);
    return slot;
  } catch (...) {
    pool.ReleaseArena(arena);
    throw;
  }
}

Slot& AttachCallingThread() { return CallingThreadsAttachment().Attach(); }

void DetachCallingThread() {
  Slot* const slot = current_slot;
  if (slot == nullptr || slot->depth > 0 || slot->context != nullptr) return;
  if (slot->isolation != 0) return;
  Attachment& attachment = CallingThreadsAttachment();
  if (!attachment.IsIn(slot)) return;
  if (ForkedChild::IsThisProcess()) return;  // the parent's tasks
  {
    const OutermostFpScope fp_scope(*slot);
    // Not left to others: there may be no worker, nor be allowed any.
    RunAll(*slot);
  }
  attachment.Detach();
}

}  // namespace pool_internal
}  // namespace filch

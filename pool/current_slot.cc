#include "filch/pool/current_slot.h"

#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/last_thread.h"
#include "filch/pool/late_end.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/worker.h"
#include "filch/topology/fp_control.h"

namespace filch {
namespace pool_internal {

namespace {

// Gives the slot and its arena back.  Not where the thread is in another slot, or in a task.
void Detach() {
  if (attached_slot == nullptr || ForkedChild::IsThisProcess()) return;
  if (attached_slot->hooks_told != 0) TellHooksOfLeave(*attached_slot);
  current_slot = nullptr;
  Slot& slot = *std::exchange(attached_slot, nullptr);
  Arena& arena = *slot.arena;
  arena.Vacate(slot);
  NoteDetached();
  DefaultPool().ReleaseArena(arena);
}

// Not in a thread that ends with the process.
void EndThread() {
  Detach();
  if (ForkedChild::IsThisProcess() || PoolOfCallingWorker() == &DefaultPool()) return;
  EndWorkersIfLast();
}

class DetachesAtEnd {
 public:
  ~DetachesAtEnd() { Detach(); }
};

// When the thread ends at the latest.
void DetachAtEndOfThread() {
  static thread_local const DetachesAtEnd usual_end;
  // Thread-local objects that are older, and destructors of pthread keys, may use the pool
  // after that.
  LateEnd::Expect<&EndThread>();
}

}  // namespace

Slot& OccupyFreeArena(const ArenaOptions& options) {
  Pool& pool = DefaultPool();
  Arena& arena = pool.AcquireArena(options);
  if (Slot* const slot = arena.slots().OccupyFromOutside()) return *slot;
  try {
    Slot& slot = OccupyFreeArena(options);  // a new arena at the latest
    pool.ReleaseArena(arena);
    return slot;
  } catch (...) {
    pool.ReleaseArena(arena);
    throw;
  }
}

Slot& AttachCallingThread() {
  // The first use gives the arena its floating-point settings, and a group was made before that.
  if (attached_slot != nullptr && attached_slot->fp_settings != FpControl::Read()) Detach();
  Slot& slot = SlotToMakeGroup();
  current_slot = &slot;
  if (HooksWait(slot)) TellHooksOfEntry(slot);
  return slot;
}

Slot& SlotToMakeGroup() {
  ForkedChild::MustNotBeThisProcess();
  if (attached_slot != nullptr) return *attached_slot;
  const Pool& pool = DefaultPool();
  ArenaOptions options;
  options.slots = pool.concurrency();
  options.leave_fast = pool.leave_fast();
  DetachAtEndOfThread();
  Slot& slot = OccupyFreeArena(options);
  attached_slot = &slot;
  NoteAttached();
  BeginStay(slot);
  return slot;
}

void DetachCallingThread() {
  if (attached_slot == nullptr) return;
  if (ForkedChild::IsThisProcess()) return;  // the parent's tasks
  if (current_slot != nullptr) {
    if (current_slot != attached_slot || !attached_slot->IsAtRest()) return;
    const OutermostFpScope fp_scope(*attached_slot);
    // Not left to others: there may be no worker, nor be allowed any.
    RunAll(*attached_slot);
  }
  Detach();
}

}  // namespace pool_internal
}  // namespace filch

#include "filch/pool/current_slot.h"

#include "filch/pool/arena.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/enter.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

namespace {

// Gives the slot and its arena back when the thread ends.
class Attachment {
 public:
  Slot& Attach() {
    Pool& pool = DefaultPool();
    arena_ = &pool.AcquireArena({pool.concurrency(), 1, Priority::kNormal});
    Slot* const slot = arena_->OccupyFromOutside();
    BeginStay(*slot);
    current_slot = slot;
    return *slot;
  }

  ~Attachment() {
    if (arena_ == nullptr) return;
    current_slot = nullptr;
    arena_->Vacate(arena_->slot(0));
    DefaultPool().ReleaseArena(*arena_);
  }

 private:
  Arena* arena_ = nullptr;
};

}  // namespace

Slot& AttachCallingThread() {
  static thread_local Attachment attachment;
  return attachment.Attach();
}

}  // namespace pool_internal
}  // namespace filch

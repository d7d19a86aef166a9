#include <cstdio>
#include <cstdlib>

#include "filch/pool/arena.h"
#include "filch/pool/enter.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"

namespace filch {

namespace {

const char* stats_file = nullptr;

void WriteStats() {
  std::FILE* const file = std::fopen(stats_file, "w");
  if (file == nullptr) {
    std::fprintf(stderr, "filch: the statistics cannot be written to %s.\n", stats_file);
    return;
  }
  std::fprintf(file, "%s\n", DefaultPool().Stats().ToJson().c_str());
  std::fclose(file);
}

Pool* MakeDefaultPool() {
  stats_file = std::getenv("FILCH_STATS");
  if (stats_file != nullptr) std::atexit(&WriteStats);
  return new Pool;
}

}  // namespace

Pool& DefaultPool() {
  static Pool* const pool = MakeDefaultPool();
  return *pool;
}

namespace pool_internal {

__thread Slot* current_slot = nullptr;

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
    arena_->pool().ReleaseArena(*arena_);
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

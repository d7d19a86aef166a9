#include "filch/pool/current_slot.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/attached_threads.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/late_end.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/worker.h"
#include "filch/topology/thread_binding.h"

namespace filch {
namespace pool_internal {

namespace {

// The slot that the calling thread was given.  It is no part of what gives it back, which
// may be destroyed when the thread gets another one.
thread_local Slot* attached = nullptr;

AttachedThreads attached_threads;

// Gives the slot and its arena back.  Not where the thread is in another slot, or in a task.
void Detach() {
  if (attached == nullptr || ForkedChild::IsThisProcess()) return;
  if (attached->hooks_told != 0) TellHooksOfLeave(*attached);
  current_slot = nullptr;
  Slot& slot = *std::exchange(attached, nullptr);
  Arena& arena = *slot.arena;
  arena.Vacate(slot);
  attached_threads.Remove();
  DefaultPool().ReleaseArena(arena);
}

// Of a main thread that has ended the kernel has forgotten the program, and knows the rest.
bool MainThreadHasEnded() {
  char first;
  return readlink("/proc/self/exe", &first, 1) < 0 && errno == ENOENT &&
         access("/proc/self/stat", F_OK) == 0;
}

// They run what is left first, and may need each other for it, so they are told when they have
// nothing to do.
void EndIdleWorkers() {
  Pool& pool = DefaultPool();
  do {
    while (pool.workers() > 0 && !pool.IsIdle()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (attached_threads.count() > 0) return;  // who came will look when it ends
    }
    pool.RetireWorkers();
  } while (pool.workers() > 0 && attached_threads.count() == 0);
}

// For this the calling thread does not wait: it may be what they wait for.
void EndWorkers() {
  try {
    std::thread(&EndIdleWorkers).detach();
  } catch (...) {  // there is no other thread to be had
    EndIdleWorkers();
  }
}

// Not in a thread that ends with the process.
void EndThread() {
  Detach();
  if (ForkedChild::IsThisProcess() || PoolOfCallingWorker() == &DefaultPool()) return;
  if (attached_threads.NobodyIsLeft(IsMainThread(), &MainThreadHasEnded)) EndWorkers();
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
  ForkedChild::MustNotBeThisProcess();
  const Pool& pool = DefaultPool();
  ArenaOptions options;
  options.slots = pool.concurrency();
  options.leave_fast = pool.leave_fast();
  DetachAtEndOfThread();
  Slot& slot = OccupyFreeArena(options);
  attached = &slot;
  attached_threads.Add();
  BeginStay(slot);
  current_slot = &slot;
  if (HooksWait(slot)) TellHooksOfEntry(slot);
  return slot;
}

void DetachCallingThread() {
  Slot* const slot = current_slot;
  if (slot == nullptr || slot != attached || !slot->IsAtRest()) return;
  if (ForkedChild::IsThisProcess()) return;  // the parent's tasks
  {
    const OutermostFpScope fp_scope(*slot);
    // Not left to others: there may be no worker, nor be allowed any.
    RunAll(*slot);
  }
  Detach();
}

}  // namespace pool_internal
}  // namespace filch

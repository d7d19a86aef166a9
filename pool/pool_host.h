// Pool::Host: a pool as its Workforce sees it.
//
// Scheduler-internal; a part of pool.cc that worker.cc needs, too.  Any thread.
#ifndef FILCH_POOL_POOL_HOST_H_
#define FILCH_POOL_POOL_HOST_H_

#include <atomic>
#include <cstddef>
#include <memory>

#include "filch/pool/arena.h"
#include "filch/pool/arena_list.h"
#include "filch/pool/caller.h"
#include "filch/pool/pool.h"
#include "filch/pool/queue_guard.h"
#include "filch/pool/sleeping_lock.h"
#include "filch/pool/slot.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/worker.h"

namespace filch {

class Pool::Host {
 public:
  // On behalf of a thread that may call others.
  explicit Host(Pool& pool, pool_internal::Caller caller = pool_internal::Caller::kHandsOver)
      : pool_(pool), caller_(caller) {}

  pool_internal::SleepingLock& mutex() { return pool_.mutex_; }
  Arena* ArenaAt(std::size_t place) const { return pool_.ArenaAt(place); }
  const pool_internal::ArenaList& arenas() const { return pool_.arenas_; }

  // False: the system has no thread or no memory for us.  The threads that there
  // are do the work; the next call tries again.
  bool AddWorker(int number) {
    auto& workers = pool_.workers_;
    try {
      // In its place before it starts: it may be called at once.  One that has been
      // retired is there already.
      if (static_cast<std::size_t>(number) == workers.size()) {
        workers.push_back(
            std::make_unique<pool_internal::Worker>(pool_, number, pool_.trace_events_));
      }
      workers[static_cast<std::size_t>(number)]->Start(
          pool_.name_,
          pool_.worker_stack_size_.load(std::memory_order_relaxed));  // P1: as the limit
    } catch (...) {
      pool_.refused_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
      return false;
    }
    return true;
  }

  // The slot that belongs to the worker's place is preferred, if places matter.
  pool_internal::Slot* OccupyAsWorker(Arena& arena, int number) {
    return arena.OccupyAsWorker(pool_.places_.empty() ? -1 : number + 1);
  }

  void Wake(int number) {
    has_woken_ = true;
    CountWake();
    pool_.workers_[static_cast<std::size_t>(number)]->Call(caller_);
  }
  // No worker is free to come.
  void WakeWaiter(Arena& arena) {
    if (arena.WakeWaiter()) CountWake();
    if (arena.HasEnqueued()) pool_.guard_->Watch(arena);
  }

  // Whether a worker was called.
  bool has_woken() const { return has_woken_; }

 private:
  // The calling thread has called another one.
  void CountWake() {
    pool_.wakes_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
    const pool_internal::Slot* const slot = pool_internal::current_slot;
    if (slot != nullptr && slot->trace != nullptr) {
      slot->trace->Record(pool_internal::TraceKind::kWake);
    }
  }

  Pool& pool_;
  const pool_internal::Caller caller_;
  bool has_woken_ = false;
};

}  // namespace filch

#endif  // FILCH_POOL_POOL_HOST_H_

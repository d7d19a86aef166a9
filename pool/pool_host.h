// Pool::Host: a pool as its Workforce sees it.
//
// Scheduler-internal; a part of pool.cc that worker.cc needs, too.  Any thread.
#ifndef FILCH_POOL_POOL_HOST_H_
#define FILCH_POOL_POOL_HOST_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/pool.h"
#include "filch/pool/worker.h"

namespace filch {

class Pool::Host {
 public:
  explicit Host(Pool& pool) : pool_(pool) {}

  std::mutex& mutex() { return pool_.mutex_; }
  Arena* ArenaAt(std::size_t place) const { return pool_.ArenaAt(place); }
  const std::vector<std::unique_ptr<Arena>>& arenas() const { return pool_.arenas_; }

  // False: the system has no thread or no memory for us.  The threads that there
  // are do the work; the next call tries again.
  bool AddWorker(int number) {
    auto& workers = pool_.workers_;
    try {
      // In its place before it starts: it may be called at once.
      workers.push_back(std::make_unique<pool_internal::Worker>(pool_, number));
      workers.back()->Start(pool_.name_);
    } catch (...) {
      workers.resize(static_cast<std::size_t>(number));
      return false;
    }
    return true;
  }

  void Wake(int number) {
    pool_.wakes_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
    pool_.workers_[static_cast<std::size_t>(number)]->Unpark();
  }
  void WakeWaiter(Arena& arena) {
    if (arena.WakeWaiter()) pool_.wakes_.fetch_add(1, std::memory_order_relaxed);  // A1: see above
  }

 private:
  Pool& pool_;
};

}  // namespace filch

#endif  // FILCH_POOL_POOL_HOST_H_

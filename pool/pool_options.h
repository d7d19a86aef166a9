// PoolOptions: how many threads a pool has, where they run, and what they do when there is no work.
//
// Values.
#ifndef FILCH_POOL_POOL_OPTIONS_H_
#define FILCH_POOL_POOL_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "filch/pool/idle_mode.h"
#include "filch/pool/worker_place.h"
#include "filch/topology/cpu_set.h"

namespace filch {

struct PoolOptions {
  static constexpr int kExtraThread = -1;

  // How many threads work at once, the one that waits included; 0 is as many
  // as `cpus` and the quota of this process allow (topology's CpuBudget), but no more than
  // Pool::kMaxWorkers.
  int concurrency = 0;
  // What threads that find no work do until there is some.
  IdleMode idle = UsualIdleMode();
  // If it is set, each of them looks for exactly so long before it sleeps, whatever
  // `idle` says, and nobody stays on the lookout.
  std::optional<std::chrono::nanoseconds> spin;
  // Threads are called "<name>/<number>".
  std::string name = "filch";
  // Called on every worker's thread with the worker's number, before it runs
  // anything and when it is about to end.  They must not throw.  The number of the
  // extra thread (pool/queue_guard.h) is kExtraThread.
  std::function<void(int)> thread_start;
  std::function<void(int)> thread_stop;
  // Where its threads may run when they start, of the cpus that the process has; empty: where the
  // thread that makes the pool may now, outside arenas that bind it.
  CpuSet cpus;
  // Where each of them runs; empty: anywhere there.  Worker n is bound to place
  // n + 1, from the first again where there are more workers, and steals first
  // from slots whose places are near.  The first place is that of the thread from
  // outside, which nobody binds.  A worker that the system does not let go there
  // runs elsewhere, and PoolStats::unbound counts it.
  std::vector<WorkerPlace> places;
  // How many events each slot and each worker keep for TraceJson; 0 is no trace,
  // which costs nothing.  A traced task costs two looks at the clock.
  std::size_t trace_events = 0;
};

}  // namespace filch

#endif  // FILCH_POOL_POOL_OPTIONS_H_

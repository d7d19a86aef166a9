#include "filch/pool/pool.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/pool_host.h"
#include "filch/pool/slot.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/trace_json.h"
#include "filch/pool/worker.h"
#include "filch/topology/contract.h"
#include "filch/topology/cpu_budget.h"

namespace filch {

using pool_internal::Slot;
using pool_internal::Worker;

namespace {

int ConcurrencyOf(const PoolOptions& options) {
  if (options.concurrency < 0) Fail("filch::Pool: the concurrency is negative.");
  if (options.concurrency > Pool::kMaxWorkers) {
    Fail("filch::Pool: the concurrency is above filch::Pool::kMaxWorkers.");
  }
  return options.concurrency > 0 ? options.concurrency : CpuBudget::Detect().cpus;
}

}  // namespace

Pool::Pool(const PoolOptions& options)
    : concurrency_(ConcurrencyOf(options)),
      spin_(options.spin),
      name_(options.name),
      trace_events_(options.trace_events),
      workforce_(concurrency_ - 1, kMaxWorkers) {
  // Workers are found by number without the mutex, so the vector never moves.
  workers_.reserve(kMaxWorkers);
  own_arena_ = &AcquireArena({concurrency_, 1, Priority::kNormal});
  if (trace_events_ > 0) pool_internal::SlowDispatch::Need();
}

Pool::~Pool() {
  if (pool_internal::PoolOfCallingWorker() == this) {
    Fail("filch::Pool: a pool must not be destroyed by one of its own workers.");
  }
  workforce_.BeginShutdown();
  {
    // Whoever held the mutex may have started a worker; from now on nobody does.
    const std::lock_guard<std::mutex> lock(mutex_);
  }
  for (const auto& worker : workers_) worker->Unpark();
  for (const auto& worker : workers_) worker->Join();
  // What found no worker (none could be started) runs here.
  while (RunWhatIsLeft()) {
  }
  if (trace_events_ > 0) pool_internal::SlowDispatch::NoNeed();
}

bool Pool::RunWhatIsLeft() {
  bool left = false;
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    if (!arena->LooksBusy()) continue;
    left = true;
    Slot* const slot = arena->OccupyToHelp();
    if (slot == nullptr) Fail("filch::Pool: a pool was destroyed with a thread inside.");
    const pool_internal::EnterScope scope(*slot);
    pool_internal::RunAll(*slot);
  }
  return left;
}

void Pool::SetWorkerLimit(int limit) {
  if (limit < 0) Fail("filch::Pool::SetWorkerLimit: the limit is negative.");
  limit = std::min(limit, kMaxWorkers);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!workforce_.SetLimit(limit)) return;
    for (const auto& worker : workers_) worker->Unpark();
  }
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    // Where somebody is wanted already, pushers rely on that.
    if (arena->wanted().IsSet() || arena->LooksBusy()) Recruit(*arena);
  }
}

bool Pool::CouldCome(const Arena& arena) const { return workforce_.CouldCome(arena); }

void Pool::Recruit(Arena& arena) noexcept {
  Host host(*this);
  workforce_.Recruit(host, arena);
}

Arena* Pool::ArenaAt(std::size_t place) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return place < arenas_.size() ? arenas_[place].get() : nullptr;
}

Arena& Pool::AcquireArena(const ArenaOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto free = free_arenas_.begin(); free != free_arenas_.end(); ++free) {
    Arena& arena = **free;
    if (arena.options() == options && !arena.HasQueued()) {
      free_arenas_.erase(free);
      return arena;
    }
  }
  free_arenas_.reserve(arenas_.size() + 1);  // so that ReleaseArena cannot fail
  const auto place = std::find_if(arenas_.begin(), arenas_.end(), [&options](const auto& arena) {
    return arena->options().priority < options.priority;
  });
  return **arenas_.insert(place, std::make_unique<Arena>(static_cast<Recruiter&>(*this), spin_,
                                                         options, trace_events_));
}

void Pool::ReleaseArena(Arena& arena) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_arenas_.push_back(&arena);
}

std::string Pool::TraceJson() const {
  pool_internal::TraceJson json;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t number = 0; number < arenas_.size(); ++number) {
    Arena& arena = *arenas_[number];
    for (int i = 0; i < arena.slot_count(); ++i) {
      if (arena.slot(i).trace == nullptr) continue;
      const std::vector<pool_internal::TraceEvent> events = arena.slot(i).trace->Read();
      if (events.empty()) continue;
      json.AddRow("arena " + std::to_string(number) + ", slot " + std::to_string(i), events);
    }
  }
  return json.Text();
}

PoolStats Pool::Stats() const {
  PoolStats stats;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& arena : arenas_) {
    for (int i = 0; i < arena->slot_count(); ++i) arena->slot(i).stats.AddTo(stats);
  }
  stats.wakes = wakes_.load(std::memory_order_relaxed);  // A1: a statistic
  stats.workers = static_cast<int>(workers_.size());
  return stats;
}

}  // namespace filch

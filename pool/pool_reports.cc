// What a pool shows of itself: counters, a trace, and who has what to do.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_list.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/stats.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/trace_json.h"
#include "filch/pool/worker.h"

namespace filch {

using pool_internal::Slot;

std::string Pool::Dump() const {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const auto count = [](auto number) { return std::to_string(number); };
  std::string text = "pool \"" + name_ + "\": workers " + count(workforce_.count()) + ", limit " +
                     count(worker_limit()) + ", asleep " + count(workforce_.ApproximateSleepers()) +
                     ", refused by the system " +
                     count(refused_.load(std::memory_order_relaxed)) +                   // A1
                     ", wakes " + count(wakes_.load(std::memory_order_relaxed)) + "\n";  // A1
  for (std::size_t i = 0; i < arenas_.size(); ++i) {
    text += "arena " + count(i) + ": " + arenas_.At(i)->Describe(now);
  }
  return text;
}

std::string Pool::TraceJson() const {
  pool_internal::TraceJson json;
  const std::lock_guard lock(mutex_);
  for (std::size_t number = 0; number < arenas_.size(); ++number) {
    for (const Slot& slot : arenas_.At(number)->slots()) {
      if (slot.trace == nullptr) continue;
      const std::vector<pool_internal::TraceEvent> events = slot.trace->Read();
      if (events.empty()) continue;
      json.AddRow("arena " + std::to_string(number) + ", slot " + std::to_string(slot.index),
                  events);
    }
  }
  for (std::size_t number = 0; number < workers_.size(); ++number) {
    if (workers_[number]->trace() == nullptr) continue;
    json.AddRow("worker " + std::to_string(number), workers_[number]->trace()->Read());
  }
  return json.Text();
}

PoolStats Pool::Stats() const {
  PoolStats stats;
  const std::lock_guard lock(mutex_);
  for (const auto& arena : arenas_) {
    for (const Slot& slot : arena->slots()) slot.stats.AddTo(stats);
  }
  for (const auto& worker : workers_) worker->AddTo(stats);
  stats.wakes = wakes_.load(std::memory_order_relaxed);      // A1: a statistic
  stats.refused = refused_.load(std::memory_order_relaxed);  // A1: a statistic
  stats.unbound = unbound_.load(std::memory_order_relaxed);  // A1: a statistic
  stats.workers = workforce_.count();
  return stats;
}

}  // namespace filch

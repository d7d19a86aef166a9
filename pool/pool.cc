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
#include "filch/pool/arena_hook.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/queue_guard.h"
#include "filch/pool/slot.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/trace_json.h"
#include "filch/pool/worker.h"
#include "filch/topology/contract.h"
#include "filch/topology/cpu_budget.h"
#include "filch/topology/thread_binding.h"

namespace filch {

using pool_internal::ForkedChild;
using pool_internal::QueueGuard;
using pool_internal::Slot;
using pool_internal::Worker;
using Wanted = Arena::Wanted;

namespace {

int ConcurrencyOf(const PoolOptions& options) {
  if (options.concurrency < 0) Fail("filch::Pool: the concurrency is negative.");
  if (options.concurrency > Pool::kMaxWorkers) {
    Fail("filch::Pool: the concurrency is above filch::Pool::kMaxWorkers.");
  }
  return options.concurrency > 0 ? options.concurrency : CpuBudget::Detect().cpus;
}

[[noreturn]] void FailWithThreadInside() {
  Fail("filch::Pool: a pool was destroyed with a thread inside.");
}

}  // namespace

Pool::Pool(const PoolOptions& options)
    : concurrency_(ConcurrencyOf(options)),
      spin_(options.spin),
      name_(options.name),
      thread_start_(options.thread_start),
      thread_stop_(options.thread_stop),
      places_(options.places),
      trace_events_(options.trace_events),
      worker_limit_(concurrency_ - 1) {
  ForkedChild::MustNotBeThisProcess();
  // Workers are found by number without the mutex, so the vector never moves.
  workers_.reserve(kMaxWorkers);
  own_arena_ = &AcquireArena({concurrency_, 1, Priority::kNormal});
  guard_ = std::make_unique<QueueGuard>(
      [this] {
        pool_internal::BecomeThreadOf(*this, name_ + "/extra");
        if (thread_start_) thread_start_(PoolOptions::kExtraThread);
      },
      [this] {
        if (thread_stop_) thread_stop_(PoolOptions::kExtraThread);
      });
  if (trace_events_ > 0) pool_internal::SlowDispatch::Need();
  ForkedChild::Tell(*this);
}

Pool::~Pool() {
  if (ForkedChild::IsThisProcess()) {
    ForkedChild::TellNoMore(*this);
    // There is no thread to join, and what the others were doing is never done.
    static_cast<void>(guard_.release());
    for (auto& worker : workers_) static_cast<void>(worker.release());
    for (auto& arena : arenas_) static_cast<void>(arena.release());
    return;
  }
  if (pool_internal::PoolOfCallingWorker() == this) {
    Fail("filch::Pool: a pool must not be destroyed by one of its own workers.");
  }
  guard_->Stop();
  shutting_down_.store(true, std::memory_order_seq_cst);  // P2: before the look for sleepers
  {
    // Whoever held the mutex may have started a worker; from now on nobody does.
    const std::lock_guard<std::mutex> lock(mutex_);
  }
  for (const auto& worker : workers_) worker->Unpark();
  for (const auto& worker : workers_) worker->Join();
  // What found no worker (none could be started) runs here.
  while (RunWhatIsLeft()) {
  }
  for (const auto& arena : arenas_) {
    if (arena->HasThreads()) FailWithThreadInside();
  }
  ForkedChild::TellNoMore(*this);
  if (trace_events_ > 0) pool_internal::SlowDispatch::NoNeed();
}

bool Pool::RunWhatIsLeft() {
  bool left = false;
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    if (!arena->LooksBusy()) continue;
    left = true;
    Slot* const slot = arena->OccupyToHelp();
    if (slot == nullptr) FailWithThreadInside();
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
    if (worker_limit_.exchange(limit, std::memory_order_seq_cst) >= limit) return;  // P1: then call
    for (const auto& worker : workers_) worker->Unpark();
  }
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    if (arena->LooksBusy()) Recruit(*arena);
  }
}

void Pool::RetireWorkers() {
  if (pool_internal::PoolOfCallingWorker() == this) {
    Fail("filch::Pool::RetireWorkers: a worker cannot wait for its own end.");
  }
  const std::lock_guard<std::mutex> one_at_a_time(retire_mutex_);
  std::size_t count = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    retiring_.store(true, std::memory_order_seq_cst);  // P4: before the look for sleepers
    count = static_cast<std::size_t>(worker_count_.load(std::memory_order_relaxed));  // P3: mutex
    for (std::size_t i = 0; i < count; ++i) workers_[i]->Unpark();
  }
  for (std::size_t i = 0; i < count; ++i) workers_[i]->Join();
  guard_->Retire();
  worker_count_.store(0, std::memory_order_seq_cst);  // P3: none is left
  retiring_.store(false, std::memory_order_seq_cst);  // P4: then call
  // Calls that nobody could follow meanwhile.
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    if (arena->LooksBusy() ||
        arena->wanted().load(std::memory_order_seq_cst) == Wanted::kWanted) {  // W3: as a caller
      Recruit(*arena);
    }
  }
}

int Pool::arenas_in_use() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int>(arenas_.size() - free_arenas_.size()) - 1;  // the pool's own
}

bool Pool::MayServe(int number, const Arena& arena) const {
  return number < worker_limit() || (number == 0 && arena.NeedsWorker());
}

int Pool::LimitFor(const Arena& arena) const {
  if (retiring_.load(std::memory_order_seq_cst)) return 0;          // P4: after W3
  const int limit = worker_limit_.load(std::memory_order_seq_cst);  // P1: after W3
  return std::max(limit, arena.NeedsWorker() ? 1 : 0);
}

int Pool::OpeningsIn(const Arena& arena) const {
  return arena.HasWorkerSlots() || arena.NeedsWorker() ? LimitFor(arena) : 0;
}

bool Pool::CouldCome(const Arena& arena) const {
  const int limit = OpeningsIn(arena);
  return limit > 0 && (worker_count_.load(std::memory_order_seq_cst) < limit ||  // P3: after the
                       free_workers_.load(std::memory_order_seq_cst) > 0);       // P3: own search
}

void Pool::Recruit(Arena& arena) noexcept {
  // W3: one call at a time; whoever answers it looks at everything afterwards.
  if (arena.wanted().exchange(Wanted::kComing, std::memory_order_seq_cst) == Wanted::kComing) {
    return;
  }
  int openings;
  do {
    openings = OpeningsIn(arena);
    if (openings > 0) {
      const int number = sleepers_.Claim();
      if (number >= 0) {
        wakes_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
        workers_[static_cast<std::size_t>(number)]->Unpark();
        return;
      }
      if (StartWorker(arena)) return;
    }
    // Nobody is free: the next one that becomes free will look.
    Wanted coming = Wanted::kComing;
    arena.wanted().compare_exchange_strong(coming, Wanted::kWanted,
                                           std::memory_order_seq_cst,  // W3
                                           std::memory_order_seq_cst);
    // Whoever called meanwhile, for a task just enqueued or because the limit was
    // raised, has relied on this call, which may have looked too early.
  } while (OpeningsIn(arena) > openings &&
           arena.wanted().exchange(Wanted::kComing, std::memory_order_seq_cst) !=  // W3
               Wanted::kComing);
  if (arena.WakeWaiter()) wakes_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
  if (arena.HasQueued()) guard_->Watch(arena);
}

bool Pool::StartWorker(const Arena& arena) {
  // P3: a hint; the mutex decides.
  if (worker_count_.load(std::memory_order_relaxed) >= LimitFor(arena)) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  const int number = worker_count_.load(std::memory_order_relaxed);  // P3: the mutex
  if (number >= LimitFor(arena) || shutting_down_.load(std::memory_order_relaxed)) return false;
  free_workers_.fetch_add(1, std::memory_order_seq_cst);  // P3: before it is counted
  try {
    // In its place before it starts: it may be called at once.  One that has been
    // retired is there already.
    if (static_cast<std::size_t>(number) == workers_.size()) {
      workers_.push_back(std::make_unique<Worker>(*this, number));
    }
    workers_[static_cast<std::size_t>(number)]->Start(
        name_, worker_stack_size_.load(std::memory_order_relaxed));  // P1: as the limit
  } catch (...) {
    // The system has no thread or no memory for us.  The threads that there are
    // do the work; the next call tries again.
    refused_.fetch_add(1, std::memory_order_relaxed);       // A1: a statistic
    free_workers_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it never came to be
    return false;
  }
  worker_count_.store(number + 1, std::memory_order_seq_cst);  // P3: it can be called
  return true;
}

void Pool::BindWorker(int number) {
  if (places_.empty()) return;
  const std::size_t place = (static_cast<std::size_t>(number) + 1) % places_.size();
  if (!BindThisThread(places_[place].cpus).ok()) {
    unbound_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
  }
}

Slot* Pool::FindWanted(int number) {
  // The slot that belongs to the worker's place, if places matter.
  const int preferred = places_.empty() ? -1 : number + 1;
  Slot* found = nullptr;
  bool others = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& arena : arenas_) {
      if (arena->wanted().load(std::memory_order_seq_cst) == Wanted::kNobody ||  // W3: after Add
          !MayServe(number, *arena)) {
        continue;
      }
      if (found != nullptr) {
        others = true;
        break;
      }
      found = arena->OccupyAsWorker(preferred);
      if (found == nullptr) {
        arena->MarkFull();
        found = arena->OccupyAsWorker(preferred);
      }
      if (found == nullptr && arena->AnswerWanted()) {
        // A task that was enqueued before the answer opens the extra slot.
        found = arena->OccupyAsWorker(preferred);
        if (found == nullptr) arena->WakeWaiter();
      }
      if (found == nullptr) continue;
      arena->StartSearching(true);
      arena->AnswerWanted();
      free_workers_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it searches
    }
  }
  // This worker may have been called for an arena that it does not go to.
  if (others) PassOn();
  return found;
}

void Pool::PassOn() {
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    Wanted coming = Wanted::kComing;
    if (arena->wanted().compare_exchange_strong(coming, Wanted::kWanted,
                                                std::memory_order_seq_cst,  // W3: call again
                                                std::memory_order_seq_cst)) {
      Recruit(*arena);
    }
  }
}

void Pool::AbandonInChild() {
  for (const auto& arena : arenas_) arena->AbandonInChild();
}

Arena* Pool::ArenaAt(std::size_t place) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return place < arenas_.size() ? arenas_[place].get() : nullptr;
}

Arena& Pool::AcquireArena(const ArenaOptions& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto free = free_arenas_.begin(); free != free_arenas_.end(); ++free) {
    Arena& arena = **free;
    // Who left a hook with the arena's last owner shall not hear of the next one.
    if (arena.options() == options && !arena.HasQueued() && !pool_internal::ArenaHasHook(arena)) {
      free_arenas_.erase(free);
      return arena;
    }
  }
  free_arenas_.reserve(arenas_.size() + 1);  // so that ReleaseArena cannot fail
  const auto place = std::find_if(arenas_.begin(), arenas_.end(), [&options](const auto& arena) {
    return arena->options().priority < options.priority;
  });
  auto arena =
      std::make_unique<Arena>(static_cast<Recruiter&>(*this), spin_, options, trace_events_);
  if (!places_.empty()) arena->PlaceSlots(places_);
  return **arenas_.insert(place, std::move(arena));
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
  stats.wakes = wakes_.load(std::memory_order_relaxed);           // A1: a statistic
  stats.refused = refused_.load(std::memory_order_relaxed);       // A1: a statistic
  stats.unbound = unbound_.load(std::memory_order_relaxed);       // A1: a statistic
  stats.workers = worker_count_.load(std::memory_order_relaxed);  // P3: a statistic
  return stats;
}

}  // namespace filch

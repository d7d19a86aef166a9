#include "filch/pool/pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_list.h"
#include "filch/pool/arena_options.h"
#include "filch/pool/caller.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/first_use.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/pool_host.h"
#include "filch/pool/pool_options.h"
#include "filch/pool/process_mutex.h"
#include "filch/pool/queue_guard.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay_binding.h"
#include "filch/pool/task_memory.h"
#include "filch/pool/wait_table.h"
#include "filch/pool/worker.h"
#include "filch/topology/contract.h"
#include "filch/topology/cpu_budget.h"
#include "filch/topology/fp_control.h"
#include "filch/topology/thread_binding.h"

namespace filch {

using pool_internal::Caller;
using pool_internal::ForkedChild;
using pool_internal::QueueGuard;
using pool_internal::Slot;
using pool_internal::Worker;

namespace {

int ConcurrencyOf(const PoolOptions& options, const CpuSet& cpus) {
  if (options.concurrency < 0) Fail("filch::Pool: the concurrency is negative.");
  if (options.concurrency > Pool::kMaxWorkers) {
    Fail("filch::Pool: the concurrency is above filch::Pool::kMaxWorkers.");
  }
  if (options.concurrency > 0) return options.concurrency;
  CpuBudgetOptions budget;
  if (!cpus.empty()) budget.affinity = cpus;
  return std::min(CpuBudget::Detect(budget).cpus, Pool::kMaxWorkers);
}

pool_internal::IdleTimes TimesOf(const PoolOptions& options) {
  if (!options.spin) return pool_internal::IdleTimesOf(options.idle);
  pool_internal::IdleTimes times;
  // Times are added to the clock's.
  times.spin = std::min<std::chrono::nanoseconds>(*options.spin, std::chrono::hours(24));
  return times;
}

[[noreturn]] void FailWithThreadInside() {
  Fail("filch::Pool: a pool was destroyed with a thread inside.");
}

// What the pool of a forked child leaves behind: other threads were in the middle of
// it.
struct Remains {
  std::unique_ptr<QueueGuard> guard;
  std::vector<std::unique_ptr<Worker>> workers;
  pool_internal::ArenaList arenas;
};

// Where a leak checker finds it.
void KeepForEver(Remains remains) {
  struct Kept {
    pool_internal::ProcessMutex mutex;
    std::vector<Remains> remains;
  };
  static pool_internal::FirstUse<Kept> first_use;
  Kept& kept = first_use.Get();
  const std::lock_guard<pool_internal::ProcessMutex> lock(kept.mutex);
  kept.remains.push_back(std::move(remains));
}

}  // namespace

Pool::Pool(const PoolOptions& options)
    : ForkListener(Order::kPool),
      cpus_(options.cpus.empty() ? pool_internal::BindingOutsideArenas() : options.cpus),
      concurrency_(ConcurrencyOf(options, cpus_)),
      idle_times_(TimesOf(options)),
      name_(options.name),
      thread_start_(options.thread_start),
      thread_stop_(options.thread_stop),
      places_(options.places),
      trace_events_(options.trace_events),
      fp_settings_(FpControl::Read()),
      workforce_(concurrency_ - 1, kMaxWorkers) {
  ForkedChild::MustNotBeThisProcess();
  // Made now, for FirstUse must not come with the pool's lock held.
  pool_internal::GlobalTaskDepot();
  pool_internal::GlobalWaitTable();
  // Workers are found by number without the mutex, so the vector never moves.
  workers_.reserve(kMaxWorkers);
  own_arena_ = &AcquireArena({concurrency_, 1, Priority::kNormal});
  guard_ = std::make_unique<QueueGuard>(
      [this, extra_name = name_ + "/extra"] {
        pool_internal::BecomeThreadOf(*this, extra_name);
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
    KeepForEver({std::move(guard_), std::move(workers_), std::move(arenas_)});
    return;
  }
  if (pool_internal::PoolOfCallingWorker() == this) {
    Fail("filch::Pool: a pool must not be destroyed by one of its own workers.");
  }
  guard_->Stop();
  workforce_.BeginShutdown();
  {
    // Whoever held the mutex may have started a worker; from now on nobody does.
    const std::lock_guard lock(mutex_);
  }
  for (const auto& worker : workers_) worker->Unpark();
  for (const auto& worker : workers_) worker->Join();
  // What found no worker (none could be started) runs here.
  while (RunWhatIsLeft()) {
  }
  for (const auto& arena : arenas_) {
    if (arena->slots().AnyIsOccupied()) FailWithThreadInside();
  }
  ForkedChild::TellNoMore(*this);
  if (trace_events_ > 0) pool_internal::SlowDispatch::NoNeed();
}

bool Pool::RunWhatIsLeft() {
  bool left = false;
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    if (!arena->LooksBusy()) continue;
    left = true;
    Slot* const slot = arena->slots().OccupyToHelp();
    if (slot == nullptr) FailWithThreadInside();
    const pool_internal::EnterScope scope(*slot);
    pool_internal::RunAll(*slot);
  }
  return left;
}

void Pool::SetWorkerLimit(int limit) {
  if (limit < 0) Fail("filch::Pool::SetWorkerLimit: the limit is negative.");
  limit = std::min(limit, kMaxWorkers);
  if (limit == workforce_.limit() || !workforce_.SetLimit(limit)) return;
  {
    const std::lock_guard lock(mutex_);
    workforce_.ForSuperfluous(
        [this](int number) { workers_[static_cast<std::size_t>(number)]->Unpark(); });
    if (std::none_of(arenas_.begin(), arenas_.end(),
                     [&](const auto& arena) { return arena->MayWantWorkers(); })) {
      return;
    }
  }
  CallWhereWanted();
}

void Pool::CallWhereWanted() {
  for (std::size_t i = 0; Arena* const arena = ArenaAt(i); ++i) {
    if (arena->MayWantWorkers()) Recruit(*arena, 1, Caller::kHandsOver);
  }
}

void Pool::RetireWorkers() {
  if (pool_internal::PoolOfCallingWorker() == this) {
    Fail("filch::Pool::RetireWorkers: a worker cannot wait for its own end.");
  }
  const std::lock_guard<std::mutex> one_at_a_time(retire_mutex_);
  std::size_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    count = static_cast<std::size_t>(workforce_.BeginRetirement());
    for (std::size_t i = 0; i < count; ++i) workers_[i]->Unpark();
  }
  for (std::size_t i = 0; i < count; ++i) workers_[i]->Join();
  guard_->Retire();
  workforce_.EndRetirement();
  // Calls that nobody could follow meanwhile.
  CallWhereWanted();
}

int Pool::arenas_in_use() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(arenas_.size() - arenas_.free()) - 1;  // the pool's own
}

int Pool::workers() const {
  const std::lock_guard lock(mutex_);
  return workforce_.count();
}

bool Pool::CouldCome(Arena& arena) const { return workforce_.CouldCome(arena); }

bool Pool::CanCall(Arena& arena) const { return workforce_.CanCall(arena); }

void Pool::ShowNote(Arena& arena) noexcept { workforce_.ShowNote(arena); }

void Pool::Recruit(Arena& arena, std::uint32_t most, Caller caller) noexcept {
  Host host(*this, caller);
  workforce_.Recruit(host, arena, most);
  // If Linux has put the worker on this cpu, behind its caller, it would begin when the caller's
  // time there is over: milliseconds, if the caller does not sleep.
  if (host.has_woken() && caller == Caller::kHandsOver) std::this_thread::yield();
}

void Pool::BeginSleepingWait(bool serves_queue) noexcept {
  if (!serves_queue && pool_internal::PoolOfCallingWorker() == this) {
    waiting_workers_.fetch_add(1, std::memory_order_relaxed);  // H5: a hint
  }
  Host host(*this);
  workforce_.BeginSleepingWait(host);
}

void Pool::EndSleepingWait(bool serves_queue) noexcept {
  workforce_.EndSleepingWait();
  if (!serves_queue && pool_internal::PoolOfCallingWorker() == this) {
    waiting_workers_.fetch_sub(1, std::memory_order_relaxed);  // H5: a hint
  }
}

bool Pool::WorkerSleepsInWait() const {
  return waiting_workers_.load(std::memory_order_relaxed) > 0;  // H5: the guard looks again
}

std::int64_t Pool::LookForStepsBeside(const Arena& arena) {
  if (workforce_.limit() == 0) return 0;
  std::int64_t steps = 0;
  for (std::size_t i = 0; Arena* const other = ArenaAt(i); ++i) {
    if (other != &arena && other->priority() <= arena.priority()) steps += other->LookForSteps();
  }
  return steps;
}

void Pool::BindWorker(int number) {
  if (places_.empty()) return;
  const std::size_t place = (static_cast<std::size_t>(number) + 1) % places_.size();
  bool bound = false;
  try {
    bound = BindThisThread(places_[place].cpus).ok();
  } catch (const std::bad_alloc&) {
    // That may be for the answer alone; a worker that is bound and not said to be does no harm.
  }
  if (!bound) unbound_.fetch_add(1, std::memory_order_relaxed);  // A1: a statistic
}

bool Pool::IsIdle() const {
  const std::lock_guard lock(mutex_);
  return std::none_of(arenas_.begin(), arenas_.end(), [this](const auto& arena) {
    return arena->slots().AnyIsOccupied() || (arena->LooksBusy() && workforce_.CouldCome(*arena));
  });
}

void Pool::LockForFork() {
  // Not waited for: the workers that somebody retires may be what forks.
  const bool locked = retire_mutex_.try_lock();
  mutex_.lock();
  retire_is_locked_ = locked;
}

void Pool::UnlockAfterFork() {
  const bool locked = std::exchange(retire_is_locked_, false);
  mutex_.unlock();
  if (locked) retire_mutex_.unlock();
}

bool Pool::IsAtRest() const {
  if (!retire_is_locked_ || workforce_.count() > 0) return false;
  const Slot* own = pool_internal::current_slot;
  if (own == nullptr) own = pool_internal::attached_slot;
  if (own != nullptr && own->depth > 0) return false;
  // Every arena is free, but for the pool's own and the one where the thread is, or will be.
  std::size_t free_or_own = arenas_.free() + 1;
  for (const auto& arena : arenas_) {
    if (arena->LooksBusy() || arena->slots().AnyIsOccupied(own)) return false;
    if (own != nullptr && own->arena == arena.get() && arena.get() != own_arena_) ++free_or_own;
  }
  return free_or_own == arenas_.size() && !guard_->HasThread();
}

void Pool::BeginInChild(bool all_at_rest) {
  if (all_at_rest) return;
  for (const auto& arena : arenas_) arena->AbandonInChild();
}

Arena* Pool::ArenaAt(std::size_t place) const {
  const std::lock_guard lock(mutex_);
  return arenas_.At(place);
}

Arena& Pool::AcquireArena(const ArenaOptions& wanted) {
  ArenaOptions options = wanted;
  if (options.fp_settings == 0) options.fp_settings = FpControl::Read();
  const std::lock_guard lock(mutex_);
  if (Arena* const arena = arenas_.TakeFree(options)) return *arena;
  auto arena =
      std::make_unique<Arena>(static_cast<Recruiter&>(*this), idle_times_, options, trace_events_);
  if (!places_.empty()) arena->PlaceSlots(places_);
  return arenas_.Add(std::move(arena));
}

void Pool::ReleaseArena(Arena& arena) {
  const std::lock_guard lock(mutex_);
  arenas_.Release(arena);
}

}  // namespace filch

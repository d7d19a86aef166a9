#include "../include/oneapi/tbb/global_control.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "../include/oneapi/tbb/task_arena.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/first_use.h"
#include "filch/pool/pool.h"
#include "filch/pool/process_mutex.h"
#include "filch/pool/slot.h"
#include "filch/pool/worker.h"
#include "filch/tbb_compat/src/scheduler_handles.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

using Control = d1::global_control;
using filch::pool_internal::ProcessMutex;

// What a thread of the program gets unless it asks the system for more.
constexpr std::size_t kDefaultStackSize = std::size_t{4} << 20;

// The live settings, and what follows from them.
class Settings {
 public:
  Settings() {
    for (int what = 0; what < Control::parameter_max; ++what) {
      active_[what].store(Effective(what), std::memory_order_relaxed);  // S1: as below
    }
  }

  void Add(int what, std::size_t value) {
    const std::lock_guard<ProcessMutex> lock(mutex_);
    const std::optional<std::size_t> before = Decisive(what);
    std::vector<std::size_t>& values = values_[what];
    values.insert(std::upper_bound(values.begin(), values.end(), value), value);
    if (Decisive(what) != before) Apply(what);
  }

  void Remove(int what, std::size_t value) {
    const std::lock_guard<ProcessMutex> lock(mutex_);
    const std::optional<std::size_t> before = Decisive(what);
    std::vector<std::size_t>& values = values_[what];
    values.erase(std::lower_bound(values.begin(), values.end(), value));
    if (Decisive(what) != before) Apply(what);
  }

  std::size_t Active(int what) const {
    if (what == Control::scheduler_handle) return handles_.Any();
    return active_[what].load(std::memory_order_relaxed);  // S1: a number that orders nothing
  }

  // Threads that somebody wants to be there, if they are allowed.
  void Want(std::size_t threads) {
    const std::lock_guard<ProcessMutex> lock(mutex_);
    wanted_.insert(std::upper_bound(wanted_.begin(), wanted_.end(), threads), threads);
    Apply(Control::max_allowed_parallelism);
  }
  void WantNoMore(std::size_t threads) {
    const std::lock_guard<ProcessMutex> lock(mutex_);
    wanted_.erase(std::lower_bound(wanted_.begin(), wanted_.end(), threads));
    Apply(Control::max_allowed_parallelism);
  }

  SchedulerHandles& handles() { return handles_; }

 private:
  // The value that holds, if there is any.
  std::optional<std::size_t> Decisive(int what) const {
    const std::vector<std::size_t>& values = values_[what];
    if (values.empty()) return std::nullopt;
    return what == Control::max_allowed_parallelism ? values.front() : values.back();
  }

  // With the mutex, or before others know the object.
  std::size_t Effective(int what) const {
    if (const std::optional<std::size_t> value = Decisive(what)) return *value;
    switch (what) {
      case Control::max_allowed_parallelism:
        return static_cast<std::size_t>(filch::DefaultPool().concurrency());
      case Control::thread_stack_size:
        return kDefaultStackSize;
      default:
        return 0;
    }
  }

  void Apply(int what) {
    const std::size_t value = Effective(what);
    active_[what].store(value, std::memory_order_relaxed);  // S1: as above
    if (what == Control::max_allowed_parallelism) {
      const auto most = static_cast<std::size_t>(filch::Pool::kMaxWorkers);
      const bool any = values_[what].empty() && !wanted_.empty();
      const std::size_t threads = any ? std::max(value, wanted_.back()) : value;
      filch::DefaultPool().SetWorkerLimit(static_cast<int>(std::min(threads - 1, most)));
    } else if (what == Control::leave_policy) {
      filch::DefaultPool().SetLeaveFast(
          value == static_cast<std::size_t>(d1::task_arena::leave_policy::fast));
    } else if (what == Control::thread_stack_size) {
      filch::DefaultPool().SetWorkerStackSize(values_[what].empty() ? 0 : value);
    }
  }

  // Held while the pool's are taken.
  ProcessMutex mutex_{ProcessMutex::Order::kFirst};
  // In rising order, and with the room that they once had: a change allocates nothing then.
  std::vector<std::size_t> values_[Control::parameter_max];
  std::vector<std::size_t> wanted_;
  // What Active tells without a lock.
  std::atomic<std::size_t> active_[Control::parameter_max];
  SchedulerHandles handles_;
};

// Never destroyed: a global_control may be a static object.
Settings& TheSettings() {
  static filch::pool_internal::FirstUse<Settings> settings;
  if (Settings* const made = settings.Find()) return *made;
  // Before, and not in the lock of Get: see BeforeDefaultPool.
  static_cast<void>(filch::DefaultPool());
  return settings.Get();
}

// The default pool, as SchedulerHandles sees it.
class Scheduler {
 public:
  bool IsUsed() const { return !IsFree() || pool_.workers() > 0; }
  void Leave() { filch::pool_internal::DetachCallingThread(); }
  // A thread that is inside of something has stayed, and so has a worker, which may come here from
  // its last task on, as it ends.
  bool IsFree() const {
    return filch::pool_internal::current_slot == nullptr &&
           filch::pool_internal::PoolOfCallingWorker() != &pool_ && pool_.arenas_in_use() == 0;
  }
  void End() { pool_.RetireWorkers(); }

 private:
  filch::Pool& pool_ = filch::DefaultPool();
};

}  // namespace

void create(Control& control) { TheSettings().Add(control.what_, control.value_); }

void destroy(Control& control) noexcept { TheSettings().Remove(control.what_, control.value_); }

void WantThreads(std::size_t threads) { TheSettings().Want(threads); }

void WantThreadsNoMore(std::size_t threads) noexcept { TheSettings().WantNoMore(threads); }

void AddHandle() noexcept { TheSettings().handles().Add(); }

void RemoveHandle() noexcept { TheSettings().handles().Remove(); }

bool TryFinalize() noexcept { return TheSettings().handles().Finalize(Scheduler()); }

std::size_t global_control_active_value(int parameter) noexcept {
  return TheSettings().Active(parameter);
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

// task_arena: a place of its own for work, with a limit of threads.
//
// Threads in one arena share work with each other and with nobody else. An
// arena takes up to max_concurrency threads; `reserved` of its places are for
// threads of the program that call execute(). It is made at its first use.
// Constraints keep it to a part of the machine: its threads are bound to a node's
// cpus, or to cores of one kind, while they are in it.
//
//   tbb::task_arena arena(4);
//   int n = arena.execute([&] { return Count(data); });
#ifndef FILCH_TBB_COMPAT_TASK_ARENA_H_
#define FILCH_TBB_COMPAT_TASK_ARENA_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <atomic>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/_attach.h"
#include "detail/_config.h"
#include "detail/_lone_context.h"
#include "detail/_sleeping_lock.h"
#include "detail/_task.h"
#include "detail/_task_arena_base.h"
#include "detail/_task_group_context.h"
#include "detail/_task_handle.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/placed_isolation.h"
#include "info.h"
#include "task_group.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

inline filch::Priority ArenaPriority(priority_t level) {
  return level == priority_low    ? filch::Priority::kLow
         : level == priority_high ? filch::Priority::kHigh
                                  : filch::Priority::kNormal;
}

// What a plain enqueue() runs: as part of no group, so it has a context of its own.
template <typename F>
class LoneFunction {
 public:
  template <typename Source,
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<Source>, LoneFunction>>>
  explicit LoneFunction(Source&& f) : f_(std::forward<Source>(f)) {}
  void operator()() const {
    LoneContext context;
    const filch::ContextScope scope(context);
    f_();
  }

 private:
  d2::TaskFunction<F> f_;
};

class task_arena : public task_arena_base {
  // What constraints leave the choice of core types to; see info::default_concurrency.
  template <typename Selector>
  using IfSelector = decltype(static_cast<int>(
      std::declval<Selector>()(std::declval<std::tuple<int, std::size_t, std::size_t>>())));

 public:
  // Asks for the arena in which the calling thread is.
  using attach = d1::attach;

  // No arena yet, only its settings.
  task_arena(int max_concurrency = automatic, unsigned reserved_for_masters = 1,
             priority a_priority = priority::normal,
             leave_policy a_leave_policy = leave_policy::automatic)
      : settings_(On(max_concurrency, reserved_for_masters, a_priority, a_leave_policy)) {}
  task_arena(const constraints& where, unsigned reserved_for_masters = 1,
             priority a_priority = priority::normal,
             leave_policy a_leave_policy = leave_policy::automatic)
      : settings_{where, reserved_for_masters, a_priority, a_leave_policy} {}
  // The selector is called here, if where.core_type is selectable.
  template <typename Selector, typename = IfSelector<Selector>>
  task_arena(const constraints& where, Selector selector, unsigned reserved_for_masters = 1,
             priority a_priority = priority::normal,
             leave_policy a_leave_policy = leave_policy::automatic)
      : settings_{d1::WithSelectedCoreTypes(where, selector), reserved_for_masters, a_priority,
                  a_leave_policy} {}
  // The settings of the other, not its arena.
  task_arena(const task_arena& other) : settings_(other.settings_) {}
  // Joins the arena of the calling thread, or is like a new task_arena if the
  // thread is in none.
  explicit task_arena(attach) { Join(); }
  ~task_arena() {
    if (is_active()) terminate();
  }
  task_arena& operator=(const task_arena&) = delete;

  // Makes the arena now. Does nothing if there is one. Any thread, which has a place in an
  // arena of its own from then on; so it has after execute() and enqueue().
  void initialize() { Get(); }
  // The same, with other settings. Not at the same time as other calls for this object.
  void initialize(int max_concurrency, unsigned reserved_for_masters = 1,
                  priority a_priority = priority::normal,
                  leave_policy a_leave_policy = leave_policy::automatic) {
    MakeWith(On(max_concurrency, reserved_for_masters, a_priority, a_leave_policy));
  }
  void initialize(const constraints& where, unsigned reserved_for_masters = 1,
                  priority a_priority = priority::normal,
                  leave_policy a_leave_policy = leave_policy::automatic) {
    MakeWith({where, reserved_for_masters, a_priority, a_leave_policy});
  }
  template <typename Selector, typename = IfSelector<Selector>>
  void initialize(const constraints& where, Selector selector, unsigned reserved_for_masters = 1,
                  priority a_priority = priority::normal,
                  leave_policy a_leave_policy = leave_policy::automatic) {
    MakeWith({d1::WithSelectedCoreTypes(where, selector), reserved_for_masters, a_priority,
              a_leave_policy});
  }
  // Joins the arena of the calling thread, or makes one if the thread is in none. Not at the same
  // time as other calls for this object.
  void initialize(attach);

  // Gives the arena up; what is enqueued in it still runs. Not at the same time
  // as other calls for this object.
  void terminate();

  // Whether there is an arena. Any thread.
  bool is_active() const {
    return arena_.load(std::memory_order_acquire) != nullptr;  // A1: a complete arena
  }

  // How many threads may work in it at once; two while something enqueued waits or runs in
  // an arena of one place. Any thread.
  int max_concurrency() const {
    const int wanted = settings_.where.max_concurrency;
    return wanted > 1 ? wanted : MaxConcurrencyNow();
  }

  // Calls f() in the arena and returns what it returns, or throws what it
  // throws; if the arena is full, a thread inside calls it. Cancellation does not enter an
  // arena, not even the thread's own. Any thread.
  template <typename F>
  auto execute(F&& f) -> decltype(f()) {
    return filch::ExecuteIn(Get(), f);
  }

  // Has f() called in the arena by some other thread, later; nobody waits for
  // it and nothing may leave it. Any thread.
  template <typename F>
  void enqueue(F&& f) {
    filch::Enqueue(Get(), LoneFunction<std::decay_t<F>>(std::forward<F>(f)));
  }
  void enqueue(d2::task_handle&& handle) { d2::HandleAccess::Enqueue(handle, Get()); }
  // The same as a task of the group.
  template <typename F>
  void enqueue(F&& f, d2::task_group& group) {
    enqueue(group.defer(std::forward<F>(f)));
  }

  // What comes with a higher priority starts first.
  template <typename F>
  void enqueue(F&& f, priority_t level) {
    filch::Enqueue(Get(), LoneFunction<std::decay_t<F>>(std::forward<F>(f)), ArenaPriority(level));
  }

  // Gives a task of the low-level layer to the arena. Any thread. Found by its
  // arguments only.
  friend void submit(task& t, task_arena& arena, task_group_context& context, bool as_critical) {
    r1::submit(t, context, &arena.Get(), as_critical ? 1 : 0);
  }

  // The calling thread's number in its arena, or not_initialized. Any thread.
  static int current_thread_index();

  // Between the two, work comes again and again: threads stay for a moment even
  // with leave_policy::fast. Phases may overlap. After an end with `with_fast_leave`
  // they leave at once, until work brings one back. Any thread.
  void start_parallel_phase() { Get().phases().Start(); }
  void end_parallel_phase(bool with_fast_leave = false) { Get().phases().End(with_fast_leave); }

  // A phase that lasts as long as the object, which the arena must outlive.
  class parallel_phase {
   public:
    enum flags { no_flags, end_flag_fast_leave };

    explicit parallel_phase(task_arena& arena, flags end = no_flags) : arena_(arena), end_(end) {
      arena_.start_parallel_phase();
    }
    ~parallel_phase() { arena_.end_parallel_phase(end_ == end_flag_fast_leave); }
    parallel_phase(const parallel_phase&) = delete;
    parallel_phase& operator=(const parallel_phase&) = delete;

   private:
    task_arena& arena_;
    const flags end_;
  };
  // Its name and its argument in oneTBB 2022's preview.
  class scoped_parallel_phase : parallel_phase {
   public:
    explicit scoped_parallel_phase(task_arena& arena, bool with_fast_leave = false)
        : parallel_phase(arena, with_fast_leave ? end_flag_fast_leave : no_flags) {}
  };

  // Waits for the group inside the arena. Any thread.
  task_group_status wait_for(d2::task_group& group) {
    return execute([&group] { return group.wait(); });
  }
#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
  // Waits for one task of a group inside the arena, as task_group::wait_for_task. Any thread.
  task_group_status wait_for(const d2::task_completion_handle& handle) {
    return execute([&handle] { return d2::HandleAccess::Wait(handle) ? task_complete : canceled; });
  }
  task_group_status wait_for(const d2::task_handle&) = delete;  // nobody would run it
#endif

#if defined(__TBB_EXTRA_DEBUG) && __TBB_EXTRA_DEBUG
  // For tests of schedulers. Returns when nothing is queued in the arena and no thread
  // but the calling one is in it; who brings work meanwhile makes it wait on. Any thread.
  void debug_wait_until_empty();
  // How many threads may work in the arena, and how many of their places are reserved for
  // threads that come from outside. Any thread.
  int debug_max_concurrency() const { return max_concurrency(); }
  int debug_reserved_slots() const { return static_cast<int>(settings_.reserved); }
#endif

 private:
  friend class ArenaAccess;

  struct Settings {
    constraints where;
    unsigned reserved = 1;
    priority level = priority::normal;
    leave_policy leave = leave_policy::automatic;
  };
  static Settings On(int max_concurrency, unsigned reserved, priority level, leave_policy leave) {
    Settings settings{{}, reserved, level, leave};
    settings.where.max_concurrency = max_concurrency;
    return settings;
  }

  // For a use of it; the calling thread has a slot from then on.
  filch::Arena& Get() {
    filch::pool_internal::CurrentSlot();
    filch::Arena* const arena = arena_.load(std::memory_order_acquire);  // A1: a complete arena
    return arena != nullptr ? *arena : Make();
  }
  filch::Arena& Make();
  // max_concurrency, unless it was asked for.
  int MaxConcurrencyNow() const;
  // Takes the calling thread's arena; false if there is none, or one here already.
  bool Join();
  // Makes the arena with these settings unless there is one.
  void MakeWith(const Settings& settings);

  Settings settings_;
  std::atomic<filch::Arena*> arena_{nullptr};
  bool attached_ = false;
  d1::SleepingLock making_;  // held by the thread that makes the arena
};

// Whether the calling thread runs a task. Not part of oneTBB's interface yet:
// define TBB_PREVIEW_TASK_GROUP_EXTENSIONS.
inline bool is_inside_task() { return current_context() != nullptr; }

// For what works on the arena itself.
class ArenaAccess {
 public:
  // The arena, which is made if there is none. Any thread.
  static filch::Arena& Of(task_arena& arena) { return arena.Get(); }
};

// An arena for each NUMA node of the machine, with these constraints otherwise. Any
// thread.
inline std::vector<task_arena> create_numa_task_arenas(constraints other_constraints = {},
                                                       unsigned reserved_slots = 0) {
  const std::vector<numa_node_id> nodes = numa_nodes();
  std::vector<task_arena> arenas;
  arenas.reserve(nodes.size());
  for (const numa_node_id node : nodes) {
    arenas.emplace_back(other_constraints.set_numa_id(node), reserved_slots);
  }
  return arenas;
}

}  // namespace d1

namespace d2 {

// The calling thread's number in its arena, or not_initialized. Any thread.
int current_thread_index();
// How many threads may work in the calling thread's arena. Any thread.
int max_concurrency();

// Has f() called in the calling thread's arena, later. Any thread.
template <typename F>
void enqueue(F&& f) {
  filch::Enqueue(filch::CurrentArena(), d1::LoneFunction<std::decay_t<F>>(std::forward<F>(f)));
}
inline void enqueue(task_handle&& handle) { HandleAccess::Enqueue(handle, filch::CurrentArena()); }
template <typename F>
void enqueue(F&& f, task_group& group) {
  enqueue(group.defer(std::forward<F>(f)));
}

// As task_arena's, for the calling thread's arena. Any thread.
inline void start_parallel_phase() { filch::CurrentArena().phases().Start(); }
inline void end_parallel_phase(bool with_fast_leave = false) {
  filch::CurrentArena().phases().End(with_fast_leave);
}

// Calls f() and returns what it returns. While the thread waits inside, it runs
// only tasks that were made inside. Any thread.
template <typename F>
auto isolate(F&& f) -> decltype(f()) {
  const filch::pool_internal::PlacedIsolationScope scope(filch::pool_internal::CurrentSlot());
  return f();
}

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::create_numa_task_arenas;
using detail::d1::task_arena;
#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
using detail::d1::is_inside_task;
#endif
namespace this_task_arena {
using detail::d2::current_thread_index;
using detail::d2::end_parallel_phase;
using detail::d2::enqueue;
using detail::d2::isolate;
using detail::d2::max_concurrency;
using detail::d2::start_parallel_phase;
}  // namespace this_task_arena
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines them, and some programs look for them.
namespace interface7 {
using detail::d1::task_arena;
namespace this_task_arena = v1::this_task_arena;
}  // namespace interface7
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TASK_ARENA_H_

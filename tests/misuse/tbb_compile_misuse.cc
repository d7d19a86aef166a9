// What must not compile on the TBB facade; see must_not_compile.bzl.
#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#include <tbb/tbb.h>

#include <functional>
#include <utility>

#ifndef MISUSE
#define MISUSE 0
#endif

using Range = tbb::blocked_range<int>;

void Misuses() {
  [[maybe_unused]] const auto body = [](const Range&) {};
  [[maybe_unused]] const auto nothing = [] {};
  [[maybe_unused]] const auto count = [](const Range& part, int n) {
    return n + static_cast<int>(part.size());
  };

#if MISUSE == 1
  // MISUSE 1: no matching function for call
  Range without_bounds;
#endif
#if MISUSE == 2
  // MISUSE 2: deleted
  tbb::task_group group;
  tbb::task_group copy(group);
#endif
#if MISUSE == 3
  // MISUSE 3: deleted
  tbb::task_handle handle;
  tbb::task_handle copy(handle);
#endif
#if MISUSE == 4
  // MISUSE 4: deleted
  tbb::affinity_partitioner affinity;
  tbb::affinity_partitioner copy(affinity);
#endif
#if MISUSE == 5
  // MISUSE 5: no matching function for call
  tbb::parallel_for(Range(0, 9), body, tbb::affinity_partitioner());
#endif
#if MISUSE == 6
  // MISUSE 6: at least two functions
  tbb::task_group_context context;
  tbb::parallel_invoke(nothing, context);
#endif
#if MISUSE == 7
  // MISUSE 7: no matching function for call
  tbb::parallel_invoke(nothing);
#endif
#if MISUSE == 8
  // MISUSE 8: no matching function for call
  tbb::parallel_deterministic_reduce(Range(0, 9), 0, count, std::plus<int>(),
                                     tbb::auto_partitioner());
#endif
#if MISUSE == 9
  // MISUSE 9: counts with integers
  tbb::parallel_for(0.0, 9.0, [](double) {});
#endif
#if MISUSE == 10
  // MISUSE 10: deleted
  tbb::task_group_context context;
  tbb::task_group_context copy(context);
#endif
#if MISUSE == 11
  // MISUSE 11: a task_handle is moved into run()
  tbb::task_group group;
  tbb::task_handle handle = group.defer(nothing);
  group.run(handle);
#endif
#if MISUSE == 12
  // MISUSE 12: deleted
  tbb::task_group one;
  tbb::task_group two;
  one = two;
#endif
#if MISUSE == 13
  // MISUSE 13: deleted
  tbb::detail::d1::wait_context wait{1};
  tbb::detail::d1::wait_context copy(wait);
#endif
#if MISUSE == 14
  // MISUSE 14: abstract
  struct NeverCancelled : tbb::detail::d1::task {
    task* execute(tbb::detail::d1::execution_data&) override { return nullptr; }
  };
  NeverCancelled task;
#endif
#if MISUSE == 15
  // MISUSE 15: no matching function for call
  tbb::detail::d1::task* task = nullptr;
  tbb::detail::d1::spawn(*task);
#endif
#if MISUSE == 16
  // MISUSE 16: is protected within this context
  tbb::detail::d1::task* task = nullptr;
  delete task;
#endif
#if MISUSE == 17
  // MISUSE 17: is not a member of
  tbb::isolated_task_group needs_a_preview_macro;
#endif
#if MISUSE == 18
  // MISUSE 18: is protected within this context
  tbb::task_group group;
  group.m_wait_vertex.get_context();
#endif
#if MISUSE == 19
  // MISUSE 19: deleted
  tbb::task_scheduler_observer observer;
  tbb::task_scheduler_observer copy(observer);
#endif
#if MISUSE == 20
  // MISUSE 20: deleted
  tbb::task_scheduler_handle handle{tbb::attach{}};
  tbb::task_scheduler_handle copy(handle);
#endif
#if MISUSE == 21
  // MISUSE 21: deleted
  tbb::queuing_mutex mutex;
  tbb::queuing_mutex::scoped_lock lock(mutex);
  tbb::queuing_mutex::scoped_lock copy(lock);
#endif
#if MISUSE == 22
  // MISUSE 22: has no member named
  tbb::queuing_mutex fair;
  fair.lock();
#endif
#if MISUSE == 23
  // MISUSE 23: deleted
  char buffer[100];
  tbb::fixed_pool pool(buffer, sizeof(buffer));
  tbb::fixed_pool copy(pool);
#endif
#if MISUSE == 24
  // MISUSE 24: no matching function for call
  tbb::memory_pool_allocator<int> without_a_pool;
#endif
#if MISUSE == 25
  // MISUSE 25: deleted
  tbb::task_group group;
  tbb::task_handle nobody_runs_it = group.defer(nothing);
  group.wait_for_task(nobody_runs_it);
#endif
#if MISUSE == 26
  // MISUSE 26: deleted
  tbb::task_arena arena;
  tbb::task_group group;
  tbb::task_handle nobody_runs_it = group.defer(nothing);
  arena.wait_for(nobody_runs_it);
#endif
}

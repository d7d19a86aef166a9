// task_arena_base: what a task_arena can be asked for.
//
// Programs that name it do so to pass a priority on, or to compare with a constant.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_ARENA_BASE_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_ARENA_BASE_H_

#include "../info.h"
#include "_config.h"
#include "_task_group_context.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class task_arena_base {
 public:
  static constexpr int automatic = -1;        // as many threads as there are cpus; also 0 and less
  static constexpr int not_initialized = -2;  // what current_thread_index says outside
  static constexpr int selectable = -2;       // as a core type: a selector chooses

  // Workers go to arenas of higher priority first.
  enum class priority : int { low = priority_low, normal = priority_normal, high = priority_high };

  // What a thread does that finds no work: it looks around for a moment, or leaves
  // at once.
  enum class leave_policy : int { automatic, fast };

  // Asks for a part of the machine.
  using constraints = d1::constraints;

 protected:
  task_arena_base() = default;
  ~task_arena_base() = default;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_ARENA_BASE_H_

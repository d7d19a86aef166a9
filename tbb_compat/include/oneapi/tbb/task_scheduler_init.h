// task_scheduler_init: how many threads programs of TBB 2020 want.
//
// The first object of a thread gives that thread an arena of so many threads while it
// lives, more than there are cpus if that is what it says; other threads have theirs.
// A thread that has used the scheduler already keeps what it has, as with TBB 2020.
// filch needs no initialisation, so everything else is bookkeeping.  New code uses
// global_control or task_arena.
//
//   tbb::task_scheduler_init init(4);
#ifndef FILCH_TBB_COMPAT_TASK_SCHEDULER_INIT_H_
#define FILCH_TBB_COMPAT_TASK_SCHEDULER_INIT_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <memory>
#include <new>

#include "detail/_classic_names.h"  // comes along
#include "detail/_config.h"
#include "global_control.h"

namespace tbb {

// In tbb itself and not in an inline namespace: old programs declare it there.
class task_scheduler_init {
 public:
  static constexpr int automatic = -1;  // as many threads as there are cpus
  static constexpr int deferred = -2;   // not before initialize()

  __TBB_DEPRECATED_IN_VERBOSE_MODE_MSG("task_scheduler_init is not in oneTBB: use global_control")
  explicit task_scheduler_init(int number_of_threads = automatic, std::size_t stack_size = 0) {
    initialize(number_of_threads, stack_size);
  }
  ~task_scheduler_init() {
    if (active_) terminate();
  }
  task_scheduler_init(const task_scheduler_init&) = delete;
  task_scheduler_init& operator=(const task_scheduler_init&) = delete;

  // Only while it is not active.
  void initialize(int number_of_threads = automatic, std::size_t stack_size = 0);
  // Only while it is active, on the thread that initialised it.
  void terminate();

  // The same. filch's threads stay until the program ends, asleep if there is no
  // work, so there is nothing to wait for.
  void blocking_terminate() { terminate(); }
  bool blocking_terminate(const std::nothrow_t&) noexcept {
    terminate();
    return true;
  }

  bool is_active() const { return active_; }

  // How many threads `automatic` stands for. Any thread.
  static int default_num_threads();

 private:
  bool active_ = false;
  std::unique_ptr<global_control> stack_;
};

}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TASK_SCHEDULER_INIT_H_

// wait_context: a count, and the wait until it is zero.
//
// For code that makes tasks of its own (see _task.h).  Everybody else wants
// task_group.  It is the pool's WaitGroup under oneTBB's names: reserve() and
// release() may be called from any thread, and the last release() is the last
// thing that anybody does with the object, so a waiter may destroy it at once.
//
//   wait_context done{2};
//   ...  // two tasks, each of which ends with done.release()
//   wait(done, context);
#ifndef FILCH_TBB_COMPAT_DETAIL_WAIT_CONTEXT_H_
#define FILCH_TBB_COMPAT_DETAIL_WAIT_CONTEXT_H_

#include <cstdint>

#include "_config.h"
#include "filch/pool/context.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_group.h"

namespace tbb {

class task_group;

namespace detail {
inline namespace filch_1 {

namespace r1 {
// A context that no task is part of.
filch::Context& NoContext();
}  // namespace r1

namespace d1 {

class wait_context {
 public:
  wait_context(std::uint32_t count) : tasks_(r1::NoContext()) { reserve(count); }
  wait_context(const wait_context&) = delete;
  wait_context& operator=(const wait_context&) = delete;

  // Counts up; while the count is zero, only before somebody waits. Any thread.
  void reserve(std::uint32_t delta = 1) {
    for (; delta != 0; --delta) tasks_.Add();
  }
  // Counts down. After the last one the object may be gone. Any thread.
  void release(std::uint32_t delta = 1) {
    for (; delta != 0; --delta) tasks_.Withdraw();
  }
  // Whether the count is not zero. Any thread.
  bool continue_execution() const { return !tasks_.IsComplete(); }

 private:
  friend class WaitAccess;
  friend class wait_context_vertex;
  // Of a group that is made in the slot.
  wait_context(filch::Context& context, filch::pool_internal::Slot& slot) : tasks_(context, slot) {}

  filch::WaitGroup tasks_;
};

// What the facade's own classes do with it.
class WaitAccess {
 public:
  static filch::WaitGroup& Of(wait_context& wait) { return wait.tasks_; }
};

// A wait_context under the name by which task_group has it.
class wait_context_vertex {
 public:
  explicit wait_context_vertex(std::uint32_t count = 0) : wait_(count) {}

  void reserve(std::uint32_t delta = 1) { wait_.reserve(delta); }
  void release(std::uint32_t delta = 1) { wait_.release(delta); }
  bool continue_execution() const { return wait_.continue_execution(); }
  wait_context& get_context() { return wait_; }
  const wait_context& get_context() const { return wait_; }

 private:
  friend class tbb::task_group;
  wait_context_vertex(filch::Context& context, filch::pool_internal::Slot& slot)
      : wait_(context, slot) {}

  wait_context wait_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_WAIT_CONTEXT_H_

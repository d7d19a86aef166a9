// StandIn: a task in which nothing runs, with its prefix: the parent of roots that are
// waited for, and what task::self() is outside of tasks.
//
// As a task, it belongs to one thread at a time.
#ifndef FILCH_TBB_COMPAT_SRC_STAND_IN_H_
#define FILCH_TBB_COMPAT_SRC_STAND_IN_H_

#include <new>

#include "../include/oneapi/tbb/detail/_task_prefix.h"
#include "../include/oneapi/tbb/task.h"
#include "filch/pool/context.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

// An empty_task would do, but a compiler that knows one kind of task bets that all
// are of that kind.
class NoTask final : public tbb::task {
 public:
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  NoTask() = default;
#pragma GCC diagnostic pop
  tbb::task* execute() override { return nullptr; }
};

class StandIn {
 public:
  StandIn(filch::Context* context, int count) : prefix_(context, nullptr) {
    prefix_.set_predecessors(count);
    prefix_.set_state(d1::TaskPrefix::kExecuting);
    object_ = ::new (memory_) NoTask;
  }
  ~StandIn() { object_->~task(); }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  d1::TaskPrefix& prefix() { return prefix_; }

 private:
  d1::TaskPrefix prefix_;
  alignas(d1::TaskPrefix) unsigned char memory_[sizeof(NoTask)];
  tbb::task* object_;
};

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_SRC_STAND_IN_H_

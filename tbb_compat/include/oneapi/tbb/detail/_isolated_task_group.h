// isolated_task_group: a group whose functions run only on threads that wait for this very
// group, or for nothing.
//
// A thread that waits for it runs nothing else. Not part of oneTBB's interface yet: define
// TBB_PREVIEW_ISOLATED_TASK_GROUP.
#ifndef FILCH_TBB_COMPAT_DETAIL_ISOLATED_TASK_GROUP_H_
#define FILCH_TBB_COMPAT_DETAIL_ISOLATED_TASK_GROUP_H_

#include <utility>

#include "_config.h"
#include "_task_group.h"
#include "_task_group_context.h"
#include "_task_handle.h"
#include "filch/pool/isolate.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {

class isolated_task_group : public task_group {
 public:
  isolated_task_group() = default;
  isolated_task_group(d1::task_group_context& context) : task_group(context) {}

  // As in task_group, all of them.
  template <typename F>
  void run(F&& f) {
    const Scope scope(isolation_);
    task_group::run(std::forward<F>(f));
  }
  void run(task_handle&& handle) {
    const Scope scope(isolation_);
    task_group::run(std::move(handle));
  }
  template <typename F>
  d1::task_group_status run_and_wait(const F& f) {
    const Scope scope(isolation_);
    return task_group::run_and_wait(f);
  }
  d1::task_group_status run_and_wait(task_handle&& handle) {
    const Scope scope(isolation_);
    return task_group::run_and_wait(std::move(handle));
  }
  d1::task_group_status wait() {
    const Scope scope(isolation_);
    return task_group::wait();
  }
#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
  d1::task_group_status wait_for_task(const task_completion_handle& handle) {
    const Scope scope(isolation_);
    return task_group::wait_for_task(handle);
  }
  d1::task_group_status run_and_wait_for_task(task_handle&& handle) {
    const Scope scope(isolation_);
    return task_group::run_and_wait_for_task(std::move(handle));
  }
#endif

 private:
  using Scope = filch::IsolationReentry;

  const filch::Isolation isolation_ = filch::Isolation::Make();
};

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ISOLATED_TASK_GROUP_H_

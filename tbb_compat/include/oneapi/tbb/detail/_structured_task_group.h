// structured_task_group: TBB 2020's group for one thread that runs tasks and then waits, once.
//
// Its functions are the thread's own, in handles that outlive the wait.
#ifndef FILCH_TBB_COMPAT_DETAIL_STRUCTURED_TASK_GROUP_H_
#define FILCH_TBB_COMPAT_DETAIL_STRUCTURED_TASK_GROUP_H_

#include "_config.h"
#include "_function_handle.h"
#include "_task_group.h"

namespace tbb {

// In tbb itself, as task_group.
class structured_task_group {
 public:
  structured_task_group() = default;

  template <typename F>
  void run(detail::d2::function_handle<F>& handle) {
    group_.run(handle);
  }
  template <typename F>
  detail::d1::task_group_status run_and_wait(const F& f) {
    return group_.run_and_wait(f);
  }
  template <typename F>
  detail::d1::task_group_status run_and_wait(detail::d2::function_handle<F>& handle) {
    return group_.run_and_wait(handle);
  }
  detail::d1::task_group_status wait() { return group_.wait(); }
  void cancel() { group_.cancel(); }
  bool is_canceling() const { return group_.is_canceling(); }

 private:
  task_group group_;
};

namespace detail {
inline namespace filch_1 {
namespace d2 {
using tbb::structured_task_group;
}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_STRUCTURED_TASK_GROUP_H_

// task_group: any number of tasks, and one wait for all of them.
//
// run() may be called from any thread, from the group's own tasks too, and while
// others wait; any thread may wait, and runs tasks meanwhile. After a wait the
// group is as new. The first exception cancels the group and is thrown again by
// the wait, unless the group was cancelled before; tasks that have not started when
// the group is cancelled are destroyed without being run.
//
//   tbb::task_group group;
//   for (Job& job : jobs) group.run([&job] { job.Do(); });
//   group.wait();
#ifndef FILCH_TBB_COMPAT_TASK_GROUP_H_
#define FILCH_TBB_COMPAT_TASK_GROUP_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include "detail/_config.h"
#include "detail/_function_handle.h"
#include "detail/_isolated_task_group.h"
#include "detail/_structured_task_group.h"
#include "detail/_task_group.h"
#include "detail/_task_group_context.h"
#include "detail/_task_handle.h"
#include "profiling.h"  // comes along
#ifdef FILCH_TBB_CLASSIC
#include "task.h"  // comes along
#endif

namespace tbb {
inline namespace v1 {
using detail::d1::canceled;
using detail::d1::complete;
using detail::d1::is_current_task_group_canceling;
using detail::d1::not_complete;
using detail::d1::task_group_status;
using tbb::task_group;
#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
using detail::d1::task_complete;
using detail::d2::task_completion_handle;
#endif
#if defined(TBB_PREVIEW_ISOLATED_TASK_GROUP) && TBB_PREVIEW_ISOLATED_TASK_GROUP
using detail::d2::isolated_task_group;
#endif
using detail::d2::make_task;  // for structured_task_group
#ifdef FILCH_TBB_CLASSIC
template <typename F>
using task_handle = detail::d2::function_handle<F>;
#else
using detail::d2::task_handle;
#endif
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TASK_GROUP_H_

// Outside: what a thread is outside of its tasks, or of those in an arena, and in a function that
// is part of no group.
//
// Tasks that were left behind may refer to it, so it is never destroyed; a later thread or function
// gets it, unless something has gone wrong there that nobody has heard of.
//
// One thread at a time.
#ifndef FILCH_TBB_COMPAT_SRC_OUTSIDE_H_
#define FILCH_TBB_COMPAT_SRC_OUTSIDE_H_

#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "stand_in.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

struct Outside {
  task_group_context context{task_group_context::isolated};
  StandIn task{&context, 1};
  Outside* next = nullptr;
};

// The calling thread's. There is one for each level: what goes wrong in what an arena executes is
// not the business of the tasks around it, which may be running elsewhere. Throws std::bad_alloc.
Outside& ThisOutside();

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_SRC_OUTSIDE_H_

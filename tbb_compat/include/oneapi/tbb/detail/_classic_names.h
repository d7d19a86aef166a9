// Names that programs of TBB 2020 find with tbb::task, and oneTBB has no more: what its
// configuration says about tasks, and a few helpers of its namespace internal.
#ifndef FILCH_TBB_COMPAT_DETAIL_CLASSIC_NAMES_H_
#define FILCH_TBB_COMPAT_DETAIL_CLASSIC_NAMES_H_

#include <cstddef>
#include <cstdint>

#include "_config.h"
#include "_machine.h"
#include "_range_common.h"  // split came with every header of TBB 2020

#define __TBB_override override
#define __TBB_Yield() ::tbb::detail::yield()
#define __TBB_Pause(times) ::tbb::detail::machine_pause(times)

#define __TBB_TASK_GROUP_CONTEXT 1
#define __TBB_TASK_PRIORITY 1
#define __TBB_TASK_ARENA 1
#define __TBB_TASK_ISOLATION 1
#define __TBB_SCHEDULER_OBSERVER 1

#define __TBB_CPP11_PRESENT 1
#define __TBB_CPP11_LAMBDAS_PRESENT 1
#define __TBB_CPP11_RVALUE_REF_PRESENT 1
#define __TBB_CPP11_VARIADIC_TEMPLATES_PRESENT 1
#define __TBB_EXCEPTION_PTR_PRESENT 1

namespace tbb {

// Of a thread's stack, in bytes.
using stack_size_type = std::size_t;

namespace internal {

using affinity_id = std::uint16_t;

// No cache line is longer.
inline constexpr std::size_t NFS_MaxLineSize = 128;

template <typename T>
void suppress_unused_warning(const T&) {}

// A base of classes that are not assigned.
class no_assign {
 public:
  no_assign(const no_assign&) = default;
  no_assign& operator=(const no_assign&) = delete;

 protected:
  no_assign() = default;
};

// The same, and not copied.
class no_copy : no_assign {
 public:
  no_copy(const no_copy&) = delete;
  no_copy& operator=(const no_copy&) = delete;

 protected:
  no_copy() = default;
};

}  // namespace internal
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_CLASSIC_NAMES_H_

// SoftLimit: how much memory the process may have before the allocators keep none for later.
//
// The memory is what the system has given the process for all that it does, as nobody counts
// what the allocators have of it: so who keeps something may learn too early that it is too much,
// and never too late.  Nothing fails because of the limit.
//
// Any thread.  Leaves errno as it is, and is no point where a thread is cancelled.
// Memory ordering: a number that orders nothing (E2 of README.md).
#ifndef FILCH_TBB_COMPAT_SRC_SOFT_LIMIT_H_
#define FILCH_TBB_COMPAT_SRC_SOFT_LIMIT_H_

#include <cstddef>

namespace filch::tbb_compat_internal {

class SoftLimit {
 public:
  // In bytes; 0: there is none.
  static void Set(std::size_t bytes);
  static bool IsSet();
  // Whether there is one, and the process has more. Takes some microseconds.
  static bool IsExceeded();
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_SOFT_LIMIT_H_

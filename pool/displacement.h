// kDisplaced: who was away from its cpu for longer was displaced by another thread.
//
// Scheduler-internal.
#ifndef FILCH_POOL_DISPLACEMENT_H_
#define FILCH_POOL_DISPLACEMENT_H_

#include <chrono>

namespace filch {
namespace pool_internal {

// A thread that runs keeps a cpu for a millisecond or more.  A hypervisor takes it away
// 150 to 600 times a second, mostly for 50 to 200 us (two virtual AMD EPYC processors,
// 2026-11-22): that says nothing about the next time.
inline constexpr std::chrono::microseconds kDisplaced{500};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_DISPLACEMENT_H_

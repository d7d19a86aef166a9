// What a thread does that waits for a moment, under oneTBB's names.
//
// For programs that use them; what waits in filch itself sleeps. Any thread.
#ifndef FILCH_TBB_COMPAT_DETAIL_MACHINE_H_
#define FILCH_TBB_COMPAT_DETAIL_MACHINE_H_

#include <cstdint>
#include <thread>

#include "_config.h"
#include "filch/topology/cpu_relax.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {

using std::this_thread::yield;

// So many of the processor's pause instructions.
inline void machine_pause(std::int32_t count) {
  for (; count > 0; --count) filch::CpuRelax();
}

}  // namespace d0
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_MACHINE_H_

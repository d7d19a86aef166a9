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

#if defined(__x86_64__) || defined(__i386__)
namespace d1 {

// The floating-point settings of a processor: rounding, denormals, traps, without the
// flags of what has happened.
struct cpu_ctl_env {
  int mxcsr = 0;
  short x87cw = 0;

  // Takes those of the calling thread.
  void get_env() {
    constexpr unsigned kFlags = 0x3F;
    mxcsr = static_cast<int>(__builtin_ia32_stmxcsr() & ~kFlags);
    asm volatile("fnstcw %0" : "=m"(x87cw));
  }
  // Gives them to the calling thread.
  void set_env() const {
    asm volatile("fldcw %0" : : "m"(x87cw));
    __builtin_ia32_ldmxcsr(static_cast<unsigned>(mxcsr));
  }
  bool operator!=(const cpu_ctl_env& other) const {
    return mxcsr != other.mxcsr || x87cw != other.x87cw;
  }
};

}  // namespace d1
#endif
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_MACHINE_H_

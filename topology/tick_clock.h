// Ticks(): a clock that is cheap to read and only about right.
//
// A tick is between half a nanosecond and two.  For decisions that a factor of
// two does not spoil, such as how much to do before looking again; for anything
// that people read, use std::chrono.  Reading it costs a third of what
// steady_clock does where the processor has a counter of its own.
//
// Differences of ticks of one thread only; a thread that changes processors may
// even see the clock go back, so that a difference is huge.
// Any thread.  It orders nothing.
#ifndef FILCH_TOPOLOGY_TICK_CLOCK_H_
#define FILCH_TOPOLOGY_TICK_CLOCK_H_

#include <chrono>
#include <cstdint>

namespace filch {

inline std::uint64_t Ticks() {
#if defined(__x86_64__) || defined(__i386__)
  // The counter runs at the processor's nominal frequency, 1 to 4 GHz.
  return __builtin_ia32_rdtsc() / 2;
#else
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
#endif
}

}  // namespace filch

#endif  // FILCH_TOPOLOGY_TICK_CLOCK_H_

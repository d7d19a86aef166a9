// ArenaOptions: how many threads an arena is for, which, and how urgent its tasks are.
//
// Values.
#ifndef FILCH_POOL_ARENA_OPTIONS_H_
#define FILCH_POOL_ARENA_OPTIONS_H_

#include <cstdint>

#include "filch/topology/cpu_set.h"

namespace filch {

enum class Priority { kLow, kNormal, kHigh };

struct ArenaOptions {
  int slots = 1;     // at least 1
  int reserved = 1;  // for threads from outside; more than `slots` counts as `slots`
  Priority priority = Priority::kNormal;
  // Threads are bound to these while they are in the arena; empty: they are not.
  CpuSet cpus = {};
  // A thread that finds no work leaves at once, unless a phase has been started.
  bool leave_fast = false;
  // The floating-point settings that threads come in with, for FpControl; 0: for
  // Pool::AcquireArena those of its caller, else they keep their own.
  std::uint32_t fp_settings = 0;

  friend bool operator==(const ArenaOptions& a, const ArenaOptions& b) {
    return a.slots == b.slots && a.reserved == b.reserved && a.priority == b.priority &&
           a.cpus == b.cpus && a.leave_fast == b.leave_fast && a.fp_settings == b.fp_settings;
  }
};

}  // namespace filch

#endif  // FILCH_POOL_ARENA_OPTIONS_H_

// ArenaFpScope: the calling thread works with an arena's floating-point settings while the
// scope lasts, and has its own again afterwards.
//
// If these are the same at first, what is changed meanwhile stays, as after any call: a second
// look at the end took 12 ns of the 32 that it takes to enter an arena and leave it.
//
// For each way into an arena: who comes from outside, who is there already and executes
// something, and who runs what another thread wants done there.
//
// Scheduler-internal.
#ifndef FILCH_POOL_ARENA_FP_SCOPE_H_
#define FILCH_POOL_ARENA_FP_SCOPE_H_

#include <cstdint>

#include "filch/topology/fp_control.h"

namespace filch {
namespace pool_internal {

class ArenaFpScope {
 public:
  // `settings` are the arena's, for FpControl; 0: it has none.
  explicit ArenaFpScope(std::uint32_t settings) : before_(FpControl::Change(settings)) {}
  ~ArenaFpScope() {
    if (__builtin_expect(before_ != 0, 0)) FpControl::Exchange(before_);
  }
  ArenaFpScope(const ArenaFpScope&) = delete;
  ArenaFpScope& operator=(const ArenaFpScope&) = delete;

 private:
  // The thread's settings before the scope; 0: nothing was changed.
  const std::uint32_t before_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ARENA_FP_SCOPE_H_

// FpScope: the calling thread works with a context's floating-point settings while
// the scope lasts, and has its own again afterwards.
//
// A context without settings takes those of the nearest context above that has
// some; if there is none, those of the arena that the thread is in.
//
// Scheduler-internal: while SlowDispatch is not needed, threads that run tasks have the
// settings of their arena anyway; only one that comes from outside of all contexts may
// have changed its own since it entered.
#ifndef FILCH_POOL_FP_SCOPE_H_
#define FILCH_POOL_FP_SCOPE_H_

#include <cstdint>

#include "filch/pool/arena_fp_scope.h"
#include "filch/pool/context.h"
#include "filch/pool/slot.h"
#include "filch/pool/slow_dispatch.h"

namespace filch {
namespace pool_internal {

class FpScope {
 public:
  // `context` may be null; `slot` is the calling thread's.
  FpScope(const Context* context, const Slot& slot) {
    if (__builtin_expect(SlowDispatch::IsNeeded(), 0) || slot.context == nullptr) {
      Begin(context, slot);
    }
  }
  ~FpScope() {
    if (__builtin_expect(before_ != 0, 0)) End();
  }
  FpScope(const FpScope&) = delete;
  FpScope& operator=(const FpScope&) = delete;

 private:
  void Begin(const Context* context, const Slot& slot);
  void End();

  // The thread's settings before the scope; 0: the scope does nothing.
  std::uint32_t before_ = 0;
};

// The same in two steps, for a thread that works for no context yet and is about to run
// tasks: it may have changed its own settings since it entered the arena.  Inside a
// context there is nothing to do.
class OutermostFp {
 public:
  void Begin(const Slot& slot);
  // After Begin.
  void End();

 private:
  std::uint32_t before_;  // from Begin on: the thread's settings, or 0: nothing was changed
};

// The same as a scope, inline: a thread that comes back to a loop after a while waits for each
// call's code.
class OutermostFpScope {
 public:
  explicit OutermostFpScope(const Slot& slot)
      : scope_(__builtin_expect(slot.context == nullptr, 0) ? slot.fp_settings : 0) {}

 private:
  const ArenaFpScope scope_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FP_SCOPE_H_

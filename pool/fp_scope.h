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

#include "filch/pool/context.h"
#include "filch/pool/slot.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/topology/fp_control.h"

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

  // Whether the calling thread, whose slot it is, works for no context and with other
  // settings than those of its arena.
  static bool IsNeededOutside(const Slot& slot) {
    return __builtin_expect(slot.context == nullptr, 0) && FpControl::Read() != slot.fp_settings;
  }

 private:
  void Begin(const Context* context, const Slot& slot);
  void End();

  // The thread's settings before the scope; 0: the scope does nothing.
  std::uint32_t before_ = 0;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FP_SCOPE_H_

// FpScope: the calling thread works with a context's floating-point settings while
// the scope lasts, and has its own again afterwards.
//
// A context without settings takes those of the nearest context above that has
// some; if there is none, the thread works as it did outside of all such scopes.
//
// Scheduler-internal: only while SlowDispatch is needed is there something to do.
#ifndef FILCH_POOL_FP_SCOPE_H_
#define FILCH_POOL_FP_SCOPE_H_

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/slow_dispatch.h"

namespace filch {
namespace pool_internal {

class FpScope {
 public:
  // `context` may be null.
  explicit FpScope(const Context* context) {
    if (__builtin_expect(SlowDispatch::IsNeeded(), 0)) Begin(context);
  }
  ~FpScope() {
    if (__builtin_expect(before_ != 0, 0)) End();
  }
  FpScope(const FpScope&) = delete;
  FpScope& operator=(const FpScope&) = delete;

  // The calling thread's settings outside of all scopes, for FpControl.
  static std::uint32_t Outside();

 private:
  void Begin(const Context* context);
  void End();

  // The thread's settings before the scope; 0: the scope does nothing.
  std::uint32_t before_ = 0;
  bool outermost_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FP_SCOPE_H_

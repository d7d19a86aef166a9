// Whether the units of a loop may be so unlike each other that the long ones come last (LoopKind).
//
// Scheduler-internal.
#ifndef FILCH_POOL_EVENNESS_H_
#define FILCH_POOL_EVENNESS_H_

#include "filch/pool/loop_kind.h"

namespace filch {
namespace pool_internal {

enum class Evenness { kEven, kUneven };

// That of a loop of this kind, which begins.
inline Evenness EvennessOf(LoopKind& kind) {
  return __builtin_expect(kind.BeginsUneven(), 0) ? Evenness::kUneven : Evenness::kEven;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_EVENNESS_H_

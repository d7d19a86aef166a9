// PoolAtomics: the atomics and fences of the pool's sleeping and waking.
//
// A model test replaces it as a whole.
#ifndef FILCH_POOL_POOL_ATOMICS_H_
#define FILCH_POOL_POOL_ATOMICS_H_

#include "filch/deque/asymmetric_fence.h"
#include "filch/deque/deque_atomics.h"

namespace filch {
namespace pool_internal {

struct PoolAtomics : DequeAtomics {
  // Pairs with HeavyFence on every kernel: a full fence where there is no
  // membarrier.  LightFence is free everywhere and pairs only if IsAsymmetric().
  static void SureLightFence() { AsymmetricFence::Light(); }
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_POOL_ATOMICS_H_

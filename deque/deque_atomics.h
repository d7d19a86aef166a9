// DequeAtomics: StdAtomics and what the deques need besides.
//
// A model test replaces it as a whole; both sides of the asymmetric fence are
// sequentially consistent fences there.
#ifndef FILCH_DEQUE_DEQUE_ATOMICS_H_
#define FILCH_DEQUE_DEQUE_ATOMICS_H_

#include <thread>

#include "filch/deque/asymmetric_fence.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/std_atomics.h"

namespace filch {

struct DequeAtomics : StdAtomics {
  // Whether LightFence and HeavyFence pair up.
  static bool IsAsymmetric() { return AsymmetricFence::IsAsymmetric(); }
  // Orders nothing for the processor unless IsAsymmetric().
  static void LightFence() { AsymmetricFence::CompilerOnly(); }
  static void HeavyFence() { AsymmetricFence::Heavy(); }

  // The `round`-th wait, from 0, of a loop that waits for another thread.
  static void Pause(unsigned round) {
    // Six doublings are about a microsecond where a pause is short and three
    // where it is long: past that, the other thread has probably lost its cpu.
    constexpr unsigned kPoliteRounds = 6;
    if (round >= kPoliteRounds) {
      std::this_thread::yield();
      return;
    }
    for (unsigned i = 0; i < (1u << round); ++i) CpuRelax();
  }
};

}  // namespace filch

#endif  // FILCH_DEQUE_DEQUE_ATOMICS_H_

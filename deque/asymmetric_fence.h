// AsymmetricFence: a store-load fence whose frequent side costs nothing.
//
// Two threads that each write one variable and then read the other's (Dekker's
// pattern) need a full fence on both sides.  Where one side runs a million
// times as often as the other, let the frequent one call Light() and the rare
// one Heavy().  On Linux Heavy() asks the kernel, by membarrier(2), to run a
// fence on every processor that executes this process, and Light() only keeps
// the compiler from reordering.  Where the kernel has no membarrier, both are
// sequentially consistent fences.
//
// Do not use it where both sides are equally frequent: Heavy() costs
// microseconds.  For two heavy or two light sides nothing is guaranteed.
//
// Any thread: everything.
// Memory ordering: for every pair of a Light() and a Heavy(), either what
// precedes Light() is visible to what follows Heavy(), or what precedes Heavy()
// is visible to what follows Light().
//
// The idea: Dice, Huang, Yang, "Asymmetric Dekker Synchronization" (2001).
//
//   frequent:  flag.store(1, relaxed); AsymmetricFence::Light(); if (stop.load(relaxed)) ...
//   rare:      stop.store(1, relaxed); AsymmetricFence::Heavy(); if (flag.load(relaxed)) ...
#ifndef FILCH_DEQUE_ASYMMETRIC_FENCE_H_
#define FILCH_DEQUE_ASYMMETRIC_FENCE_H_

#include <atomic>

#include "filch/topology/std_atomics.h"

namespace filch {

class AsymmetricFence {
 public:
  // Any thread.
  static void Light() {
    // A thread that does not know yet takes the strong side, which is always
    // right: the state leaves kUnknown once and never changes again.
    if (__builtin_expect(state_.load(std::memory_order_relaxed) == State::kAsymmetric, 1)) {
      CompilerOnly();
    } else {
      StdAtomics::SeqCstFence();
    }
  }

  // What Light() is where IsAsymmetric(): a barrier for the compiler alone.  For
  // code that has asked IsAsymmetric() once and does something else if it is not.
  static void CompilerOnly() { std::atomic_signal_fence(std::memory_order_seq_cst); }

  // Any thread.  Ends the process with a sentence if the kernel takes back a
  // membarrier that it granted (a sandbox entered too late): what the light
  // sides rely on would be gone.
  static void Heavy();

  // Any thread.  Whether Light() costs nothing in this process.  The first call
  // registers the process with the kernel.
  static bool IsAsymmetric();

 private:
  enum class State { kUnknown, kAsymmetric, kSymmetric };

  static State Register();

  static std::atomic<State> state_;
};

}  // namespace filch

#endif  // FILCH_DEQUE_ASYMMETRIC_FENCE_H_

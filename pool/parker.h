// Parker: puts one thread to sleep until somebody gives it a token.
//
// It is a binary semaphore for a single sleeper.  A token that arrives while
// nobody sleeps is kept, two tokens are one, and Park may return a token that
// was meant for an earlier sleep: whoever parks checks its condition again.
//
// Memory ordering: what a thread did before Unpark is visible to the thread
// whose Park took that token.
#ifndef FILCH_POOL_PARKER_H_
#define FILCH_POOL_PARKER_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/futex.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

// `Sleep` sleeps and wakes; a model checker brings its own.
template <typename Atomics = StdAtomics, typename Sleep = Futex>
class BasicParker {
 public:
  // Sleeps until a token is there and takes it.  One thread at a time.
  void Park() {
    std::uint32_t state = kNotified;
    while (!state_.compare_exchange_strong(state, kEmpty, std::memory_order_acquire,  // K1: Unpark
                                           std::memory_order_relaxed)) {
      if (state == kEmpty) {
        // A failure means that the token came just now; the loop takes it.
        if (!state_.compare_exchange_strong(state, kParked, std::memory_order_relaxed,
                                            std::memory_order_relaxed)) {
          state = kNotified;
          continue;
        }
        state = kParked;
      }
      Sleep::Wait(state_, state);
      state = kNotified;
    }
  }

  // Whether Park would find a token; a hint.  Any thread.
  bool HasToken() const {
    return state_.load(std::memory_order_relaxed) == kNotified;  // K1: Park takes it
  }

  // Whether a thread sleeps here; a hint.  Any thread.
  bool LooksParked() const {
    const std::uint32_t state = state_.load(std::memory_order_relaxed);  // K1: only a report
    return state == kParked || state == kCalled;
  }

  // Gives the token and wakes the sleeper, if there is one.  Any thread.
  void Unpark() {
    if (state_.exchange(kNotified, std::memory_order_release) == kParked) {  // K1: to Park
      Sleep::WakeOne(state_);
    }
  }

  // The same, and calls before_wake() first if there is a sleeper, which goes on sleeping
  // meanwhile unless another thread gives it a token, too.  Any thread.
  template <typename BeforeWake>
  void UnparkAfter(const BeforeWake& before_wake) {
    std::uint32_t state = kParked;
    if (!state_.compare_exchange_strong(state, kCalled,
                                        std::memory_order_relaxed,  // K1: no token yet
                                        std::memory_order_relaxed)) {
      return Unpark();
    }
    before_wake();
    state_.exchange(kNotified, std::memory_order_release);  // K1: the token of a call
    Sleep::WakeOne(state_);
  }

 private:
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kParked = 1;
  static constexpr std::uint32_t kNotified = 2;
  static constexpr std::uint32_t kCalled = 3;  // parked, and somebody is about to wake it

  typename Atomics::template Atomic<std::uint32_t> state_{kEmpty};
};

using Parker = BasicParker<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PARKER_H_

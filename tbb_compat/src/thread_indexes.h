// ThreadIndexes: a small number for each living thread.
//
// For tables with a place for each thread. A thread gets the least number that is free when
// it first asks, and leaves it to others when it ends, after its thread-local objects. More
// threads than there are numbers have none.
//
// Memory ordering: what a thread did before it ended is visible to who has its number next.
#ifndef FILCH_TBB_COMPAT_SRC_THREAD_INDEXES_H_
#define FILCH_TBB_COMPAT_SRC_THREAD_INDEXES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

// Which numbers are taken; a model checker brings its own atomics. Any thread.
template <typename Atomics = StdAtomics, std::size_t kWords = 4>
class BasicThreadIndexes {
 public:
  static constexpr std::size_t kMost = kWords * 64;

  // The least that is free, or kMost.
  std::size_t Take() {
    for (std::size_t word = 0; word < kWords; ++word) {
      std::uint64_t taken = taken_[word].load(std::memory_order_relaxed);  // N1: a hint
      while (~taken != 0) {
        const std::uint64_t least = ~taken & (taken + 1);
        if (taken_[word].compare_exchange_weak(taken, taken | least,
                                               std::memory_order_acquire,  // N1: Return
                                               std::memory_order_relaxed)) {
          return word * 64 + static_cast<std::size_t>(__builtin_ctzll(least));
        }
      }
    }
    return kMost;
  }
  void Return(std::size_t index) {
    const std::uint64_t mine = std::uint64_t{1} << index % 64;
    taken_[index / 64].fetch_and(~mine, std::memory_order_release);  // N1: to Take
  }

 private:
  typename Atomics::template Atomic<std::uint64_t> taken_[kWords]{};
};

using ThreadIndexes = BasicThreadIndexes<>;

// One more than the calling thread's number; 0 at first. As current_slot: an access is no
// call, in a shared library either.
extern __thread std::size_t index_of_thread __attribute__((tls_model("initial-exec")));

std::size_t TakeThreadIndex();

// The calling thread's number, or ThreadIndexes::kMost.
inline std::size_t ThreadIndex() {
  const std::size_t index = index_of_thread;
  return __builtin_expect(index != 0, 1) ? index - 1 : TakeThreadIndex();
}

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_THREAD_INDEXES_H_

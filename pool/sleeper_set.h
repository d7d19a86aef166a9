// SleeperSet: which of n numbered threads sleep and may be claimed by a waker.
//
// A sleeper adds itself, checks once more whether there is something to do, and
// parks.  A waker publishes what there is to do and claims one sleeper.  Both
// sides use sequentially consistent operations, so at least one of them sees
// the other: either the sleeper finds the work or the waker finds the sleeper.
// Exactly one of Remove and Claim takes a given addition away, so a claimed
// sleeper knows that it was claimed.
//
// Any thread.
// Memory ordering: S1 and S2 of README.md.
#ifndef FILCH_POOL_SLEEPER_SET_H_
#define FILCH_POOL_SLEEPER_SET_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/plain_vector.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicSleeperSet {
 public:
  explicit BasicSleeperSet(int capacity) : words_((capacity + 63) / 64) {}

  // Thread `number` is about to sleep.
  void Add(int number) {
    words_[number / 64].bits.fetch_or(Bit(number),
                                      std::memory_order_seq_cst);  // S1: before re-check
  }

  // Thread `number` will not sleep.  False: a waker has claimed it meanwhile.
  bool Remove(int number) {
    const std::uint64_t old = words_[number / 64].bits.fetch_and(
        ~Bit(number), std::memory_order_seq_cst);  // S2: or Claim
    return (old & Bit(number)) != 0;
  }

  // Takes one sleeper out, or returns -1 if there is none.
  int Claim() {
    for (int w = 0; w < static_cast<int>(words_.size()); ++w) {
      std::uint64_t bits = words_[w].bits.load(std::memory_order_seq_cst);  // S1: after publishing
      while (bits != 0) {
        const int lowest = __builtin_ctzll(bits);
        if (words_[w].bits.compare_exchange_weak(bits, bits & (bits - 1),
                                                 std::memory_order_seq_cst,  // S2: or Remove
                                                 std::memory_order_seq_cst)) {
          return w * 64 + lowest;
        }
      }
    }
    return -1;
  }

  // Whether thread `number` is among them.
  bool Has(int number) const {
    const std::uint64_t all =
        words_[number / 64].bits.load(std::memory_order_seq_cst);  // S1: after publishing
    return (all & Bit(number)) != 0;
  }

  // How many have announced themselves; a hint.
  int ApproximateSize() const {
    int size = 0;
    for (const Word& word : words_) {
      size += __builtin_popcountll(word.bits.load(std::memory_order_relaxed));  // S1: a report
    }
    return size;
  }

  bool Empty() const {
    for (const Word& word : words_) {
      if (word.bits.load(std::memory_order_seq_cst) != 0) return false;  // S1: after publishing
    }
    return true;
  }
  // The same as a hint.
  bool LooksEmpty() const { return ApproximateSize() == 0; }

 private:
  struct Word {
    typename Atomics::template Atomic<std::uint64_t> bits{0};
  };

  static std::uint64_t Bit(int number) { return std::uint64_t{1} << (number % 64); }

  PlainVector<Word> words_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLEEPER_SET_H_

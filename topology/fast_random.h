// FastRandom: random numbers for scheduling decisions, in about a nanosecond.
//
// The generator is xorshift64*: every 64-bit state but zero comes up once in
// 2^64 - 1 steps, so it never gets stuck.  Not for anything that must be hard
// to predict.
//
// Owner only: every function changes the state, so each thread has its own.
// The numbers are the same on every machine, so a schedule can be replayed.
//
// After G. Marsaglia, "Xorshift RNGs" (2003), and S. Vigna, "An experimental
// exploration of Marsaglia's xorshift generators, scrambled" (2014).
//
//   FastRandom random(seed, worker);
//   int victim = static_cast<int>(random.Below(workers));
#ifndef FILCH_TOPOLOGY_FAST_RANDOM_H_
#define FILCH_TOPOLOGY_FAST_RANDOM_H_

#include <cstdint>

namespace filch {

class FastRandom {
 public:
  // Generators of the same seed and different streams start far apart in no
  // recognisable order.
  explicit FastRandom(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(Scramble(seed + Scramble(stream))) {
    if (state_ == 0) state_ = 1;  // the one state that would stay
  }

  // 64 random bits; the higher ones are the better ones.
  std::uint64_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DU;
  }

  // A number from 0 to bound - 1, or 0 if the bound is 0.  Multiplying instead
  // of dividing takes a tenth of the time; it favours some numbers by less than
  // one part in 2^32 / bound.
  std::uint32_t Below(std::uint32_t bound) { return Scale(Next(), bound); }

  // The number that Below() makes of 64 random bits; the lowest 32 are unused.
  static std::uint32_t Scale(std::uint64_t bits, std::uint32_t bound) {
    return static_cast<std::uint32_t>(((bits >> 32) * bound) >> 32);
  }

 private:
  // The finalizer of splitmix64: a one-to-one map that spreads every input bit.
  static std::uint64_t Scramble(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_FAST_RANDOM_H_

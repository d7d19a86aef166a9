// LoopTrial: whether a loop is worth other threads' help, found out by running its
// first units alone.
//
// Help has a price: an awake thread has to notice, take half, and be waited for;
// one that sleeps must be woken first, and both may need something of their own
// that takes long to make.  A loop of many units is run by its own
// thread until what is left, at the pace of the last units, looks like more than
// that.  So a loop that is too small for help costs what a serial loop costs,
// and a large one gives away the time of one unit, of two if help is dear, or a few
// microseconds.
//
// Values with neither clock nor atomics; times are ticks, about nanoseconds.  One
// thread.
//
//   LoopTrial trial(worth);  // StartLoop knows it
//   while (...) {
//     run trial.Next(remaining) units;
//     if (trial.Finished(units, elapsed, remaining)) break;  // let others help
//   }
#ifndef FILCH_POOL_LOOP_TRIAL_H_
#define FILCH_POOL_LOOP_TRIAL_H_

#include <algorithm>
#include <cstdint>

#include "filch/pool/pace.h"

namespace filch {
namespace pool_internal {

class LoopTrial {
 public:
  // A loop with fewer for each goes another way (few_units_loop.h).
  static constexpr std::uint32_t kUnitsPerThread = 32;

  // Help is worth it for what takes more than `worth`.
  explicit constexpr LoopTrial(std::uint64_t worth) : worth_(worth) {}

  // Whether `threads` threads should try a loop of so many units at all: the first
  // unit may turn out to be long, and then the others have waited for it.
  static constexpr bool Suits(std::uint32_t units, int threads) {
    return units / kUnitsPerThread >= static_cast<std::uint32_t>(threads);
  }

  // How many of `remaining` units, at least one, to run now.
  constexpr std::uint32_t Next(std::uint32_t remaining) const {
    // Who has seen only short units may meet long ones: not too many at once, unless they
    // are few or the whole looks like nothing.
    if (expected_ >= kNothing) {
      const std::uint32_t most = std::max(remaining / 8, std::min(remaining / 4, kFew)) + 1;
      return std::min(std::max(size_, at_pace_), most);
    }
    // Nor too few at the end: each look at the clock takes as long as short units do.
    const std::uint32_t size = std::min(std::max(size_, std::min(at_pace_, kFew)), most_);
    return remaining <= 2 * size ? remaining : size;
  }

  // `units` of them took `elapsed`, and `remaining` are left.  True: the others
  // should help with those.
  constexpr bool Finished(std::uint32_t units, std::uint64_t elapsed, std::uint32_t remaining) {
    if (remaining == 0) return false;
    const Pace pace{units, elapsed};
    expected_ = pace.TimeOf(remaining);
    if (elapsed > worth_ && units <= remaining) return true;
    if (first_) {
      first_ = false;
      if (expected_ < kNothing) {
        // Though the first unit may have waited for its caches, or be unlike the others.
        size_ = kMany;
        most_ = std::max(remaining / 5, kMany);
        return false;
      }
      if (elapsed < kCold) {
        // Few enough not to be missed by those who could help.
        const std::uint64_t warm = Pace{1, elapsed}.UnitsIn(kCold);
        size_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(warm, 1, 8));
        return false;
      }
    }
    const bool pays = expected_ > worth_ && elapsed >= kPrecise;
    if (pays && (seemed_to_pay_ || worth_ < kDear)) return true;
    seemed_to_pay_ = pays;
    if (elapsed < kShort && units == size_ && size_ < kLargest) size_ *= 8;
    at_pace_ = static_cast<std::uint32_t>(
        std::min({pace.UnitsIn(kStep), std::uint64_t{8} * units, std::uint64_t{kLargest}}));
    return false;
  }

  // What was left was expected to take so long, when Finished was asked last.
  constexpr std::uint64_t expected() const { return expected_; }

 private:
  // A first unit this short may just have waited for its caches: no pace yet.
  static constexpr std::uint64_t kCold = 1000;
  static constexpr std::uint64_t kShort = 500;
  // Less is mostly the look at the clock.
  static constexpr std::uint64_t kPrecise = 200;
  // A time between two looks at the clock: at each of them a processor that runs units one
  // over the other has to begin anew, and ten of them cost a loop of 10 us a tenth.
  static constexpr std::uint64_t kStep = 3000;
  static constexpr std::uint64_t kNothing = 5000;
  // Help that must be worth so much is called only after two looks in a row: units that wait for
  // their caches or are interrupted (for 40 us, in one loop of ten of 50 us: two virtual AMD EPYC
  // processors, 2026-11-25) look long.
  static constexpr std::uint64_t kDear = 50000;
  static constexpr std::uint32_t kFew = 32;
  static constexpr std::uint32_t kMany = 64;
  static constexpr std::uint32_t kLargest = std::uint32_t{1} << 28;

  std::uint64_t worth_;
  std::uint64_t expected_ = kNothing;
  std::uint32_t size_ = 1;                  // so many that were short
  std::uint32_t at_pace_ = 1;               // so many take kStep if they go on so
  std::uint32_t most_ = ~std::uint32_t{0};  // at once, of what looks like nothing
  bool first_ = true;
  bool seemed_to_pay_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_TRIAL_H_

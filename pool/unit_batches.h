// UnitBatches: how many units of a shared loop a thread claims at a time, from its own part.
//
// Few are claimed one by one.  Others by the time that the last ones took (BatchSize); where that
// says nothing yet of what is to come, batches that are short grow up to a part of all.
//
// A value without a clock; times are ticks.  One thread.
//
//   while (...) {
//     run up to batches.Next(remaining) units;
//     if (!batches.few()) batches.Finished(units, elapsed);
//   }
#ifndef FILCH_POOL_UNIT_BATCHES_H_
#define FILCH_POOL_UNIT_BATCHES_H_

#include <algorithm>
#include <cstdint>

#include "filch/partitioner/batch_size.h"

namespace filch {
namespace pool_internal {

class UnitBatches {
 public:
  // As `most_for`: short batches do not grow so.
  static constexpr std::uint32_t kNeverGrow = ~std::uint32_t{0};

  // For `units` units, which `sharers` threads run.  Short batches grow up to half of what one of
  // `most_for` threads has of them; the first one is of `least` units, if it may be so large.
  constexpr UnitBatches(std::uint32_t units, std::uint32_t sharers, std::uint32_t most_for,
                        std::uint32_t least = 1)
      : few_(units <= kFewUnits),
        size_(sharers, kBatchTicks),
        most_(most_for == kNeverGrow ? 1 : units / (kPartsPerThread * most_for) + 1),
        least_(std::clamp(least, std::uint32_t{1}, most_)) {}

  // So few that to claim them one by one costs less than to time them.
  constexpr bool few() const { return few_; }
  // How many of `remaining` to claim now.
  constexpr std::uint32_t Next(std::uint32_t remaining) const {
    return few_ ? 1 : std::max(size_.Next(remaining), least_);
  }
  // Whether those that Next says are as many as they are because others were short.
  constexpr bool seem_short() const { return least_ > 1; }
  // So many of them took so long.
  constexpr void Finished(std::uint32_t units, std::uint64_t elapsed) {
    size_.Finished(units, elapsed);
    least_ = elapsed < kShortTicks ? std::min(2 * units, most_) : 1;
  }

 private:
  // A batch of units should last this long, some microseconds: short enough that a thief is
  // served soon, long enough that claiming and timing it cost less than one percent.  With a
  // quarter of it, bodies of 1 us took 2 to 3 percent longer (two virtual Intel Xeon
  // processors, 2026-11-22).
  static constexpr std::uint64_t kBatchTicks = 8000;
  // Below this the next batch is larger, however little is left: a thief could hardly have
  // come in time, and loops of 20 us consisted of a hundred batches, which took a tenth of
  // their time.
  static constexpr std::uint64_t kShortTicks = 2000;
  // But no larger than a part of what a thread has: who has seen only short units may meet long
  // ones, of which the others can only have what has not been claimed.
  static constexpr std::uint32_t kPartsPerThread = 2;
  static constexpr std::uint32_t kFewUnits = 16;

  bool few_;
  BatchSize size_;
  std::uint32_t most_;
  std::uint32_t least_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_UNIT_BATCHES_H_

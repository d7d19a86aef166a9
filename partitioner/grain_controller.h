// GrainController: chooses the grain of a loop from what its pieces have cost.
//
// Use it for loops that repeat or run long and are cut into tasks or chunks; a
// loop on StealingRange needs no grain, its BatchSize suffices.
//
// The target is a time, not a count: a piece should take long enough to pay for
// itself and short enough to balance.  Within these bounds the share of stolen
// pieces moves it: much stealing means that work is in the wrong place, and
// smaller pieces move more easily; hardly any means that pieces may grow.  Then
// the grain follows from the measured time per item.
//
// Hysteresis: nothing is decided from fewer than a window of pieces, the target
// moves only if two windows in a row agree, and the grain only when it is off by
// more than a quarter.  So noise does not swing it.
//
// It is a value with neither clock nor atomics: one thread, and time is an
// argument.  Each thread has its own and tells it about whole pieces, so nothing
// is counted per item.
//
//   GrainController controller;
//   Run(piece of controller.grain() items);
//   controller.Finished(items, elapsed_ns, /*stolen=*/false);
#ifndef FILCH_PARTITIONER_GRAIN_CONTROLLER_H_
#define FILCH_PARTITIONER_GRAIN_CONTROLLER_H_

#include <cstdint>

#include "filch/topology/contract.h"

namespace filch {

class GrainController {
 public:
  struct Options {
    // A task costs about 100 ns with its share of stealing, so at 5 us it costs
    // 2 %; at 200 us, a thief that comes last waits no longer than a few wakes.
    double shortest_ns = 5000;
    double longest_ns = 200000;
    double first_ns = 20000;
    // More stealing than this makes pieces smaller, less makes them larger.
    double many_stolen = 0.1;
    double few_stolen = 0.01;
    std::uint64_t smallest_grain = 1;
    std::uint64_t largest_grain = std::uint64_t{1} << 32;
    std::uint64_t first_grain = 1;
    // Pieces that one decision rests on: with 32, one theft is 3 %, so that
    // neither threshold is crossed by a single one.
    std::uint32_t window = 32;
  };

  constexpr GrainController() : GrainController(Options{}) {}
  constexpr explicit GrainController(const Options& options)
      : options_(options),
        target_ns_(Clamp(options.first_ns, options.shortest_ns, options.longest_ns)),
        grain_(ClampGrain(static_cast<double>(options.first_grain))) {
    if (options.window == 0 || options.smallest_grain == 0 ||
        options.smallest_grain > options.largest_grain ||
        !(options.shortest_ns <= options.longest_ns) ||
        !(options.few_stolen <= options.many_stolen)) {
      Fail("filch::GrainController: an option is 0 or a lower bound is above its upper bound.");
    }
  }

  // How many items the next piece should have.
  constexpr std::uint64_t grain() const { return grain_; }

  // How long a piece should take.
  constexpr double target_ns() const { return target_ns_; }

  // A piece of `items` items took `elapsed_ns`, and had been stolen or not.
  constexpr void Finished(std::uint64_t items, std::uint64_t elapsed_ns, bool stolen) {
    if (items == 0) return;
    items_ += static_cast<double>(items);
    elapsed_ns_ += static_cast<double>(elapsed_ns);
    stolen_ += stolen ? 1 : 0;
    ++pieces_;
    // A piece far over its time is a decision of its own: the next may be as bad.
    const bool alarming = static_cast<double>(elapsed_ns) > kAlarm * options_.longest_ns;
    if (pieces_ < options_.window && !alarming) {
      if (settled_ || elapsed_ns_ < target_ns_) return;
    }
    Decide();
  }

 private:
  static constexpr double kStep = 4.0 / 3.0;  // of the target, either way
  static constexpr double kSlack = 1.25;      // that the grain may be off
  static constexpr double kNewest = 0.5;      // weight of the newest window
  static constexpr double kAlarm = 4.0;       // longest pieces make an alarm

  static constexpr double Clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
  }

  constexpr std::uint64_t ClampGrain(double grain) const {
    // Compared as doubles first: a conversion out of range would be undefined.
    if (grain >= static_cast<double>(options_.largest_grain)) return options_.largest_grain;
    if (grain <= static_cast<double>(options_.smallest_grain)) return options_.smallest_grain;
    return static_cast<std::uint64_t>(grain);
  }

  // Takes the window's sums into account and begins a new window.
  constexpr void Decide() {
    const double ns = elapsed_ns_ / items_;
    ns_per_item_ = settled_ ? ns_per_item_ + kNewest * (ns - ns_per_item_) : ns;
    // Windows cut short measure time, but are too small a sample of thefts.
    if (pieces_ >= options_.window) MoveTarget(stolen_ / static_cast<double>(pieces_));
    settled_ = true;
    pieces_ = 0;
    items_ = elapsed_ns_ = stolen_ = 0;

    // Items too fast for the clock count as 2^-10 ns.
    const double least = 1.0 / 1024;
    const double wanted = target_ns_ / (ns_per_item_ < least ? least : ns_per_item_);
    const double now = static_cast<double>(grain_);
    if (wanted > now * kSlack || wanted * kSlack < now) grain_ = ClampGrain(wanted);
  }

  constexpr void MoveTarget(double stolen_share) {
    const int direction = stolen_share > options_.many_stolen  ? -1
                          : stolen_share < options_.few_stolen ? 1
                                                               : 0;
    if (direction != 0 && direction == last_direction_) {
      const double moved = direction > 0 ? target_ns_ * kStep : target_ns_ / kStep;
      target_ns_ = Clamp(moved, options_.shortest_ns, options_.longest_ns);
    }
    last_direction_ = direction;
  }

  Options options_;
  double target_ns_;
  std::uint64_t grain_;
  double ns_per_item_ = 0;
  bool settled_ = false;  // ns_per_item_ is a measurement.
  int last_direction_ = 0;
  // The current window.
  std::uint32_t pieces_ = 0;
  double items_ = 0;
  double elapsed_ns_ = 0;
  double stolen_ = 0;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_GRAIN_CONTROLLER_H_

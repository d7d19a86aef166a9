// BatchSize: how many units an owner claims from its StealingRange at once.
//
// A claim costs an atomic exchange, a claimed unit is out of the thieves'
// reach.  So batches grow 1, 2, 4, ... only while they are over sooner than a
// target time, and never past a share of what is left that keeps the end of the
// loop even.
//
// Use it in a loop that claims repeatedly; when the grain of a whole loop is
// to be chosen, use GrainController.  It is a value with neither clock nor
// atomics: one thread, any unit of time (nanoseconds, cycles), and the same
// arguments give the same answers.
//
//   BatchSize batch(/*participants=*/2, /*target=*/2000);
//   UnitInterval units = range.Claim(batch.Next(range.remaining()));
//   ...                              // runs them
//   batch.Finished(units.size(), elapsed);
#ifndef FILCH_PARTITIONER_BATCH_SIZE_H_
#define FILCH_PARTITIONER_BATCH_SIZE_H_

#include <cstdint>

namespace filch {

class BatchSize {
 public:
  // `participants` threads share the loop; a batch ought to take `target`, in
  // the unit of time that Finished is told.
  constexpr BatchSize(std::uint32_t participants, std::uint64_t target)
      : share_(std::uint64_t{kBatchesPerParticipant} * (participants == 0 ? 1 : participants)),
        target_(target) {}

  // How many units to claim when `remaining` are left; at least 1.
  constexpr std::uint32_t Next(std::uint32_t remaining) const {
    const std::uint64_t cap = remaining / share_;
    if (cap < size_) return cap == 0 ? 1 : static_cast<std::uint32_t>(cap);
    return size_;
  }

  // `units` claimed together took `elapsed`.  A batch that Next or the range
  // cut short says nothing about a larger one and leaves the size alone,
  // unless even it was too slow.
  constexpr void Finished(std::uint32_t units, std::uint64_t elapsed) {
    if (elapsed < target_) {
      if (units >= size_ && size_ < kMaxUnits) size_ *= 2;
      return;
    }
    // Slower than two targets: the units have become expensive.  Between one
    // and two the size stays, so that noise does not swing it.
    while (size_ > 1 && elapsed / 2 > target_) {
      size_ /= 2;
      elapsed /= 2;
    }
  }

  // The units to come were stolen from somewhere else, so what was learned
  // about the old ones does not hold.
  constexpr void Stolen() { size_ = 1; }

  constexpr std::uint32_t size() const { return size_; }

  // A thief arriving at any time finds at least 7/8 of its fair share.
  static constexpr std::uint32_t kBatchesPerParticipant = 8;
  static constexpr std::uint32_t kMaxUnits = std::uint32_t{1} << 20;

 private:
  std::uint64_t share_;
  std::uint64_t target_;
  std::uint32_t size_ = 1;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_BATCH_SIZE_H_

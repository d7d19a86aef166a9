// BatchSize: how many units an owner claims from its StealingRange at once.
//
// A claim costs an atomic exchange, a claimed unit is out of the thieves'
// reach.  So batches grow 1, 2, 4, ... only while they are over sooner than a
// target time, and never past a share of what is left that keeps the end of the
// loop even.  They shrink where units take longer, but not where a smaller batch
// takes as long as a larger one did: then the time is in the batch, such as that of
// joining it to what was there before (std::stable_partition), and more batches
// would take more of it.
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
    // Where the time is in the batch, what is held back from thieves takes little of it.
    const std::uint64_t cap = remaining / (fixed_ == 0 ? share_ : share_ / kFixedParts);
    if (cap < size_) return cap == 0 ? 1 : static_cast<std::uint32_t>(cap);
    return size_;
  }

  // `units` claimed together took `elapsed`.  A batch that Next or the range
  // cut short says nothing about a larger one and leaves the size alone,
  // unless even it was too slow.
  constexpr void Finished(std::uint32_t units, std::uint64_t elapsed) {
    LearnFixed(units, elapsed);
    const std::uint64_t target = target_ + kFixedParts * fixed_;
    if (elapsed < target) {
      if (units >= size_ && size_ < kMaxUnits) size_ *= 2;
      return;
    }
    // Slower than two targets: the units have become expensive.  Between one
    // and two the size stays, so that noise does not swing it.
    if (size_ > 1 && elapsed / 2 > target) {
      while (size_ > 1 && elapsed / 2 > target) {
        size_ /= 2;
        elapsed /= 2;
      }
    } else if (target_ != 0) {
      Try();
    }
  }

  // The units to come were stolen from somewhere else, so what was learned
  // about the old ones does not hold.
  constexpr void Stolen() {
    size_ = 1;
    fixed_ = 0;
    last_elapsed_ = 0;
    last_units_ = 0;
    steady_ = 0;
  }

  constexpr std::uint32_t size() const { return size_; }

  // A thief arriving at any time finds at least 7/8 of its fair share, or half of it where
  // the time is in the batch.
  static constexpr std::uint32_t kBatchesPerParticipant = 8;
  static constexpr std::uint32_t kMaxUnits = std::uint32_t{1} << 20;

 private:
  // A batch ought to take so many times what it takes whatever its size.
  static constexpr std::uint64_t kFixedParts = 4;
  // So large that kFixedParts * fixed_ + target_ still fits.
  static constexpr std::uint64_t kForever = std::uint64_t{1} << 60;

  // One batch of twice the size now and then, less and less often, to compare.
  constexpr void Try() {
    ++steady_;
    if (steady_ >= 4 && (steady_ & (steady_ - 1)) == 0 && size_ < kMaxUnits) size_ *= 2;
  }

  // Compares a batch with the one before it.
  constexpr void LearnFixed(std::uint32_t units, std::uint64_t elapsed) {
    if (elapsed > kForever) return;
    const std::uint64_t before = last_elapsed_;
    const bool was_slow = before > target_;
    const bool smaller_as_long =
        was_slow && units <= last_units_ / 2 && elapsed >= before - before / 4;
    const bool larger_no_longer =
        was_slow && units / 2 >= last_units_ && elapsed <= before + before / 4;
    if (larger_no_longer) {
      fixed_ = before;
    } else if (smaller_as_long || elapsed < fixed_) {
      fixed_ = elapsed;
    } else if (units / 2 >= last_units_ && elapsed / 2 >= before) {
      fixed_ = 0;  // it is in the units
    }
    last_units_ = units;
    last_elapsed_ = elapsed;
  }

  std::uint64_t share_;
  std::uint64_t target_;
  // What a batch seems to take whatever its size, and the last one.
  std::uint64_t fixed_ = 0;
  std::uint64_t last_elapsed_ = 0;
  std::uint32_t last_units_ = 0;
  std::uint32_t steady_ = 0;  // batches of the right size
  std::uint32_t size_ = 1;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_BATCH_SIZE_H_

// StealingRangePartitioner: balances a loop over any threads, without a pool.
//
// Use it when items differ in cost and you have threads of your own; if every
// item costs the same, StaticPartitioner is enough; with a filch::Pool, use its
// ParallelFor, which runs on the same ranges.
//
// The space is dealt out evenly.  A consumer eats its share from the low end in
// batches whose size adapts to the time they take; one that has nothing left
// steals the upper half of somebody else's; one that finds nothing sleeps.
//
// Any thread: the partitioner itself (it is a plain value).  Each partition
// belongs to one thread at a time.
//
// Guaranteed: every index is handed out exactly once.  A partition ends when all
// indices have been executed or the loop is stopped, not before; so after any
// one partition has ended everything is done.  Consumers may throw, break, be
// destroyed early or never start: the others take over, and nobody hangs as long
// as one thread consumes a partition to its end.  One thread may consume several
// partitions one after the other, but not in alternation: the one would wait for
// the item that the other holds.
//
// Memory ordering: what the thread that called GetPartitions did before is
// visible to every consumer that was handed its partition; what any consumer did
// is visible after a partition has ended (unless it was stopped).
//
// After "Load-balancing partitioner with work stealing", part two; README.md
// lists what was wrong there.
//
// Example (tests/partitioner/balance_with_threads_test.cc): four threads, any
// imbalance.
//   auto partitions = StealingRangePartitioner(0, n).GetPartitions(4);
//   std::vector<std::thread> threads;
//   for (auto& partition : partitions) {
//     threads.emplace_back([&] { partition.ForEach(Work); });
//   }
//   for (auto& thread : threads) thread.join();
#ifndef FILCH_PARTITIONER_STEALING_RANGE_PARTITIONER_H_
#define FILCH_PARTITIONER_STEALING_RANGE_PARTITIONER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/partitioner/index_space.h"
#include "filch/partitioner/make_partitions.h"
#include "filch/partitioner/partition.h"
#include "filch/partitioner/stealing_coordinator.h"
#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"

namespace filch {

struct StealingOptions {
  // Indices that are always handed out together, at least 1.
  std::uint64_t grain = 1;
  // Units to claim at once; 0 lets the batch adapt to the time units take.
  std::uint32_t batch = 0;
};

namespace partitioner_internal {

// The Feed (see Partition) of one consumer.
class StealingFeed {
 public:
  StealingFeed(std::shared_ptr<StealingCoordinator> loop, std::uint32_t self, std::uint32_t batch)
      : loop_(std::move(loop)),
        self_(self),
        fixed_(batch),
        adaptive_(loop_->participants(), kTargetNs) {}

  UnitInterval Next() {
    executed_ += handed_;
    UnitInterval batch = loop_->Claim(self_, BatchUnits());
    if (batch.empty()) {
      batch = loop_->ReturnAndSteal(self_, executed_);
      executed_ = 0;
      adaptive_.Stolen();
      timed_ = false;
    }
    handed_ = batch.size();
    return batch;
  }

  // Knows the way to the flag itself: that is asked at each index.
  struct Demand {
    const StealingRange* range;
    bool operator()() const { return range->thieves_waiting(); }
  };
  Demand demand() const { return {&loop_->range(self_)}; }

  void GiveBack(UnitInterval* untouched) {
    const std::uint32_t held = untouched->size();
    loop_->GiveBack(self_, untouched);
    handed_ -= held - untouched->size();
  }

  void Leave(UnitInterval untouched) {
    loop_->Leave(self_, untouched, executed_ + handed_ - untouched.size());
    executed_ = 0;
    handed_ = 0;
    timed_ = false;
  }

  void Stop() { loop_->Stop(); }

 private:
  using Clock = std::chrono::steady_clock;

  // 5 us: a claim and a clock reading (30 ns together) are then 0.6 % of a
  // batch.  Larger gains nothing; smaller costs more, and is not needed for
  // balance, because what is claimed is given back when somebody starves.
  static constexpr std::uint64_t kTargetNs = 5000;

  // How many units to claim next, from how long the last ones took.
  std::uint32_t BatchUnits() {
    if (fixed_ != 0) return fixed_;
    const Clock::time_point now = Clock::now();
    if (timed_) {
      const std::chrono::nanoseconds elapsed = now - begun_;
      adaptive_.Finished(handed_, static_cast<std::uint64_t>(elapsed.count()));
    }
    begun_ = now;
    timed_ = true;
    return adaptive_.Next(loop_->range(self_).remaining());
  }

  std::shared_ptr<StealingCoordinator> loop_;
  std::uint32_t self_;
  std::uint32_t fixed_;
  BatchSize adaptive_;
  Clock::time_point begun_{};
  bool timed_ = false;
  std::uint32_t handed_ = 0;    // The size of the batch in the consumer's hands.
  std::uint32_t executed_ = 0;  // Units before that batch, not yet reported.
};

}  // namespace partitioner_internal

template <typename Index>
class StealingRangePartitioner {
 public:
  using PartitionType = Partition<Index, partitioner_internal::StealingFeed>;

  // The indices begin, ..., end - 1.
  StealingRangePartitioner(Index begin, Index end, StealingOptions options = {})
      : space_(begin, end, options.grain), batch_(options.batch) {}

  // A new loop over the whole space, in `count` (at least 1) partitions.
  std::vector<PartitionType> GetPartitions(std::uint32_t count) const {
    const auto loop =
        std::make_shared<partitioner_internal::StealingCoordinator>(space_.units(), count);
    return partitioner_internal::MakePartitions(space_, count, [&](std::uint32_t p) {
      return partitioner_internal::StealingFeed(loop, p, batch_);
    });
  }

 private:
  IndexSpace<Index> space_;
  std::uint32_t batch_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_STEALING_RANGE_PARTITIONER_H_

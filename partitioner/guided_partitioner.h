// GuidedPartitioner: consumers take chunks that shrink with what is left.
//
// Use it when items are uneven but the expensive ones do not all come first; a
// chunk once taken is never given back, so a first chunk that holds all the work
// is the whole loop.  Then, or when in doubt, use StealingRangePartitioner.
//
// Any thread: the partitioner (a plain value); each partition belongs to one.
//
// Guaranteed: every index is handed out at most once; a chunk is what is left
// divided by the number of partitions, and no less than the smallest chunk.  A
// partition ends when nothing is left, while others may still be executing; what
// a consumer leaves behind of its chunk is dropped.
//
// Memory ordering: none beyond handing the partitions to their threads.
//
// After "Guided self-scheduling" (Polychronopoulos and Kuck, 1987).
//
//   auto partitions = GuidedPartitioner(0, n, /*smallest=*/4).GetPartitions(4);
#ifndef FILCH_PARTITIONER_GUIDED_PARTITIONER_H_
#define FILCH_PARTITIONER_GUIDED_PARTITIONER_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/partitioner/index_space.h"
#include "filch/partitioner/make_partitions.h"
#include "filch/partitioner/partition.h"
#include "filch/partitioner/shared_counter.h"
#include "filch/partitioner/unit_interval.h"

namespace filch {
namespace partitioner_internal {

// The Feed (see Partition) of one consumer: a unit is a smallest chunk.
class GuidedFeed {
 public:
  GuidedFeed(std::shared_ptr<SharedCounter> counter, std::uint32_t participants)
      : counter_(std::move(counter)), participants_(participants) {}

  UnitInterval Next() { return counter_->TakeShare(participants_); }
  static constexpr NoDemand demand() { return {}; }
  void GiveBack(UnitInterval*) {}
  void Leave(UnitInterval) {}
  void Stop() { counter_->Stop(); }

 private:
  std::shared_ptr<SharedCounter> counter_;
  std::uint32_t participants_;
};

}  // namespace partitioner_internal

template <typename Index>
class GuidedPartitioner {
 public:
  using PartitionType = Partition<Index, partitioner_internal::GuidedFeed>;

  // The indices begin, ..., end - 1, never fewer than `smallest` (at least 1) at
  // a time but for the last.
  GuidedPartitioner(Index begin, Index end, std::uint64_t smallest = 1)
      : space_(begin, end, smallest) {}

  // A new loop over the whole space, in `count` (at least 1) partitions.
  std::vector<PartitionType> GetPartitions(std::uint32_t count) const {
    const auto counter = std::make_shared<partitioner_internal::SharedCounter>(space_.units());
    return partitioner_internal::MakePartitions(space_, count, [&](std::uint32_t) {
      return partitioner_internal::GuidedFeed(counter, count);
    });
  }

 private:
  IndexSpace<Index> space_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_GUIDED_PARTITIONER_H_

// StaticPartitioner: every partition gets one even share, decided beforehand.
//
// Use it when all items cost the same and all threads are there from the start:
// nothing is shared, so nothing is cheaper.  For anything uneven, use
// StealingRangePartitioner.
//
// Any thread: the partitioner (a plain value); each partition belongs to one.
//
// Guaranteed: shares are contiguous, in order, cover the space and differ by at
// most one unit.  A partition ends with its own share, and what a consumer
// leaves behind is dropped.
//
// Memory ordering: none; the partitions share nothing.
//
//   auto partitions = StaticPartitioner(0, n).GetPartitions(4);
#ifndef FILCH_PARTITIONER_STATIC_PARTITIONER_H_
#define FILCH_PARTITIONER_STATIC_PARTITIONER_H_

#include <cstdint>
#include <vector>

#include "filch/partitioner/index_space.h"
#include "filch/partitioner/make_partitions.h"
#include "filch/partitioner/partition.h"
#include "filch/partitioner/unit_interval.h"

namespace filch {
namespace partitioner_internal {

// The Feed (see Partition) that has one batch.
class StaticFeed {
 public:
  explicit StaticFeed(UnitInterval share) : share_(share) {}

  UnitInterval Next() { return TakeLower(&share_, share_.size()); }
  static constexpr NoDemand demand() { return {}; }
  void GiveBack(UnitInterval*) {}
  void Leave(UnitInterval) {}
  // There is nobody else's batch to prevent.
  void Stop() { share_ = {}; }

 private:
  UnitInterval share_;
};

}  // namespace partitioner_internal

template <typename Index>
class StaticPartitioner {
 public:
  using PartitionType = Partition<Index, partitioner_internal::StaticFeed>;

  // The indices begin, ..., end - 1; shares are multiples of `grain`.
  StaticPartitioner(Index begin, Index end, std::uint64_t grain = 1) : space_(begin, end, grain) {}

  // A new loop over the whole space, in `count` (at least 1) partitions.
  std::vector<PartitionType> GetPartitions(std::uint32_t count) const {
    return partitioner_internal::MakePartitions(space_, count, [&](std::uint32_t p) {
      return partitioner_internal::StaticFeed(EvenShare(space_.units(), p, count));
    });
  }

 private:
  IndexSpace<Index> space_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_STATIC_PARTITIONER_H_

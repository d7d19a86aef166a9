// DynamicPartitioner: consumers take fixed chunks off one shared counter.
//
// Use it when items are uneven and each is expensive (well over a microsecond
// per chunk); cheap items all queue for the counter's cache line, and then
// StealingRangePartitioner is the choice.
//
// Any thread: the partitioner (a plain value); each partition belongs to one.
//
// Guaranteed: every index is handed out at most once, in chunks that ascend.  A
// partition ends when the counter has, while others may still be executing;
// what a consumer leaves behind of its chunk is dropped.
//
// Memory ordering: none beyond handing the partitions to their threads.
//
//   auto partitions = DynamicPartitioner(0, n, /*chunk=*/16).GetPartitions(4);
#ifndef FILCH_PARTITIONER_DYNAMIC_PARTITIONER_H_
#define FILCH_PARTITIONER_DYNAMIC_PARTITIONER_H_

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

// The Feed (see Partition) of one consumer: a unit is a chunk.
class DynamicFeed {
 public:
  explicit DynamicFeed(std::shared_ptr<SharedCounter> counter) : counter_(std::move(counter)) {}

  UnitInterval Next() { return counter_->Take(1); }
  static constexpr NoDemand demand() { return {}; }
  void GiveBack(UnitInterval*) {}
  void Leave(UnitInterval) {}
  void Stop() { counter_->Stop(); }

 private:
  std::shared_ptr<SharedCounter> counter_;
};

}  // namespace partitioner_internal

template <typename Index>
class DynamicPartitioner {
 public:
  using PartitionType = Partition<Index, partitioner_internal::DynamicFeed>;

  // The indices begin, ..., end - 1, `chunk` (at least 1) at a time.
  DynamicPartitioner(Index begin, Index end, std::uint64_t chunk = 1) : space_(begin, end, chunk) {}

  // A new loop over the whole space, in `count` (at least 1) partitions.
  std::vector<PartitionType> GetPartitions(std::uint32_t count) const {
    const auto counter = std::make_shared<partitioner_internal::SharedCounter>(space_.units());
    return partitioner_internal::MakePartitions(
        space_, count, [&](std::uint32_t) { return partitioner_internal::DynamicFeed(counter); });
  }

 private:
  IndexSpace<Index> space_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_DYNAMIC_PARTITIONER_H_

// MakePartitions: what GetPartitions of a partitioner gives.
//
// `count` (at least 1) partitions of one loop over the space, of which partition p gets its
// units from make_feed(p).  Any thread.
#ifndef FILCH_PARTITIONER_MAKE_PARTITIONS_H_
#define FILCH_PARTITIONER_MAKE_PARTITIONS_H_

#include <cstdint>
#include <vector>

#include "filch/partitioner/index_space.h"
#include "filch/partitioner/partition.h"
#include "filch/topology/contract.h"

namespace filch {
namespace partitioner_internal {

template <typename Index, typename MakeFeed>
auto MakePartitions(const IndexSpace<Index>& space, std::uint32_t count,
                    const MakeFeed& make_feed) {
  if (count == 0) Fail("filch: a loop was divided among 0 partitions.");
  std::vector<Partition<Index, decltype(make_feed(count))>> partitions;
  partitions.reserve(count);
  for (std::uint32_t p = 0; p < count; ++p) partitions.emplace_back(space, make_feed(p));
  return partitions;
}

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_MAKE_PARTITIONS_H_

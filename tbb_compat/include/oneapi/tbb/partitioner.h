// The partitioners: how an algorithm divides a range among threads.
//
// Pass one as the last argument (before a context) of parallel_for,
// parallel_reduce or parallel_scan; without one the algorithm uses
// auto_partitioner.  Any thread may use a const partitioner, also several
// algorithms at once; an affinity_partitioner belongs to one running algorithm
// at a time.
//
//   static tbb::affinity_partitioner affinity;
//   tbb::parallel_for(range, body, affinity);
#ifndef FILCH_TBB_COMPAT_PARTITIONER_H_
#define FILCH_TBB_COMPAT_PARTITIONER_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstdint>

#include "detail/_comes_along.h"
#include "detail/_config.h"
#include "detail/_range_common.h"
#include "filch/partitioner/affinity_memory.h"
#include "filch/partitioner/split_policy.h"
#include "filch/pool/unit_places.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Splits until no part is divisible: every chunk of a blocked_range has at
// least half a grain and at most one.
class simple_partitioner {};

// Splits where threads ask for work; a chunk is at least half a grain.
class auto_partitioner {};

// One chunk for each thread of the arena, as equal as the range allows, and no
// balancing afterwards.
class static_partitioner {};

// Like auto_partitioner, and remembers which thread ran which part, so that the
// next algorithm that is given the same object can place the parts alike.  It
// must outlive the algorithm.
class affinity_partitioner {
 public:
  affinity_partitioner() = default;
  affinity_partitioner(const affinity_partitioner&) = delete;
  affinity_partitioner& operator=(const affinity_partitioner&) = delete;

 private:
  friend class AffinityAccess;
  filch::AffinityMemory& memory() { return memory_; }

  filch::AffinityMemory memory_;
};

// For the algorithms: where the parts of a loop ran.
class AffinityAccess final : public filch::UnitPlaces {
 public:
  explicit AffinityAccess(affinity_partitioner& partitioner) : memory_(MemoryOf(partitioner)) {}

  void Begin(std::uint32_t units) override { memory_.Prepare(units); }
  std::uint32_t PlaceOf(std::uint32_t unit) const override { return memory_.SlotOf(unit); }
  void Note(std::uint32_t unit, std::uint32_t slot) override { memory_.Note(unit, slot); }

  static filch::AffinityMemory& MemoryOf(affinity_partitioner& partitioner) {
    return partitioner.memory();
  }

 private:
  filch::AffinityMemory& memory_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::affinity_partitioner;
using detail::d1::auto_partitioner;
using detail::d1::simple_partitioner;
using detail::d1::static_partitioner;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARTITIONER_H_

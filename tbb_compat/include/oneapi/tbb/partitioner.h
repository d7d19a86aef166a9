// The partitioners: how an algorithm divides a range among threads.
//
// Pass one as the last argument (before a context) of parallel_for,
// parallel_reduce or parallel_scan; without one the algorithm uses
// auto_partitioner.  Any thread may use a const partitioner, also several
// algorithms at once; an affinity_partitioner remembers nothing of an algorithm that
// is begun while another one uses it, inside of that or elsewhere.
//
//   static tbb::affinity_partitioner affinity;
//   tbb::parallel_for(range, body, affinity);
#ifndef FILCH_TBB_COMPAT_PARTITIONER_H_
#define FILCH_TBB_COMPAT_PARTITIONER_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <atomic>
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

  std::atomic<bool> in_use_{false};
  filch::AffinityMemory memory_;  // of the algorithm that uses it
};

// For the algorithms: where the parts of a loop ran.
class AffinityAccess final : public filch::UnitPlaces {
 public:
  explicit AffinityAccess(affinity_partitioner& partitioner)
      : partitioner_(partitioner), is_ours_(Claim(partitioner)) {}
  ~AffinityAccess() {
    if (is_ours_) partitioner_.in_use_.store(false, std::memory_order_release);  // F1: to the next
  }
  AffinityAccess(const AffinityAccess&) = delete;
  AffinityAccess& operator=(const AffinityAccess&) = delete;

  void Begin(std::uint32_t units) override {
    if (is_ours_) memory().Prepare(units);
  }
  std::uint32_t PlaceOf(std::uint32_t unit) const override {
    return is_ours_ ? memory().SlotOf(unit) : filch::kAnySlot;
  }
  void Note(std::uint32_t unit, std::uint32_t slot) override {
    if (is_ours_) memory().Note(unit, slot);
  }

 private:
  // Whether no other algorithm has it.
  static bool Claim(affinity_partitioner& partitioner) {
    return !partitioner.in_use_.exchange(true, std::memory_order_acquire);  // F1: as it was left
  }
  filch::AffinityMemory& memory() const { return partitioner_.memory_; }

  affinity_partitioner& partitioner_;
  // Else another algorithm has the memory, which may have other parts.
  const bool is_ours_;
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

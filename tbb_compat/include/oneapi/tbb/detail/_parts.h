// Parts: ranges as units of the pool's loops, by partitioner.
//
// A blocked_range is an interval of offsets, which the loop cuts, but for some of fractional
// values.  Of static_partitioner and affinity_partitioner each part of any range has a place, so
// other ranges are cut before they are run.  Which part runs on which slot is decided by the pool's
// loops.
#ifndef FILCH_TBB_COMPAT_DETAIL_PARTS_H_
#define FILCH_TBB_COMPAT_DETAIL_PARTS_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <utility>
#include <vector>

#include "../blocked_range.h"
#include "../partitioner.h"
#include "_config.h"
#include "_cut.h"
#include "_run_guarded.h"
#include "filch/partitioner/split_policy.h"
#include "filch/pool/context.h"
#include "filch/pool/even_cut.h"
#include "filch/pool/halved_cut.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/proportional_cut.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Partitioner>
inline constexpr bool PlacesParts =
    std::is_same_v<std::remove_cv_t<Partitioner>, static_partitioner> ||
    std::is_same_v<std::remove_cv_t<Partitioner>, affinity_partitioner>;

// How many parts a loop with one of these partitioners has.
inline std::uint32_t MostParts(const static_partitioner&) { return Concurrency(); }
inline std::uint32_t MostParts(const affinity_partitioner&) {
  return Concurrency() * filch::kPartsToRemember;
}

// What is left of a range to the right of a part.
template <typename Range, typename Policy>
struct RangeToCut {
  RangeToCut(Range& left, Policy& left_policy)  // in this order
      : range(d1::CutRight(left, left_policy)), policy(left_policy.CutAhead()) {}

  Range range;
  Policy policy;
};

// Appends the parts that `policy` wants of `range` before anybody asks, from left to
// right.  However unevenly the range is cut, the stack is not.
template <typename Range, typename Policy>
void CutIntoParts(const Range& range, Policy policy, std::vector<Range>& parts) {
  std::deque<RangeToCut<Range, Policy>> rest;  // from right to left
  parts.push_back(range);
  for (;;) {
    Range& left = parts.back();
    while (left.is_divisible() && policy.cuts_ahead()) rest.emplace_back(left, policy);
    if (rest.empty()) return;
    parts.push_back(std::move(rest.back().range));
    policy = rest.back().policy;
    rest.pop_back();
  }
}

// The same.  What cutting the range throws counts as if a task of the context had thrown it, which
// keeps it; then the parts are not all there.
template <typename Range, typename Policy>
std::vector<Range> PartsOf(filch::Context& context, const Range& range, const Policy& policy) {
  std::vector<Range> parts;
  d1::RunKeeping(context, [&] { d1::CutIntoParts(range, policy, parts); });
  return parts;
}

// Whether a loop cuts the range itself, as an interval of offsets.  Where programs know the parts
// beforehand, those of fractional values do not begin at a whole number of items.
template <typename Range, typename Partitioner>
inline constexpr bool IsCutByOffset = false;
template <typename Value, typename Partitioner>
inline constexpr bool IsCutByOffset<blocked_range<Value>, Partitioner> =
    !IsFractional<Value> ||
    !IsPartitionerOf<Partitioner, void, simple_partitioner, static_partitioner>;

// How the offsets [0, size) of a blocked_range, of which there are some, are cut into units.
inline filch::EvenCut OffsetCut(std::uint64_t size, std::uint64_t grain, const auto_partitioner&) {
  return filch::EvenCut::ByGrain(size, grain);
}
inline filch::HalvedCut OffsetCut(std::uint64_t size, std::uint64_t grain,
                                  const simple_partitioner&) {
  return filch::HalvedCut(size, grain);
}
inline filch::ProportionalCut OffsetCut(std::uint64_t size, std::uint64_t grain,
                                        const static_partitioner& partitioner) {
  return filch::ProportionalCut(size, grain, d1::MostParts(partitioner));
}
inline filch::EvenCut OffsetCut(std::uint64_t size, std::uint64_t grain,
                                const affinity_partitioner& partitioner) {
  return filch::EvenCut::ByHalves(size, grain, d1::MostParts(partitioner));
}

// How a blocked_range that is not empty is cut.
template <typename Value, typename Partitioner>
auto OffsetCut(const blocked_range<Value>& range, const Partitioner& partitioner) {
  std::uint64_t size = range.size();
  // Less than one item is a part, too.
  if constexpr (!EndsAtSize<Value>) size = std::max<std::uint64_t>(size, 1);
  return d1::OffsetCut(size, range.grainsize(), partitioner);
}

// Runs a loop over such units, or over parts that were cut before, each where it belongs.
template <typename Loop>
void RunUnits(Loop& loop, std::uint32_t units, const auto_partitioner&, filch::Context& context) {
  filch::RunStealingLoop(loop, units, context);
}
inline void RunUnits(filch::LoopBody& loop, std::uint32_t units, const simple_partitioner&,
                     filch::Context& context) {
  // Who cuts so small may want all of it to run at the same time.
  filch::RunIndexLoop(loop, units, filch::LoopSchedule::kStealingAtOnce, context);
}
inline void RunUnits(filch::LoopBody& loop, std::uint32_t units, const static_partitioner&,
                     filch::Context& context) {
  filch::RunIndexLoop(loop, units, filch::LoopSchedule::kStatic, context);
}
inline void RunUnits(filch::LoopBody& loop, std::uint32_t units, affinity_partitioner& partitioner,
                     filch::Context& context) {
  AffinityAccess places(partitioner);
  filch::RunIndexLoop(loop, units, places, context);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PARTS_H_

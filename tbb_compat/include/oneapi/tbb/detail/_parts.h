// Parts: a range that is cut before it is run, because each part has a place.
//
// What static_partitioner and affinity_partitioner promise, for ranges of all
// kinds: which part runs on which slot is decided by the pool's loops.
#ifndef FILCH_TBB_COMPAT_DETAIL_PARTS_H_
#define FILCH_TBB_COMPAT_DETAIL_PARTS_H_

#include <cstdint>
#include <type_traits>
#include <vector>

#include "../blocked_range.h"
#include "../partitioner.h"
#include "_config.h"
#include "_cut.h"
#include "filch/partitioner/split_policy.h"
#include "filch/pool/context.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/parallel_for.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Partitioner>
inline constexpr bool PlacesParts =
    std::is_same_v<std::remove_cv_t<Partitioner>, static_partitioner> ||
    std::is_same_v<std::remove_cv_t<Partitioner>, affinity_partitioner>;

// How many parts a loop with one of these partitioners has, and in what proportions.
inline filch::StaticSplit PolicyForParts(const static_partitioner&) {
  return filch::StaticSplit(Concurrency());
}
inline filch::StaticSplit PolicyForParts(const affinity_partitioner&) {
  return filch::StaticSplit(Concurrency() * filch::kPartsToRemember);
}

// Appends the parts that `policy` wants of `range` before anybody asks, from left to
// right.
template <typename Range, typename Policy>
void CutIntoParts(Range& range, Policy policy, std::vector<Range>& parts) {
  if (range.is_divisible() && policy.cuts_ahead()) {
    Range right = d1::CutRight(range, policy);
    Policy right_policy = policy.CutAhead();
    d1::CutIntoParts(range, policy, parts);
    d1::CutIntoParts(right, right_policy, parts);
  } else {
    parts.push_back(range);
  }
}

// Runs a loop over `parts` parts, each where it belongs.
inline void RunPartsLoop(filch::LoopBody& loop, std::uint32_t parts, const static_partitioner&,
                         filch::Context& context) {
  filch::RunIndexLoop(loop, parts, filch::LoopSchedule::kStatic, context);
}
inline void RunPartsLoop(filch::LoopBody& loop, std::uint32_t parts,
                         affinity_partitioner& partitioner, filch::Context& context) {
  AffinityAccess places(partitioner);
  filch::RunIndexLoop(loop, parts, places, context);
}

// Calls run(options) for a loop over a blocked_range: with its grain, and with the
// schedule and the places of its partitioner.
template <typename Value, typename Partitioner, typename Run>
void WithLoopOptions(filch::Context& context, const blocked_range<Value>& range,
                     [[maybe_unused]] Partitioner& partitioner, const Run& run) {
  using Kind = std::remove_cv_t<Partitioner>;
  filch::ParallelForOptions options;
  options.grain = range.grainsize();
  options.exact_grain = std::is_same_v<Kind, simple_partitioner>;
  if (std::is_same_v<Kind, static_partitioner>) options.schedule = filch::LoopSchedule::kStatic;
  // Who cuts so small may want all of it to run at the same time.
  if (std::is_same_v<Kind, simple_partitioner>) {
    options.schedule = filch::LoopSchedule::kStealingAtOnce;
  }
  options.context = &context;
  if constexpr (std::is_same_v<Kind, affinity_partitioner>) {
    AffinityAccess places(partitioner);
    options.places = &places;
    run(options);
  } else {
    run(options);
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PARTS_H_

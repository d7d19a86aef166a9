// Cut: runs a range in parts, as a partitioner asks, by forks.
//
// This is the shape of every algorithm over a general Range; what a sink is says
// _range_cutter.h.
#ifndef FILCH_TBB_COMPAT_DETAIL_CUT_H_
#define FILCH_TBB_COMPAT_DETAIL_CUT_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "../partitioner.h"
#include "_config.h"
#include "_pieces_loop.h"
#include "_range_cutter.h"
#include "filch/partitioner/split_policy.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/cut_loop.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// How many threads may work on an algorithm that starts now.
inline std::uint32_t Concurrency() {
  return static_cast<std::uint32_t>(filch::CurrentArena().concurrency());
}

inline filch::SimpleSplit PolicyOf(const simple_partitioner&) { return {}; }
inline filch::StaticSplit PolicyOf(const static_partitioner&) {
  return filch::StaticSplit(Concurrency());
}
inline filch::AutoSplit PolicyOf(const auto_partitioner&) {
  return filch::AutoSplit(Concurrency());
}

// Runs all of `range` into `sink`, cut as the partitioner asks, under `context`.
template <typename Range, typename Sink, typename Partitioner>
void Cut(filch::Context& context, const Range& range, Sink& sink, Partitioner& partitioner) {
  const auto policy = d1::PolicyOf(partitioner);
  using Policy = std::remove_const_t<decltype(policy)>;
  if constexpr (std::is_same_v<Policy, filch::AutoSplit>) {
    PiecesLoop<Range, Sink> loop(range, sink, policy);
    sink.Guard([&] { filch::RunCutLoop(loop, context); });
  } else {
    Range whole(range);
    sink.RunAll([&] { RangeCutter<Range, Sink, Policy>::Begin(whole, sink, policy, nullptr); });
  }
}

// Which of the four an argument is, given as it must be; it may be of a derived class.
inline const simple_partitioner& PartitionerOf(const simple_partitioner& p) { return p; }
inline const auto_partitioner& PartitionerOf(const auto_partitioner& p) { return p; }
inline const static_partitioner& PartitionerOf(const static_partitioner& p) { return p; }
inline affinity_partitioner& PartitionerOf(affinity_partitioner& p) { return p; }

template <typename P>
using PartitionerKind = std::decay_t<decltype(d1::PartitionerOf(std::declval<P>()))>;

// Whether an argument of type P is one of them.
template <typename P, typename = void>
inline constexpr bool IsPartitioner = false;
template <typename P>
inline constexpr bool IsPartitioner<P, std::void_t<PartitionerKind<P>>> = true;

// Whether it is one of these.
template <typename P, typename = void, typename... Kinds>
inline constexpr bool IsPartitionerOf = false;
template <typename P, typename... Kinds>
inline constexpr bool IsPartitionerOf<P, std::void_t<PartitionerKind<P>>, Kinds...> =
    (std::is_same_v<PartitionerKind<P>, Kinds> || ...);

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_CUT_H_

// Cut: runs a range in parts, as a partitioner asks, by forks of two.
//
// This is the shape of every algorithm over a general Range. A Sink knows what
// is done with a part and with a fork:
//
//   bool cancelled() const;
//   void Run(Range& part);                        // a part that is cut no more
//   template <typename L, typename R> void Fork(const L& left, const R& right);
//                                                 // left(sink), right(sink)
//
// Parts of one sink run from left to right on one thread; a right part that
// another thread takes gets a sink of its own. How a range is cut is decided by
// the split policies of filch's partitioner layer; which thread takes what, and
// when one asks for work, by the pool.
#ifndef FILCH_TBB_COMPAT_DETAIL_CUT_H_
#define FILCH_TBB_COMPAT_DETAIL_CUT_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "../partitioner.h"
#include "_config.h"
#include "_range_common.h"
#include "_range_stack.h"
#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/split_policy.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Whether the policy has proportions of its own.  The others never call a range's
// proportional constructor, as in oneTBB.
template <typename Policy>
inline constexpr bool HasProportions =
    std::is_same_v<Policy, filch::StaticSplit> || std::is_same_v<Policy, filch::AffinitySplit>;

// The right part of `range`, cut in the proportion that the policy wants.
template <typename Range, typename Policy>
Range CutRight(Range& range, const Policy& policy) {
  if constexpr (HasProportions<Policy> &&
                std::is_constructible_v<Range, Range&, proportional_split&>) {
    const filch::ProportionalSplit proportion = policy.proportion();
    proportional_split ratio(proportion.left, proportion.right);
    return Range(range, ratio);
  } else {
    return Range(range, split());
  }
}

template <typename Range, typename Sink, typename Policy>
class RangeCutter {
 public:
  // Runs `range` on this thread, which came to it as `place` says.
  static void Run(Range& range, Sink& sink, Policy policy, filch::Place place) {
    policy.Arrive(place);
    CutAhead(range, sink, policy);
  }

 private:
  // The parts that are made before anybody asks.
  static void CutAhead(Range& range, Sink& sink, Policy policy) {
    if (sink.cancelled()) return;
    if (!range.is_divisible()) {
      sink.Run(range);
    } else if (policy.cuts_ahead()) {
      Range right = CutRight(range, policy);
      Policy right_policy = policy.CutAhead();
      Fork(sink, right, right_policy, [&](Sink& s) { CutAhead(range, s, policy); });
    } else if constexpr (Policy::kPoolCapacity == 1) {
      sink.Run(range);
    } else {
      RangeStack<Range> pieces(range);
      RunPieces(pieces, sink, policy);
    }
  }

  // The parts that are made on demand.
  static void RunPieces(RangeStack<Range>& pieces, Sink& sink, Policy& policy) {
    while (pieces.size() > 0 && !sink.cancelled()) {
      pieces.CutLeft(static_cast<int>(policy.depth()));
      if (filch::WorkIsWanted()) {
        if (pieces.size() > 1) {
          Range largest = pieces.right();
          pieces.PopRight();
          Fork(sink, largest, policy.Offspring(), [&](Sink& s) { RunPieces(pieces, s, policy); });
          return;
        }
        // One piece is left: cut it deeper, if policy and range allow.
        if (pieces.left().is_divisible() && policy.Demanded()) continue;
      }
      sink.Run(pieces.left());
      pieces.PopLeft();
    }
  }

  // Runs left(sink) and the range `right` at the same time, if a thread comes.
  template <typename Left>
  static void Fork(Sink& sink, Range& right, const Policy& right_policy, const Left& left) {
    const int slot = filch::pool_internal::CurrentSlot().index;
    sink.Fork(left, [&right, &right_policy, slot](Sink& s) {
      const int here = filch::pool_internal::CurrentSlot().index;
      Run(right, s, right_policy, {static_cast<std::uint32_t>(here), here != slot});
    });
  }
};

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
inline filch::AffinitySplit PolicyOf(affinity_partitioner& partitioner) {
  return filch::AffinitySplit(Concurrency(), &AffinityAccess::MemoryOf(partitioner));
}

// Runs all of `range` into `sink`, cut as the partitioner asks.
template <typename Range, typename Sink, typename Partitioner>
void Cut(Range& range, Sink& sink, Partitioner& partitioner) {
  const auto policy = PolicyOf(partitioner);
  RangeCutter<Range, Sink, std::remove_const_t<decltype(policy)>>::Run(
      range, sink, policy,
      {static_cast<std::uint32_t>(filch::pool_internal::CurrentSlot().index), false});
}

// Which of the four an argument is, given as it must be; it may be of a derived class.
inline const simple_partitioner& PartitionerOf(const simple_partitioner& p) { return p; }
inline const auto_partitioner& PartitionerOf(const auto_partitioner& p) { return p; }
inline const static_partitioner& PartitionerOf(const static_partitioner& p) { return p; }
inline affinity_partitioner& PartitionerOf(affinity_partitioner& p) { return p; }

template <typename P>
using PartitionerKind = std::decay_t<decltype(PartitionerOf(std::declval<P>()))>;

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

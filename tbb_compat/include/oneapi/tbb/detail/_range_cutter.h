// RangeCutter: runs a range in parts, as a split policy asks, by forks of two.
//
// A Sink knows what is done with a part and with a fork:
//
//   filch::LoopKind& kind() const; // of the loop
//   bool cancelled() const;
//   void Run(Range& part);         // a part that is cut no more
//   template <typename L, typename R> void Fork(const L& left, R& right);
//                                  // left(), and right.Run(sink), which may not be over yet
//   template <typename F> void RunAll(const F& f);
//                                  // f(), and then no part is left; once, for the first sink
//   template <typename F> void Guard(const F& f);
//                                  // f(), which may throw what ranges throw
//
// Parts of one sink run from left to right on one thread; a right part that another thread
// takes, or the same one in a wait that the left part began, gets a sink of its own, and may
// be moved or copied. How a range is cut is decided by
// the split policies of filch's partitioner layer; which thread takes what, and
// when one asks for work, by the pool.
#ifndef FILCH_TBB_COMPAT_DETAIL_RANGE_CUTTER_H_
#define FILCH_TBB_COMPAT_DETAIL_RANGE_CUTTER_H_

#include <cstdint>
#include <type_traits>

#include "_config.h"
#include "_range_common.h"
#include "_range_stack.h"
#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/split_policy.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/first_units.h"

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
    CutAhead(range, sink, policy, nullptr);
  }

  // The same where the loop begins, on the thread that does.  Says when the first part begins
  // and when it has ended, unless `first` is null.
  static void Begin(Range& range, Sink& sink, const Policy& policy,
                    filch::pool_internal::FirstUnits* first) {
    CutAhead(range, sink, policy, first);
  }

  // Takes the largest of several pieces from them, and runs it and rest() at the same
  // time, if a thread comes.
  template <typename Pieces, typename Rest>
  static void ForkLargest(Pieces& pieces, Sink& sink, const Policy& policy, const Rest& rest) {
    // Made here, because the copy constructor may be explicit.
    Right largest{Range(pieces.right()), policy};
    pieces.PopRight();
    sink.Fork(rest, largest);
  }

 private:
  using FirstUnits = filch::pool_internal::FirstUnits;

  // A part that another thread may take with it.
  struct Right {
    void Run(Sink& sink) {
      const int here = filch::pool_internal::CurrentSlot().index;
      RangeCutter::Run(range, sink, policy, {static_cast<std::uint32_t>(here), here != slot});
    }

    Range range;
    const Policy policy;
    const int slot = filch::pool_internal::CurrentSlot().index;  // where it was forked
  };

  // The parts that are made before anybody asks.
  static void CutAhead(Range& range, Sink& sink, Policy policy, FirstUnits* first) {
    if (sink.cancelled()) return;
    if (!range.is_divisible()) {
      RunPart(range, sink, first);
    } else if (policy.cuts_ahead()) {
      // In this order.
      Right right{d1::CutRight(range, policy), policy.CutAhead()};
      sink.Fork([&] { CutAhead(range, sink, policy, first); }, right);
    } else if constexpr (Policy::kPoolCapacity == 1) {
      RunPart(range, sink, first);
    } else {
      RangeStack<Range, Policy::kPoolCapacity> pieces(range);
      RunPieces(pieces, sink, policy, first);
    }
  }

  // The parts that are made on demand.
  static void RunPieces(RangeStack<Range, Policy::kPoolCapacity>& pieces, Sink& sink,
                        Policy& policy, FirstUnits* first) {
    while (pieces.size() > 0 && !sink.cancelled()) {
      pieces.CutLeft(static_cast<int>(policy.depth()));
      if (filch::WorkIsWanted()) {
        if (pieces.size() > 1) {
          ForkLargest(pieces, sink, policy.Offspring(),
                      [&] { RunPieces(pieces, sink, policy, first); });
          return;
        }
        // One piece is left: cut it deeper, if policy and range allow.
        if (pieces.left().is_divisible() && policy.Demanded()) continue;
      }
      RunPart(pieces.left(), sink, first);
      pieces.PopLeft();
      first = nullptr;
    }
  }

  static void RunPart(Range& part, Sink& sink, FirstUnits* first) {
    if (first != nullptr) first->Begin();
    sink.Run(part);
    if (first != nullptr) first->Ended();
  }
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_RANGE_CUTTER_H_

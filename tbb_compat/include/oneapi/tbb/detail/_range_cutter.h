// RangeCutter: runs a range in parts, as a split policy asks, by forks of two, or three.
//
// A Sink knows what is done with a part and with a fork:
//
//   filch::LoopKind& kind() const; // of the loop
//   bool cancelled() const;
//   void Run(Range& part);         // a part that is cut no more
//   template <typename L, typename R> void Fork(const L& left, R& right);
//                                  // left(), and right.Run(sink), which may not be over yet
//   static constexpr bool kForksThree;  // whether there is Fork(left, middle, last), too
//   template <typename F> void RunAll(const F& f);
//                                  // f(), and then no part is left; once, for the first sink
//   template <typename F> void Guard(const F& f);
//                                  // f(), which may throw what ranges throw
//   template <typename F> void BeginApart(const F& f);
//                                  // f(), and all that RunApart is given meanwhile, when
//                                  // is_apart() is true
//   template <typename R> void RunApart(R& right);
//                                  // right.Run(a sink) some time, in a task of its own
//   bool is_apart() const;
//
// Parts of one sink run from left to right on one thread; a right part that another thread
// takes, or the same one in a wait that the left part began, gets a sink of its own, and may
// be moved or copied.
//
// A fork is nested in the one that made its part. Halves are never nested deeper than a few
// dozens, but a user's range may give a single element away each time that it is cut. So what
// lies in many forks forks no more: each right part is a task of its own, and the left part goes
// on in a loop. Then the stack is bounded, whatever the shape, and ranges that halve pay nothing
// for it.
//
// How a range is cut is decided by the split policies of filch's partitioner layer; which thread
// takes what, and when one asks for work, by the pool.
#ifndef FILCH_TBB_COMPAT_DETAIL_RANGE_CUTTER_H_
#define FILCH_TBB_COMPAT_DETAIL_RANGE_CUTTER_H_

#include <cstddef>
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
  // Says when the first part begins and when it has ended; without demand nobody asks.
  using First = std::conditional_t<Policy::kMostPieces == 1, std::nullptr_t,
                                   filch::pool_internal::FirstUnits*>;

  // Runs `range`, which lies in so many forks, on this thread, which came to it as `place` says.
  static void Run(Range& range, Sink& sink, Policy policy, filch::Place place, int depth) {
    policy.Arrive(place);
    CutAhead(range, sink, policy, nullptr, depth);
  }

  // The same where the loop begins, on the thread that does.  Says when the first part begins
  // and when it has ended, unless `first` is null.
  static void Begin(Range& range, Sink& sink, const Policy& policy, First first) {
    CutAhead(range, sink, policy, first, 0);
  }

  // Takes the largest of several pieces, which lie in so many forks, from them, and runs it and
  // rest() at the same time, if a thread comes.
  template <typename Pieces, typename Rest>
  static void ForkLargest(Pieces& pieces, Sink& sink, const Policy& policy, int depth,
                          const Rest& rest) {
    // Made here, because the copy constructor may be explicit.
    Right largest{Range(pieces.right()), policy, depth + 1};
    pieces.PopRight();
    sink.Fork(rest, largest);
  }

 private:
  // Halves come to half of that where there are 2^32 parts.
  static constexpr int kDeep = 64;

  // A part that another thread may take with it.
  struct Right {
    void Run(Sink& sink) {
      const int here = filch::pool_internal::CurrentSlot().index;
      RangeCutter::Run(range, sink, policy, {static_cast<std::uint32_t>(here), here != slot},
                       depth);
    }

    Range range;
    const Policy policy;
    const int depth;                                             // in so many forks
    const int slot = filch::pool_internal::CurrentSlot().index;  // where it was forked
  };

  // The parts that are made before anybody asks. Not inlined: gcc would do so a few times in
  // itself, and each fork saves more registers then.
  __attribute__((noinline)) static void CutAhead(Range& range, Sink& sink, Policy policy,
                                                 First first, int depth) {
    if constexpr (!Halves<Range>) {
      if (__builtin_expect(depth >= kDeep, 0)) return CutApart(range, sink, policy, first);
    }
    if (sink.cancelled()) return;
    if (!range.is_divisible()) {
      RunPart(range, sink, first);
    } else if (policy.cuts_ahead()) {
      // In this order.
      Right right{d1::CutRight(range, policy), policy.CutAhead(), depth + 1};
      if constexpr (Sink::kForksThree && std::is_same_v<Policy, filch::SimpleSplit>) {
        if (!range.is_divisible() && right.range.is_divisible()) {
          return ForkThree(range, right, sink, policy);
        }
      }
      sink.Fork([&] { CutAhead(range, sink, policy, first, depth + 1); }, right);
    } else {
      RunHere(range, sink, policy, first, depth);
    }
  }

  // The left one of three parts and what is to be cut into the other two. Two threads would wait
  // for each other in turn at the end if they did that in two forks: who takes the right part
  // forks it, the other one comes for its half, and is awaited by the first, whom it awaits. Out
  // of line, as below.
  __attribute__((noinline)) static void ForkThree(Range& left, Right& middle, Sink& sink,
                                                  const Policy& policy) {
    Right last{d1::CutRight(middle.range, policy), policy, middle.depth + 1};
    sink.Fork([&] { CutAhead(left, sink, policy, nullptr, middle.depth); }, middle, last);
  }

  // The same where the forks are too many. Out of line, or its frame is part of theirs.
  __attribute__((noinline)) static void CutApart(Range& range, Sink& sink, Policy policy,
                                                 First first) {
    if (!sink.is_apart()) {
      sink.BeginApart([&] { CutApart(range, sink, policy, first); });
      return;
    }
    while (!sink.cancelled()) {
      if (!range.is_divisible()) return RunPart(range, sink, first);
      if (!policy.cuts_ahead()) return RunHere(range, sink, policy, first, kDeep);
      Right right{d1::CutRight(range, policy), policy.CutAhead(), kDeep};
      sink.RunApart(right);
    }
  }

  static void RunHere(Range& range, Sink& sink, Policy& policy, First first, int depth) {
    if constexpr (Policy::kMostPieces == 1) {
      RunPart(range, sink, first);
    } else {
      RangeStack<Range, Policy::kMostPieces> pieces(range);
      RunPieces(pieces, sink, policy, first, depth);
    }
  }

  // The parts that are made on demand.
  static void RunPieces(RangeStack<Range, Policy::kMostPieces>& pieces, Sink& sink, Policy& policy,
                        First first, int depth) {
    while (pieces.size() > 0 && !sink.cancelled()) {
      pieces.CutLeft(static_cast<int>(policy.depth()));
      if (filch::WorkIsWanted()) {
        if (pieces.size() > 1) {
          ForkLargest(pieces, sink, policy.Offspring(), depth,
                      [&] { RunPieces(pieces, sink, policy, first, depth); });
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

  static void RunPart(Range& part, Sink& sink, First first) {
    if constexpr (std::is_same_v<First, std::nullptr_t>) {
      sink.Run(part);
    } else {
      if (first != nullptr) first->Begin();
      sink.Run(part);
      if (first != nullptr) first->Ended();
    }
  }
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_RANGE_CUTTER_H_

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
// another thread takes gets a sink of its own. Which thread takes what, and when
// one asks for work, is the pool's business.
#ifndef FILCH_TBB_COMPAT_DETAIL_CUT_H_
#define FILCH_TBB_COMPAT_DETAIL_CUT_H_

#include <cstddef>
#include <type_traits>

#include "../partitioner.h"
#include "_config.h"
#include "_range_common.h"
#include "_range_stack.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// simple_partitioner: until no part is divisible.
template <typename Range, typename Sink>
void CutToTheGrain(Range& range, Sink& sink) {
  if (sink.cancelled()) return;
  if (!range.is_divisible()) {
    sink.Run(range);
    return;
  }
  Range right(range, split());
  sink.Fork([&](Sink& s) { CutToTheGrain(range, s); }, [&](Sink& s) { CutToTheGrain(right, s); });
}

// The right part of `range` when it shall be run in `left` + `right` chunks.
template <typename Range>
Range SplitForChunks(Range& range, std::size_t left, std::size_t right) {
  if constexpr (std::is_constructible_v<Range, Range&, proportional_split&>) {
    proportional_split ratio(left, right);
    return Range(range, ratio);
  } else {
    return Range(range, split());
  }
}

// static_partitioner: `chunks` parts as equal as the range allows.
template <typename Range, typename Sink>
void CutIntoChunks(Range& range, Sink& sink, std::size_t chunks) {
  if (sink.cancelled()) return;
  if (chunks == 1 || !range.is_divisible()) {
    sink.Run(range);
    return;
  }
  const std::size_t right_chunks = chunks / 2;
  Range right = SplitForChunks(range, chunks - right_chunks, right_chunks);
  sink.Fork([&](Sink& s) { CutIntoChunks(range, s, chunks - right_chunks); },
            [&](Sink& s) { CutIntoChunks(right, s, right_chunks); });
}

// auto_partitioner: a few parts at once, then smaller ones where threads ask.
template <typename Range, typename Sink>
class CutOnDemand {
 public:
  // Runs `range`, forking it `forks` times over before anybody asks.
  static void Run(Range& range, Sink& sink, int forks) {
    if (sink.cancelled()) return;
    if (!range.is_divisible()) {
      sink.Run(range);
    } else if (forks > 0) {
      Range right(range, split());
      sink.Fork([&](Sink& s) { Run(range, s, forks - 1); },
                [&](Sink& s) { Run(right, s, forks - 1); });
    } else {
      RangeStack<Range> pieces(range);
      RunPieces(pieces, sink, kMaxCuts);
    }
  }

 private:
  // A part is run in pieces of 1/64: small enough that a thread that asks for
  // work waits for 1/64 of the part at most, large enough that cutting costs
  // nothing beside the body.
  static constexpr int kMaxCuts = 6;

  static void RunPieces(RangeStack<Range>& pieces, Sink& sink, int max_cuts) {
    while (pieces.size() > 0 && !sink.cancelled()) {
      pieces.CutLeft(max_cuts);
      if (filch::WorkIsWanted()) {
        if (pieces.size() == 1) pieces.CutLeft(++max_cuts);
        if (pieces.size() > 1) {
          Range largest = pieces.right();
          pieces.PopRight();
          sink.Fork([&](Sink& s) { RunPieces(pieces, s, max_cuts); },
                    [&](Sink& s) { Run(largest, s, 0); });
          return;
        }
      }
      sink.Run(pieces.left());
      pieces.PopLeft();
    }
  }
};

// How many threads may work on an algorithm that starts now.
inline std::size_t Concurrency() {
  return static_cast<std::size_t>(filch::CurrentArena().concurrency());
}

// Two parts for each thread: the first thieves find work without asking, and a
// part is still large enough to be worth a theft.
inline int ForksFor(std::size_t threads) {
  if (threads < 2) return 0;
  int forks = 1;
  for (std::size_t parts = 1; parts < threads; parts *= 2) ++forks;
  return forks;
}

template <typename Range, typename Sink>
void Cut(Range& range, Sink& sink, const simple_partitioner&) {
  CutToTheGrain(range, sink);
}

template <typename Range, typename Sink>
void Cut(Range& range, Sink& sink, const static_partitioner&) {
  CutIntoChunks(range, sink, Concurrency());
}

template <typename Range, typename Sink>
void Cut(Range& range, Sink& sink, const auto_partitioner&) {
  CutOnDemand<Range, Sink>::Run(range, sink, ForksFor(Concurrency()));
}

template <typename Range, typename Sink>
void Cut(Range& range, Sink& sink, affinity_partitioner&) {
  CutOnDemand<Range, Sink>::Run(range, sink, ForksFor(Concurrency()));
}

// Whether an argument of type P is one of the four, given as it must be.
template <typename P>
inline constexpr bool IsPartitioner =
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<P>>, simple_partitioner> ||
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<P>>, auto_partitioner> ||
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<P>>, static_partitioner> ||
    std::is_same_v<P, affinity_partitioner&>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_CUT_H_

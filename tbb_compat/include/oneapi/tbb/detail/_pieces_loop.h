// PiecesLoop: a general range by auto_partitioner, for the pool's loop over a range that
// its caller cuts.
//
// While the thread is alone the range is a stack of pieces, of which it runs the leftmost,
// cut to the size that the pool asks for.  Whatever is left then is shared in the same parts
// as a range that was shared from the beginning.
#ifndef FILCH_TBB_COMPAT_DETAIL_PIECES_LOOP_H_
#define FILCH_TBB_COMPAT_DETAIL_PIECES_LOOP_H_

#include <cstdint>

#include "_config.h"
#include "_range_cutter.h"
#include "_range_stack.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/cut_loop.h"
#include "filch/pool/loop_body.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// What a sink does is said in _range_cutter.h.
template <typename Range, typename Sink>
class PiecesLoop final : public filch::CutLoop {
 public:
  // `range` is only read.
  PiecesLoop(const Range& range, Sink& sink, const filch::AutoSplit& policy)
      : CutLoop(sink.kind()), sink_(sink), policy_(policy), pieces_(range) {}

  bool TryToCut(std::uint32_t units) override {
    cuts_ = Log2(units);
    pieces_.CutLeft(cuts_);
    return pieces_.left_cuts() == cuts_;
  }

  void Run(filch::UnitInterval units, void**) override {
    while (done_ < units.end && pieces_.size() > 0 && !sink_.cancelled()) {
      pieces_.CutLeft(cuts_ - Log2(units.end - done_));
      const std::uint32_t size = 1u << (cuts_ - pieces_.left_cuts());
      sink_.Run(pieces_.left());
      pieces_.PopLeft();
      done_ += size;
    }
  }

  void Share(filch::pool_internal::FirstUnits* first) override {
    sink_.RunAll([&] { ShareRest(first); });
  }

 private:
  using Cutter = RangeCutter<Range, Sink, filch::AutoSplit>;
  // Of a range that is cut for as many threads as anybody has.
  static constexpr unsigned kPieces = 16;

  static int Log2(std::uint32_t n) { return 31 - __builtin_clz(n); }

  void ShareRest(filch::pool_internal::FirstUnits* first) {
    if (pieces_.size() == 0 || sink_.cancelled()) return;
    filch::AutoSplit policy = policy_;
    for (int i = 0; i < pieces_.right_cuts() && policy.cuts_ahead(); ++i) policy.CutAhead();
    if (pieces_.size() == 1) return Cutter::Begin(pieces_.left(), sink_, policy, first);
    Cutter::ForkLargest(pieces_, sink_, policy, 0, [this, first] { ShareRest(first); });
  }

  Sink& sink_;
  const filch::AutoSplit policy_;
  RangeStack<Range, kPieces> pieces_;
  int cuts_ = 0;            // as often as the smallest piece is cut
  std::uint32_t done_ = 0;  // units that were run
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PIECES_LOOP_H_

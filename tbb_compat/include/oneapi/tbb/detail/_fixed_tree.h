// ReduceAlongTree: a reduction over a few parts that are cut first, which splits and joins its
// bodies along the tree of the cuts, whoever runs the parts.
//
// Each right part has a body of its own. The calling thread splits it from that of the left part
// when it cuts the range, and so before any part has run: what a splitting constructor finds in
// its source is the same every time. When all parts have run it joins them, the innermost first
// and from left to right. The parts are as many as threads, so that one thread does this costs
// less than to agree on who does.
//
// A loop that was cancelled is joined as well, whatever it has come to, as in _reduce_loop.h.
#ifndef FILCH_TBB_COMPAT_DETAIL_FIXED_TREE_H_
#define FILCH_TBB_COMPAT_DETAIL_FIXED_TREE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "_config.h"
#include "_cut.h"
#include "_parts.h"
#include "_run_guarded.h"
#include "_small_object_pointer.h"
#include "_split_body.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/topology/cache_line.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// A part of the range, and the body that it goes into, which a thread writes again and again.
template <typename Range, typename Body>
class alignas(filch::kCacheLineSize) TreePart {
 public:
  TreePart(const Range& range, Body& body, const filch::StaticSplit& policy)
      : body_(body), range_(range), policy_(policy) {}
  // Cuts the right part off, in this order.
  explicit TreePart(TreePart& left)
      : own_(std::in_place, left.body_),
        body_(own_->body()),
        range_(d1::CutRight(left.range_, left.policy_)),
        policy_(left.policy_.CutAhead()) {
    ++left.cuts_;
  }
  TreePart(const TreePart&) = delete;
  TreePart& operator=(const TreePart&) = delete;

  bool can_be_cut() const { return range_.is_divisible() && policy_.cuts_ahead(); }
  // How many parts were cut off from this one; the last of them is its neighbour.
  std::uint32_t cuts() const { return cuts_; }

  void Run() {
    threw_ = true;
    std::invoke(body_, range_);
    threw_ = false;
    has_run_ = true;
  }
  bool threw() const { return threw_; }
  // Only a body that has seen a part is joined.
  void Join(TreePart& right) {
    if (!right.has_run_) return;
    body_.join(right.body_);
    has_run_ = true;
  }

 private:
  std::optional<SplitBody<Body>> own_;  // unless it is the program's
  Body& body_;
  Range range_;
  filch::StaticSplit policy_;
  std::uint32_t cuts_ = 0;
  bool has_run_ = false;
  bool threw_ = false;
};

template <typename Range, typename Body>
class TreeLoop final : public filch::LoopBody {
 public:
  explicit TreeLoop(filch::Context& context)
      : LoopBody(filch::loop_kind<TreeLoop>), context_(context) {}
  TreeLoop(const TreeLoop&) = delete;
  TreeLoop& operator=(const TreeLoop&) = delete;

  // First, once: for so many threads.  Throws what cutting and splitting throw.
  void Cut(const Range& range, Body& body, std::uint32_t threads) {
    parts_.reserve(threads);
    Cut(d1::MakeSmall<Part>(range, body, filch::StaticSplit(threads)));
  }
  std::uint32_t units() const { return static_cast<std::uint32_t>(parts_.size()); }

  void Run(filch::UnitInterval units, void**) override {
    d1::RunKeeping(context_, [&] {
      for (std::uint32_t i = units.begin; i != units.end && !context_.IsCancelled(); ++i) {
        parts_[i]->Run();
      }
    });
  }

  // When the loop is over, once.  Not if something threw: of an exception in a loop that was
  // cancelled before nobody hears, and its body is half done.  Throws what joining throws.
  void JoinAll() {
    const bool threw =
        std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->threw(); });
    if (!threw) JoinInto(0);
  }

 private:
  using Part = TreePart<Range, Body>;

  // As deep as the tree, which halves the threads.
  void Cut(SmallPointer<Part> part) {
    if (!part->can_be_cut()) return parts_.push_back(std::move(part));
    SmallPointer<Part> right = d1::MakeSmall<Part>(*part);
    Cut(std::move(part));
    Cut(std::move(right));
  }

  // Joins all that was cut off from one part with it; the next one behind that.
  std::size_t JoinInto(std::size_t index) {
    std::size_t next = index + 1;
    for (std::uint32_t left = parts_[index]->cuts(); left != 0; --left) {
      Part& right = *parts_[next];
      next = JoinInto(next);
      parts_[index]->Join(right);
    }
    return next;
  }

  filch::Context& context_;
  std::vector<SmallPointer<Part>> parts_;  // from left to right
};

// Unless something throws: what cutting and splitting throw counts as if a part had thrown it.
template <typename Range, typename Body, typename Partitioner>
void ReduceAlongTree(filch::Context& context, const Range& range, Body& body,
                     Partitioner& partitioner) {
  TreeLoop<Range, Body> loop(context);
  d1::RunKeeping(context, [&] { loop.Cut(range, body, d1::MostParts(partitioner)); });
  if (context.IsCancelled()) return context.Rethrow();
  d1::RunUnits(loop, loop.units(), partitioner, context);
  d1::RunGuarded(context, [&] { loop.JoinAll(); });
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FIXED_TREE_H_

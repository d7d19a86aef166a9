// RunFor: parallel_for over a range, in a context.
//
// A blocked_range of what can be counted, and a range whose parts have places of their own, are
// loops over units of the pool's; any other range is cut as it runs.
#ifndef FILCH_TBB_COMPAT_DETAIL_FOR_LOOP_H_
#define FILCH_TBB_COMPAT_DETAIL_FOR_LOOP_H_

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "../blocked_range.h"
#include "_config.h"
#include "_cut.h"
#include "_for_sink.h"
#include "_loop_body_copies.h"
#include "_parts.h"
#include "_run_guarded.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// The units of a loop that are parts of a range, cut before.
template <typename Range>
class PartsThatAreCut {
 public:
  explicit PartsThatAreCut(std::vector<Range>& parts) : parts_(parts) {}
  template <typename F>
  void ForParts(filch::UnitInterval units, const F& f) const {
    for (std::uint32_t i = units.begin; i != units.end; ++i) f(parts_[i]);
  }

 private:
  std::vector<Range>& parts_;
};

// Or make parts of a blocked_range, as a cut of the pool's says.
template <typename Value, typename Cut>
class PartsByOffset {
 public:
  PartsByOffset(const blocked_range<Value>& range, const Cut& cut) : range_(range), cut_(cut) {}
  template <typename F>
  void ForParts(filch::UnitInterval units, const F& f) const {
    // All in one place, because this is not always inlined, and a part may be next to nothing.
    cut_.ForParts(units, [&range = range_, f](std::uint64_t from, std::uint64_t to) {
      blocked_range<Value> part = range.part(from, to);
      f(part);
    });
  }

 private:
  const blocked_range<Value>& range_;
  const Cut cut_;
};

// A loop over the units of `Parts`, one of these.
template <typename Body, typename Parts>
class ForLoop final : public filch::LoopBody {
 public:
  ForLoop(const Body& body, const Parts& parts, filch::Context& context)
      : LoopBody(filch::loop_kind<ForLoop>), bodies_(body), parts_(parts), context_(context) {}

  void Run(filch::UnitInterval units, void** segment) override {
    d1::RunKeeping(context_, [&] {
      bodies_.With(segment, [&](const Body& body) {
        parts_.ForParts(units, [&context = context_, &body](auto& part) {
          // The loop asks for many units at once, and a grain may make each of them a part.
          if (!context.IsCancelled()) std::invoke(body, part);
        });
      });
    });
  }

 private:
  LoopBodyCopies<Body> bodies_;
  const Parts parts_;
  filch::Context& context_;
};

template <typename Range, typename Body, typename Partitioner>
void RunForParts(filch::Context& context, const Range& range, const Body& body,
                 Partitioner& partitioner) {
  if (range.empty()) return;
  if (context.IsCancelled()) return context.Rethrow();
  if constexpr (PlacesParts<Partitioner>) {
    // Each part has a place of its own, so all are cut first.
    std::vector<Range> parts =
        d1::PartsOf(context, range, filch::StaticSplit(d1::MostParts(partitioner)));
    if (context.IsCancelled()) return context.Rethrow();
    ForLoop<Body, PartsThatAreCut<Range>> loop(body, PartsThatAreCut(parts), context);
    d1::RunUnits(loop, static_cast<std::uint32_t>(parts.size()), partitioner, context);
  } else {
    using BodyOfPart = PartBodyOf<Range, Body>;
    BodyOfPart body_of_part(body);
    filch::pool_internal::CreditLatch latch;
    ForSink<Range> sink(body_of_part, filch::loop_kind<BodyOfPart>, context, latch);
    d1::Cut(context, range, sink, partitioner);
    context.Rethrow();
  }
}

// An interval of offsets, of whatever Value: the pool's own loop cuts it.
template <typename Value, typename Body, typename Partitioner>
void RunForOffsets(filch::Context& context, const blocked_range<Value>& range, const Body& body,
                   Partitioner& partitioner) {
  if (__builtin_expect(range.empty(), 0)) return;
  const auto cut = d1::OffsetCut(range, partitioner);
  using Parts = PartsByOffset<Value, std::decay_t<decltype(cut)>>;
  ForLoop<Body, Parts> loop(body, Parts(range, cut), context);
  d1::RunUnits(loop, cut.units(), partitioner, context);
}

template <typename Range, typename Body, typename Partitioner>
void RunFor(filch::Context& context, const Range& range, const Body& body,
            Partitioner& partitioner) {
  if constexpr (IsCutByOffset<Range, Partitioner>) {
    d1::RunForOffsets(context, range, body, partitioner);
  } else {
    d1::RunForParts(context, range, body, partitioner);
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FOR_LOOP_H_

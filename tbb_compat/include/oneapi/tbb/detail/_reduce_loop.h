// ReduceLoop: a reduction on the pool's loop.
//
// The loop hands out runs of neighbouring units. The run that begins with the
// first unit accumulates in the program's own body; each other run, one for each
// theft or for what placed parts one thread runs, has a body that is split from it
// by the thread that begins the run. In the end these are joined to it in the order
// of the range, by the calling thread. So a body is split only where the loop is, and
// is joined to the one that it was split from.
//
// Which units are one run depends on who comes in time. Where it must not, it is _fixed_tree.h.
//
// A loop that was cancelled is joined as well, whatever it has come to: libstdc++
// cancels the search of std::is_sorted when it is found out of order, and returns
// what the reduction returns. Only a body that has seen a part is joined: that of libstdc++'s
// std::transform_reduce holds no value before.
#ifndef FILCH_TBB_COMPAT_DETAIL_REDUCE_LOOP_H_
#define FILCH_TBB_COMPAT_DETAIL_REDUCE_LOOP_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "../blocked_range.h"
#include "../partitioner.h"
#include "_config.h"
#include "_exception.h"
#include "_parts.h"
#include "_run_guarded.h"
#include "_split_body.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/segment_list.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// RunUnits: run_units(body, units) accumulates some units, and returns whether it did any: in a
// loop that was cancelled meanwhile, perhaps none.
template <typename Body, typename RunUnits>
class ReduceLoop final : public filch::LoopBody {
 public:
  ReduceLoop(Body& body, const RunUnits& run_units, filch::Context& context)
      : LoopBody(filch::loop_kind<RunUnits>),
        own_(body),
        run_units_(run_units),
        context_(context),
        others_(kind()) {}
  ReduceLoop(const ReduceLoop&) = delete;
  ReduceLoop& operator=(const ReduceLoop&) = delete;

  void Run(filch::UnitInterval units, void** segment) override {
    FILCH_TRY {
      if (*segment == nullptr) *segment = &SegmentFrom(units.begin);
      RunIn(*static_cast<Segment*>(*segment), units);
    }
    FILCH_CATCH_ALL {
      threw_.store(true, std::memory_order_relaxed);  // R3: only collected
      r1::KeepException(context_);                    // as RunKeeping
    }
  }

  // When the loop is over, once. Not if something threw: of an exception in a loop
  // that was cancelled before nobody hears, and its body is half done.
  void JoinAll() {
    if (others_.empty()) return;
    if (threw_.load(std::memory_order_relaxed)) return;  // R3: the loop is over
    others_.ForEach([&](SplitSegment& segment) {
      if (segment.has_run) own_.body.join(segment.body);
    });
  }

 private:
  // The body of a run, and whether a part has gone into it.
  struct Segment {
    explicit Segment(Body& own) : body(own) {}
    Body& body;
    bool has_run = false;
  };
  struct SplitSegment : private SplitBody<Body>, Segment {
    explicit SplitSegment(Body& from) : SplitBody<Body>(from), Segment(SplitBody<Body>::body()) {}
    using Segment::body;
  };

  void RunIn(Segment& segment, filch::UnitInterval units) {
    const bool has_run = run_units_(segment.body, units);
    // Others read what is beside that of the first run.
    if (has_run && !segment.has_run) segment.has_run = true;
  }

  // That of the run that begins with the unit `begin`.
  Segment& SegmentFrom(std::uint32_t begin) {
    if (begin == 0) return own_;
    return others_.Make(begin, own_.body);
  }

  Segment own_;
  const RunUnits& run_units_;
  filch::Context& context_;
  filch::pool_internal::SegmentList<SplitSegment> others_;
  std::atomic<bool> threw_{false};
};

// Runs the loop over so many units and joins, unless something throws.
template <typename Body, typename RunUnits, typename Partitioner>
void ReduceWith(filch::Context& context, Body& body, const RunUnits& run_units, std::uint32_t units,
                Partitioner& partitioner) {
  ReduceLoop<Body, RunUnits> loop(body, run_units, context);
  d1::RunUnits(loop, units, partitioner, context);
  d1::RunGuarded(context, [&] { loop.JoinAll(); });
}

// A range whose parts have places: they are cut first.
template <typename Range, typename Body, typename Partitioner>
void ReduceParts(filch::Context& context, const Range& range, Body& body,
                 Partitioner& partitioner) {
  std::vector<Range> parts =
      d1::PartsOf(context, range, filch::StaticSplit(d1::MostParts(partitioner)));
  if (context.IsCancelled()) return context.Rethrow();
  const auto run_units = [&context, &parts](Body& b, filch::UnitInterval units) {
    // The loop asks for many units at once.
    std::uint32_t i = units.begin;
    for (; i != units.end && !context.IsCancelled(); ++i) std::invoke(b, parts[i]);
    return i != units.begin;
  };
  d1::ReduceWith(context, body, run_units, static_cast<std::uint32_t>(parts.size()), partitioner);
}

// A blocked_range of whatever Value is an interval of offsets: the pool's own
// loop cuts it.
template <typename Value, typename Body, typename Partitioner>
void ReduceOffsets(filch::Context& context, const blocked_range<Value>& range, Body& body,
                   Partitioner& partitioner) {
  const auto cut = d1::OffsetCut(range, partitioner);
  const auto run_units = [&](Body& b, filch::UnitInterval units) {
    bool has_run = false;
    cut.ForParts(units, [&](std::uint64_t from, std::uint64_t to) {
      if (context.IsCancelled()) return;  // as above
      blocked_range<Value> part = range.part(from, to);
      std::invoke(b, part);
      has_run = true;
    });
    return has_run;
  };
  d1::ReduceWith(context, body, run_units, cut.units(), partitioner);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_REDUCE_LOOP_H_

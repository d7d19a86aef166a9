// ParallelFor: calls a function for every index of an interval, on whatever
// threads are free.
//
//   filch::ParallelFor(0, n, [&](int i) { out[i] = f(in[i]); });
//   filch::ParallelFor(0, n, [&](int begin, int end) { Fill(out, begin, end); });
//
// The function takes an index, or the begin and the end of a part of the
// interval.  Parts are cut as threads become free: an uneven loop needs no
// tuning.  Any thread.
//
// Exceptions: the first one is thrown again when no call is running any more;
// indices that have not been started by then are dropped.
//
// Memory ordering: what happened before ParallelFor is visible to every call;
// what the calls did is visible after it.
#ifndef FILCH_POOL_PARALLEL_FOR_H_
#define FILCH_POOL_PARALLEL_FOR_H_

#include <cstdint>
#include <type_traits>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/brief_loop.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/even_cut.h"
#include "filch/pool/halved_cut.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/unit_places.h"
#include "filch/topology/contract.h"

namespace filch {

// How many parts for each slot a loop has that remembers them: so many that a slot
// which is late can leave some to others.
inline constexpr std::uint32_t kPartsToRemember = 16;

struct ParallelForOptions {
  // In indices.  The interval is cut into units of between half a grain and a grain, which
  // are not cut further; a call gets one unit or several neighbouring ones.
  std::uint64_t grain = 1;
  // Whatever is larger than a grain is halved, and a call gets one of the parts that are left.
  // Not for kStatic, and not with places: that ends the process.
  bool exact_grain = false;
  // kStatic cuts the interval into one part for each slot of the arena and
  // gives the same part to the same slot each time.
  LoopSchedule schedule = LoopSchedule::kStealing;
  // Not null: the interval is cut into kPartsToRemember parts for each slot, and a part
  // goes to the slot that ran it in the last loop with these places.
  UnitPlaces* places = nullptr;
  // The loop's context; null is a new one below the current.
  Context* context = nullptr;
};

// How [0, size), size > 0, is cut for a loop with these options.  Any thread.
inline EvenCut CutFor(std::uint64_t size, const ParallelForOptions& options) {
  if (__builtin_expect(options.schedule != LoopSchedule::kStatic && options.places == nullptr, 1)) {
    return EvenCut::ByGrain(size, options.grain);
  }
  auto slots = static_cast<std::uint32_t>(CurrentArena().concurrency());
  if (options.places != nullptr) slots *= kPartsToRemember;
  return EvenCut::ByHalves(size, options.grain, slots);
}

// Calls run(cut), where cut has units(), and ForParts(units, f), which calls f(begin, end) for
// what some of them are in [0, size), size > 0.  Returns what it returns.  Any thread.
template <typename Run>
auto WithCut(std::uint64_t size, const ParallelForOptions& options, const Run& run) {
  if (options.exact_grain) {
    if (options.schedule == LoopSchedule::kStatic || options.places != nullptr) {
      Fail("filch::ParallelFor: exact_grain is for kStealing, and without places.");
    }
    return run(HalvedCut(size, options.grain));
  }
  return run(CutFor(size, options));
}

// Runs a loop over some units, under `context`, wherever threads are free.  Any thread.
template <typename Loop>
void RunStealingLoop(Loop& body, std::uint32_t units, Context& context) {
  pool_internal::Slot* const slot = pool_internal::SlotForBriefLoop(body.kind(), units);
  if (slot != nullptr) return pool_internal::RunBriefLoop(body, units, context, *slot);
  filch::RunIndexLoop(body, units, LoopSchedule::kStealing, context);
}

// The same as the options say, but for their context.
template <typename Loop>
void RunLoop(Loop& body, std::uint32_t units, const ParallelForOptions& options, Context& context) {
  if (__builtin_expect(options.places != nullptr, 0)) {
    return filch::RunIndexLoop(body, units, *options.places, context);
  }
  if (options.schedule == LoopSchedule::kStealing) {
    return filch::RunStealingLoop(body, units, context);
  }
  filch::RunIndexLoop(body, units, options.schedule, context);
}
// The same under the context of the options.
template <typename Loop>
inline void RunLoop(Loop& body, std::uint32_t units, const ParallelForOptions& options) {
  if (options.context != nullptr) return filch::RunLoop(body, units, options, *options.context);
  Context context(CurrentContext());
  filch::RunLoop(body, units, options, context);
}

namespace pool_internal {

template <typename Body, typename Cut>
class PartsLoop final : public LoopBody {
 public:
  PartsLoop(Body& body, const Cut& cut) : LoopBody(loop_kind<Body>), body_(body), cut_(cut) {}
  void Run(UnitInterval units, void**) override { cut_.ForParts(units, body_); }

 private:
  Body& body_;
  const Cut cut_;
};

}  // namespace pool_internal

// Calls body(begin, end) for parts of [0, size), size > 0; the base of
// ParallelFor and of facades.
template <typename Body>
void ParallelForOffsets(std::uint64_t size, Body&& body, const ParallelForOptions& options) {
  filch::WithCut(size, options, [&](const auto& cut) {
    pool_internal::PartsLoop<std::remove_reference_t<Body>, std::decay_t<decltype(cut)>> loop(body,
                                                                                              cut);
    filch::RunLoop(loop, cut.units(), options);
  });
}

// Calls body(i) for every i of [begin, end), or body(from, to) for parts that make it up;
// nothing if it is empty.  Throws the first exception of the body, or std::bad_alloc.  Any
// thread.
template <typename Index, typename Body>
void ParallelFor(Index begin, Index end, Body&& body,
                 const ParallelForOptions& options = ParallelForOptions()) {
  static_assert(std::is_integral_v<Index>, "filch::ParallelFor: an index is an integer.");
  static_assert(sizeof(Index) <= sizeof(std::uint64_t),
                "filch::ParallelFor: an index has at most 64 bits.");
  static_assert(std::is_invocable_v<Body&, Index> || std::is_invocable_v<Body&, Index, Index>,
                "filch::ParallelFor: the body takes an index, or the begin and end of a part.");
  if (!(begin < end)) return;
  // Modulo 2^64 sums and differences are right for every such type and sign.
  const auto base = static_cast<std::uint64_t>(begin);
  const auto part = [&body, base](std::uint64_t from, std::uint64_t to) {
    if constexpr (std::is_invocable_v<Body&, Index, Index>) {
      body(static_cast<Index>(base + from), static_cast<Index>(base + to));
    } else {
      for (std::uint64_t offset = from; offset != to; ++offset) {
        body(static_cast<Index>(base + offset));
      }
    }
  };
  filch::ParallelForOffsets(static_cast<std::uint64_t>(end) - base, part, options);
}

}  // namespace filch

#endif  // FILCH_POOL_PARALLEL_FOR_H_

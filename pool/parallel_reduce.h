// ParallelReduce: one value from all parts of an interval, on whatever threads are
// free.
//
//   double sum = filch::ParallelReduce(
//       0, n, 0.0,
//       [&](int begin, int end, double so_far) { return so_far + Sum(a, begin, end); },
//       [](double left, double right) { return left + right; });
//
// body(begin, end, so_far) returns so_far with a part of the interval added to
// it; combine(left, right) returns the value of two neighbouring runs of parts.
// combine is called in the order of the interval, so it need not be commutative;
// it must be associative, for the grouping differs from run to run.  A value is
// moved, never copied, except that `identity` is copied once for each run.
//
// A run is what one thread got in one piece: the whole interval if nobody helps,
// one more for each theft.  Any thread.
//
// Exceptions and memory ordering are those of ParallelFor.
#ifndef FILCH_POOL_PARALLEL_REDUCE_H_
#define FILCH_POOL_PARALLEL_REDUCE_H_

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/segment_list.h"
#include "filch/topology/cache_line.h"

namespace filch {

namespace pool_internal {

// Collects a value for each run of neighbouring units.
template <typename Value, typename Body, typename Cut>
class Reduction final : public LoopBody {
 public:
  // body(begin, end, value) in offsets of the cut.
  Reduction(const Value& identity, Body& body, const Cut& cut)
      : LoopBody(loop_kind<Body>),
        identity_(identity),
        body_(body),
        cut_(cut),
        others_(loop_kind<Body>) {}

  void Run(UnitInterval units, void** segment) override {
    if (*segment == nullptr) *segment = &ValueFrom(units.begin);
    Value& value = *static_cast<Value*>(*segment);
    cut_.ForParts(units, [&](std::uint64_t from, std::uint64_t to) {
      value = body_(from, to, std::move(value));
    });
  }

  // When the loop is over, once.  Of a cancelled loop it is what was run.
  template <typename Combine>
  Value Result(Combine& combine) {
    Value* result = first_.has_value() ? &*first_ : nullptr;
    others_.ForEach([&](Value& value) {
      if (result == nullptr) {
        result = &value;
      } else {
        *result = combine(std::move(*result), std::move(value));
      }
    });
    return result != nullptr ? std::move(*result) : identity_;
  }

 private:
  // That of the run that begins with the unit `begin`.
  Value& ValueFrom(std::uint32_t begin) {
    // The first one costs no memory: most small loops have no other.
    return begin == 0 ? first_.emplace(identity_) : others_.Make(begin, identity_);
  }

  const Value& identity_;
  Body& body_;
  const Cut cut_;
  // Written again and again, while others read the rest.
  alignas(kCacheLineSize) std::optional<Value> first_;
  SegmentList<Value> others_;
};

}  // namespace pool_internal

// Value of [0, size), size > 0, by body(begin, end, so_far) in offsets; the base
// of ParallelReduce and of facades.
template <typename Value, typename Body, typename Combine>
Value ParallelReduceOffsets(std::uint64_t size, const Value& identity, Body&& body,
                            Combine&& combine, const ParallelForOptions& options) {
  return WithCut(size, options, [&](const auto& cut) -> Value {
    using Cut = std::decay_t<decltype(cut)>;
    pool_internal::Reduction<Value, std::remove_reference_t<Body>, Cut> reduction(identity, body,
                                                                                  cut);
    RunLoop(reduction, cut.units(), options);
    return reduction.Result(combine);
  });
}

// The identity if the interval is empty.  If the context of the options is
// cancelled, the value of what was run by then.
template <typename Index, typename Value, typename Body, typename Combine>
Value ParallelReduce(Index begin, Index end, const Value& identity, Body&& body, Combine&& combine,
                     const ParallelForOptions& options = ParallelForOptions()) {
  static_assert(std::is_integral_v<Index>, "filch::ParallelReduce: an index is an integer.");
  static_assert(sizeof(Index) <= sizeof(std::uint64_t),
                "filch::ParallelReduce: an index has at most 64 bits.");
  static_assert(std::is_invocable_r_v<Value, Body&, Index, Index, Value>,
                "filch::ParallelReduce: the body takes the begin and end of a part and the value "
                "so far, and returns the value.");
  static_assert(std::is_invocable_r_v<Value, Combine&, Value, Value>,
                "filch::ParallelReduce: combine takes two values and returns one.");
  if (!(begin < end)) return identity;
  // Modulo 2^64 sums and differences are right for every such type and sign.
  const auto base = static_cast<std::uint64_t>(begin);
  const auto part = [&body, base](std::uint64_t from, std::uint64_t to, Value so_far) -> Value {
    return body(static_cast<Index>(base + from), static_cast<Index>(base + to), std::move(so_far));
  };
  return ParallelReduceOffsets(static_cast<std::uint64_t>(end) - base, identity, part, combine,
                               options);
}

}  // namespace filch

#endif  // FILCH_POOL_PARALLEL_REDUCE_H_

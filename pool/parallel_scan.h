// ParallelScan: running sums (of any associative operation) over an interval, on
// whatever threads are free.
//
//   double total = filch::ParallelScan(
//       0, n, 0.0,
//       [&](int begin, int end, double sum, bool is_final) {
//         for (int i = begin; i != end; ++i) {
//           sum += in[i];
//           if (is_final) out[i] = sum;
//         }
//         return sum;
//       },
//       [](double left, double right) { return left + right; });
//
// scan(begin, end, sum, is_final) returns the sum with a part of the interval added
// to it.  Every index is in one part that is scanned with is_final, and then `sum`
// is that of everything left of it; it may be in one other part, scanned before
// with is_final false, for a sum that begins with the identity.  combine(left,
// right) returns the sum of two neighbouring runs of parts; it is given `left` as
// a const reference, and `right` to move from.  It need not be commutative.
//
// Any thread.  Exceptions and memory ordering are those of ParallelFor.
#ifndef FILCH_POOL_PARALLEL_SCAN_H_
#define FILCH_POOL_PARALLEL_SCAN_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/even_cut.h"
#include "filch/pool/run_scan.h"

namespace filch {

namespace pool_internal {

// A Scan of RunScan over the units of a cut, by scan(from, to, sum, is_final) in
// offsets.
template <typename Value, typename Body, typename CombineValues>
class OffsetScan {
 public:
  using Sum = Value;

  OffsetScan(const Value& identity, Body& body, CombineValues& combine, const EvenCut& cut)
      : identity_(identity), body_(body), combine_(combine), cut_(cut) {}

  Value MakeSum() { return Value(identity_); }
  void Add(UnitInterval block, Value& sum) {
    sum = body_(cut_.Begin(block.begin), cut_.Begin(block.end), std::move(sum), false);
  }
  void Finish(UnitInterval block, Value& sum) {
    sum = body_(cut_.Begin(block.begin), cut_.Begin(block.end), std::move(sum), true);
  }
  Value Combine(Value& left, Value right) {
    return combine_(std::as_const(left), std::move(right));
  }

 private:
  const Value& identity_;
  Body& body_;
  CombineValues& combine_;
  const EvenCut cut_;
};

}  // namespace pool_internal

// The sum of everything; the identity if the interval is empty, nothing of meaning
// if `context` is cancelled.  Parts have at least half of `grain` indices (if the
// interval has).  The scan works under `context`, or, without one, under a new one
// below the current.
template <typename Index, typename Value, typename Scan, typename Combine>
Value ParallelScan(Index begin, Index end, const Value& identity, Scan&& scan, Combine&& combine,
                   std::uint64_t grain = 1, Context* context = nullptr) {
  static_assert(std::is_integral_v<Index>, "filch::ParallelScan: an index is an integer.");
  static_assert(sizeof(Index) <= sizeof(std::uint64_t),
                "filch::ParallelScan: an index has at most 64 bits.");
  static_assert(std::is_invocable_r_v<Value, Scan&, Index, Index, Value, bool>,
                "filch::ParallelScan: the scan takes the begin and end of a part, the sum so far "
                "and whether it is final, and returns the sum.");
  static_assert(std::is_invocable_r_v<Value, Combine&, const Value&, Value>,
                "filch::ParallelScan: combine takes two sums and returns one.");
  if (!(begin < end)) return identity;
  // Modulo 2^64 sums and differences are right for every such type and sign.
  const auto base = static_cast<std::uint64_t>(begin);
  auto part = [&scan, base](std::uint64_t from, std::uint64_t to, Value sum,
                            bool is_final) -> Value {
    return scan(static_cast<Index>(base + from), static_cast<Index>(base + to), std::move(sum),
                is_final);
  };
  const EvenCut cut = EvenCut::ByGrain(static_cast<std::uint64_t>(end) - base, grain);
  pool_internal::OffsetScan<Value, decltype(part), std::remove_reference_t<Combine>> parts(
      identity, part, combine, cut);
  if (context != nullptr) return RunScan(parts, Value(identity), cut.units(), *context);
  Context own(CurrentContext());
  return RunScan(parts, Value(identity), cut.units(), own);
}

}  // namespace filch

#endif  // FILCH_POOL_PARALLEL_SCAN_H_

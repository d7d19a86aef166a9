// parallel_scan: running sums (of any associative operation) over a range, on
// all threads of the arena.
//
// Two forms. The functional one: scan(part, sum, is_final) continues the sum of
// all that lies left of the part over it, and writes results if is_final;
// reverse_join(left, right) joins two sums; the total is returned. The
// imperative one accumulates in a body object: body(part, tag) with a
// tbb::pre_scan_tag or a tbb::final_scan_tag, a splitting constructor,
// right.reverse_join(left), and body.assign(last) at the end.
//
// Every part is scanned once for good, and some are once before. Any thread.
// Exceptions and cancellation as in parallel_for.
//
//   int total = tbb::parallel_scan(tbb::blocked_range<int>(0, n), 0,
//       [&](const tbb::blocked_range<int>& part, int sum, bool is_final) {
//         for (int i = part.begin(); i < part.end(); ++i) {
//           sum += in[i];
//           if (is_final) out[i] = sum;
//         }
//         return sum;
//       }, std::plus<int>());
#ifndef FILCH_TBB_COMPAT_PARALLEL_SCAN_H_
#define FILCH_TBB_COMPAT_PARALLEL_SCAN_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <type_traits>

#include "detail/_body_scan.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_own_context.h"
#include "partitioner.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// The partitioners that parallel_scan takes.
template <typename P>
inline constexpr bool IsScanPartitioner =
    IsPartitionerOf<const P&, void, simple_partitioner, auto_partitioner>;

// --- imperative

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsScanPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_scan_body<Body, Range>)
void parallel_scan(const Range& range, Body& body, const Partitioner& partitioner) {
  if (range.empty()) return;
  d1::WithOwnContext([&](filch::Context& context) {
    d1::RunScan(context, range, body, d1::PartitionerOf(partitioner));
  });
}

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_scan_body<Body, Range>)
void parallel_scan(const Range& range, Body& body) {
  d1::parallel_scan(range, body, auto_partitioner());
}

// --- functional

template <typename Range, typename Value, typename Scan, typename ReverseJoin, typename Partitioner,
          typename = std::enable_if_t<IsScanPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_scan_function<Scan, Range, Value>&&
                   parallel_scan_combine<ReverseJoin, Value>)
Value parallel_scan(const Range& range, const Value& identity, const Scan& scan,
                    const ReverseJoin& reverse_join, const Partitioner& partitioner) {
  ValueScanBody<Range, Value, Scan, ReverseJoin> body(identity, scan, reverse_join);
  d1::parallel_scan(range, body, partitioner);
  return body.result();
}

template <typename Range, typename Value, typename Scan, typename ReverseJoin,
          typename = std::enable_if_t<!IsScanPartitioner<Scan>>>
__TBB_requires(tbb_range<Range>&& parallel_scan_function<Scan, Range, Value>&&
                   parallel_scan_combine<ReverseJoin, Value>)
Value parallel_scan(const Range& range, const Value& identity, const Scan& scan,
                    const ReverseJoin& reverse_join) {
  return d1::parallel_scan(range, identity, scan, reverse_join, auto_partitioner());
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::final_scan_tag;
using detail::d1::parallel_scan;
using detail::d1::pre_scan_tag;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_SCAN_H_

// parallel_reduce: computes one value from all parts of a range, on all threads
// of the arena, joining neighbours in order.
//
// Two forms. The functional one returns a value: body(part, value) continues a
// value over a part, reduction(left, right) joins two. The imperative one
// accumulates in a body object: body(part), a splitting constructor, and
// left.join(right). Joining need be associative, not commutative. How the range
// is cut depends on timing, so a floating-point sum may differ from run to run;
// parallel_deterministic_reduce always cuts and joins in the same way.
//
// Any thread. Exceptions and cancellation as in parallel_for; a reduction that is
// cancelled yields what the parts that ran come to.
//
//   double sum = tbb::parallel_reduce(tbb::blocked_range<int>(0, n), 0.0,
//       [&](const tbb::blocked_range<int>& part, double value) {
//         for (int i = part.begin(); i < part.end(); ++i) ...
//         return value;
//       }, std::plus<double>());
#ifndef FILCH_TBB_COMPAT_PARALLEL_REDUCE_H_
#define FILCH_TBB_COMPAT_PARALLEL_REDUCE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <type_traits>

#include "blocked_range.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_cut.h"
#include "detail/_reduce_sink.h"
#include "detail/_task_group_context.h"
#include "partitioner.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// The partitioners that keep a reduction deterministic.
template <typename P>
inline constexpr bool IsDeterministicPartitioner =
    IsPartitionerOf<P, void, simple_partitioner, static_partitioner>;

// --- imperative

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_reduce(const Range& range, Body& body) {
  const auto_partitioner partitioner;
  d1::ReduceInOwn<ReduceSink>(range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_reduce(const Range& range, Body& body, Partitioner&& partitioner) {
  d1::ReduceInOwn<ReduceSink>(range, body, d1::PartitionerOf(partitioner));
}

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_reduce(const Range& range, Body& body, task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ReduceIn<ReduceSink>(context, range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_reduce(const Range& range, Body& body, Partitioner&& partitioner,
                     task_group_context& context) {
  d1::ReduceIn<ReduceSink>(context, range, body, d1::PartitionerOf(partitioner));
}

// --- functional

template <typename Range, typename Value, typename RealBody, typename Reduction>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction) {
  const auto_partitioner partitioner;
  return d1::ReduceValueInOwn<ReduceSink>(range, identity, real_body, reduction, partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner, typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, Partitioner&& partitioner) {
  return d1::ReduceValueInOwn<ReduceSink>(range, identity, real_body, reduction,
                                          d1::PartitionerOf(partitioner));
}

template <typename Range, typename Value, typename RealBody, typename Reduction>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, task_group_context& context) {
  const auto_partitioner partitioner;
  return d1::ReduceValueIn<ReduceSink>(context, range, identity, real_body, reduction, partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner, typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, Partitioner&& partitioner,
                      task_group_context& context) {
  return d1::ReduceValueIn<ReduceSink>(context, range, identity, real_body, reduction,
                                       d1::PartitionerOf(partitioner));
}

// --- deterministic, imperative

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_deterministic_reduce(const Range& range, Body& body) {
  const simple_partitioner partitioner;
  d1::ReduceInOwn<DeterministicReduceSink>(range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_deterministic_reduce(const Range& range, Body& body, Partitioner&& partitioner) {
  d1::ReduceInOwn<DeterministicReduceSink>(range, body, d1::PartitionerOf(partitioner));
}

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_deterministic_reduce(const Range& range, Body& body, task_group_context& context) {
  const simple_partitioner partitioner;
  d1::ReduceIn<DeterministicReduceSink>(context, range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_body<Body, Range>)
void parallel_deterministic_reduce(const Range& range, Body& body, Partitioner&& partitioner,
                                   task_group_context& context) {
  d1::ReduceIn<DeterministicReduceSink>(context, range, body, d1::PartitionerOf(partitioner));
}

// --- deterministic, functional

template <typename Range, typename Value, typename RealBody, typename Reduction>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction) {
  const simple_partitioner partitioner;
  return d1::ReduceValueInOwn<DeterministicReduceSink>(range, identity, real_body, reduction,
                                                       partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction,
                                    Partitioner&& partitioner) {
  return d1::ReduceValueInOwn<DeterministicReduceSink>(range, identity, real_body, reduction,
                                                       d1::PartitionerOf(partitioner));
}

template <typename Range, typename Value, typename RealBody, typename Reduction>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction,
                                    task_group_context& context) {
  const simple_partitioner partitioner;
  return d1::ReduceValueIn<DeterministicReduceSink>(context, range, identity, real_body, reduction,
                                                    partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_reduce_function<RealBody, Range, Value>&&
                   parallel_reduce_combine<Reduction, Value>)
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction,
                                    Partitioner&& partitioner, task_group_context& context) {
  return d1::ReduceValueIn<DeterministicReduceSink>(context, range, identity, real_body, reduction,
                                                    d1::PartitionerOf(partitioner));
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::parallel_deterministic_reduce;
using detail::d1::parallel_reduce;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_REDUCE_H_

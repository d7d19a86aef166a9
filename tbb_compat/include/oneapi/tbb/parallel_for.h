// parallel_for: runs a body on every part of a range, or a function on every
// index, on all threads of the arena.
//
// Any thread. It returns when everything has run, or, after an exception or a
// cancellation, when everything that had started has ended; the first exception
// is thrown again. Parts may run in any order and at the same time; what they
// wrote is visible afterwards.
//
// Body and function are called as const. A body may still have data that its calls
// change (in a mutable member): no object is called by two threads at once, but each
// thread calls a copy (detail/_loop_body_copies.h), whose destructor has run when
// parallel_for returns. The threads may copy at the same time. A function of indices is
// shared by the threads.
//
//   tbb::parallel_for(0, n, [&](int i) { out[i] = f(in[i]); });
//   tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int>& part) {
//     for (int i = part.begin(); i < part.end(); ++i) ...
//   });
#ifndef FILCH_TBB_COMPAT_PARALLEL_FOR_H_
#define FILCH_TBB_COMPAT_PARALLEL_FOR_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <type_traits>

#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_exception.h"
#include "detail/_for_loop.h"
#include "detail/_index_loop.h"
#include "detail/_own_context.h"
#include "detail/_task_group_context.h"
#include "filch/pool/context.h"
#include "partitioner.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Index>
void CheckStep(Index step) {
  if (!(Index(0) < step)) r1::throw_exception(r1::exception_id::nonpositive_step);
}

// Each form below is one of these four. They have names of their own, and are called by
// their full names, because the program's namespaces may have a parallel_for, too.

template <typename Range, typename Body, typename Partitioner>
void ForRangeInOwn(const Range& range, const Body& body, Partitioner& partitioner) {
  d1::WithOwnContext([&](filch::Context& c) { d1::RunFor(c, range, body, partitioner); });
}

template <typename Range, typename Body, typename Partitioner>
void ForRangeIn(task_group_context& context, const Range& range, const Body& body,
                Partitioner& partitioner) {
  d1::WithContextUnlessCancelled(
      context, [&](filch::Context& c) { d1::RunFor(c, range, body, partitioner); });
}

template <typename Index, typename Function, typename Partitioner>
void ForIndicesInOwn(Index first, Index last, Index step, const Function& f,
                     Partitioner& partitioner) {
  d1::CheckStep(step);
  d1::WithOwnContext(
      [&](filch::Context& c) { d1::RunIndices(c, first, last, step, f, partitioner); });
}

template <typename Index, typename Function, typename Partitioner>
void ForIndicesIn(task_group_context& context, Index first, Index last, Index step,
                  const Function& f, Partitioner& partitioner) {
  d1::CheckStep(step);
  d1::WithContextUnlessCancelled(
      context, [&](filch::Context& c) { d1::RunIndices(c, first, last, step, f, partitioner); });
}

// --- over a range

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body) {
  const auto_partitioner partitioner;
  d1::ForRangeInOwn(range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body, Partitioner&& partitioner) {
  d1::ForRangeInOwn(range, body, d1::PartitionerOf(partitioner));
}

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body, task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ForRangeIn(context, range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body, Partitioner&& partitioner,
                  task_group_context& context) {
  d1::ForRangeIn(context, range, body, d1::PartitionerOf(partitioner));
}

// --- over indices by a step

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f) {
  const auto_partitioner partitioner;
  d1::ForIndicesInOwn(first, last, step, f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f,
                  Partitioner&& partitioner) {
  d1::ForIndicesInOwn(first, last, step, f, d1::PartitionerOf(partitioner));
}

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f,
                  task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ForIndicesIn(context, first, last, step, f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f, Partitioner&& partitioner,
                  task_group_context& context) {
  d1::ForIndicesIn(context, first, last, step, f, d1::PartitionerOf(partitioner));
}

// --- over indices one by one

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f) {
  const auto_partitioner partitioner;
  d1::ForIndicesInOwn(first, last, static_cast<Index>(1), f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f, Partitioner&& partitioner) {
  d1::ForIndicesInOwn(first, last, static_cast<Index>(1), f, d1::PartitionerOf(partitioner));
}

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f, task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ForIndicesIn(context, first, last, static_cast<Index>(1), f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f, Partitioner&& partitioner,
                  task_group_context& context) {
  d1::ForIndicesIn(context, first, last, static_cast<Index>(1), f, d1::PartitionerOf(partitioner));
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::parallel_for;
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines those over indices, and some programs look for them.
namespace strict_ppl {
using detail::d1::parallel_for;
}
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_FOR_H_

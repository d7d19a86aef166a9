// parallel_for_each: calls a body on every item of a sequence, on all threads of
// the arena; the body may add items while it runs.
//
// The body takes an item, or an item and a tbb::feeder of its type. Any thread.
// Exceptions and cancellation as in parallel_for. With random-access iterators
// the items are cut like a loop; others are walked through by one thread at a
// time, never far ahead of the items, and those of a single-pass sequence are
// copied first. No iterator is stepped from an item whose body has begun. What an
// iterator throws counts as what a body throws.
//
//   tbb::parallel_for_each(roots.begin(), roots.end(), [](Node* node, tbb::feeder<Node*>& more) {
//     for (Node* child : node->children) more.add(child);
//   });
#ifndef FILCH_TBB_COMPAT_PARALLEL_FOR_EACH_H_
#define FILCH_TBB_COMPAT_PARALLEL_FOR_EACH_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <iterator>
#include <type_traits>
#include <utility>

#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_feeder.h"
#include "detail/_for_each_loop.h"
#include "detail/_own_context.h"
#include "detail/_task_group_context.h"
#include "filch/pool/context.h"
#include "parallel_for.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {

template <typename Iterator, typename Body>
__TBB_requires(std::input_iterator<Iterator>&& parallel_for_each_body<Body, Iterator>)
void parallel_for_each(Iterator first, Iterator last, const Body& body) {
  d1::WithOwnContext([&](filch::Context& c) { d2::RunForEach(c, first, last, body); });
}

template <typename Iterator, typename Body>
__TBB_requires(std::input_iterator<Iterator>&& parallel_for_each_body<Body, Iterator>)
void parallel_for_each(Iterator first, Iterator last, const Body& body,
                       d1::task_group_context& context) {
  d1::WithContext(context, [&](filch::Context& c) { d2::RunForEach(c, first, last, body); });
}

template <typename Range, typename Body>
__TBB_requires(d1::sequence_of<Range, std::input_iterator_tag>&&
                   parallel_for_each_body<Body, d1::sequence_iterator<Range>>)
auto parallel_for_each(Range& range, const Body& body)
    -> std::enable_if_t<!std::is_same_v<std::decay_t<Range>, Body>,
                        decltype(std::begin(range), void())> {
  d2::parallel_for_each(std::begin(range), std::end(range), body);
}

// What is not the caller's own has constant items.
template <typename Range, typename Body>
__TBB_requires(
    (!std::is_lvalue_reference_v<Range>)&&d1::sequence_of<const Range, std::input_iterator_tag>&&
        parallel_for_each_body<Body, d1::sequence_iterator<const Range>>)
auto parallel_for_each(Range&& range, const Body& body)
    -> std::enable_if_t<!std::is_lvalue_reference_v<Range> &&
                            !std::is_same_v<std::decay_t<Range>, Body>,
                        decltype(std::begin(range), void())> {
  d2::parallel_for_each(std::begin(std::as_const(range)), std::end(std::as_const(range)), body);
}

template <typename Range, typename Body>
__TBB_requires(d1::sequence_of<Range, std::input_iterator_tag>&&
                   parallel_for_each_body<Body, d1::sequence_iterator<Range>>)
auto parallel_for_each(Range& range, const Body& body, d1::task_group_context& context)
    -> decltype(std::begin(range), void()) {
  d2::parallel_for_each(std::begin(range), std::end(range), body, context);
}

template <typename Range, typename Body>
__TBB_requires(
    (!std::is_lvalue_reference_v<Range>)&&d1::sequence_of<const Range, std::input_iterator_tag>&&
        parallel_for_each_body<Body, d1::sequence_iterator<const Range>>)
auto parallel_for_each(Range&& range, const Body& body, d1::task_group_context& context)
    -> std::enable_if_t<!std::is_lvalue_reference_v<Range>, decltype(std::begin(range), void())> {
  d2::parallel_for_each(std::begin(std::as_const(range)), std::end(std::as_const(range)), body,
                        context);
}

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d2::feeder;
using detail::d2::parallel_for_each;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_FOR_EACH_H_

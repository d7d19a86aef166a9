// parallel_do: parallel_for_each under the name that TBB 2020 had for it when
// the body adds items.  oneTBB has it no more, and new code calls parallel_for_each.
//
//   tbb::parallel_do(roots.begin(), roots.end(),
//                    [](Node* node, tbb::parallel_do_feeder<Node*>& feeder) {
//                      for (Node* child : node->children) feeder.add(child);
//                    });
#ifndef FILCH_TBB_COMPAT_PARALLEL_DO_H_
#define FILCH_TBB_COMPAT_PARALLEL_DO_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <iterator>

#include "detail/_config.h"
#include "detail/_task_group_context.h"
#include "parallel_for_each.h"

namespace tbb {

// Takes more items while the body runs.
template <typename Item>
using parallel_do_feeder = detail::d2::feeder<Item>;

// Calls body(item) or body(item, feeder) for every item. Any thread.
template <typename Iterator, typename Body>
void parallel_do(Iterator first, Iterator last, const Body& body) {
  detail::d2::parallel_for_each(first, last, body);
}
template <typename Iterator, typename Body>
void parallel_do(Iterator first, Iterator last, const Body& body, task_group_context& context) {
  detail::d2::parallel_for_each(first, last, body, context);
}

// The same for a container or anything else with begin() and end().
template <typename Range, typename Body>
auto parallel_do(Range&& range, const Body& body) -> decltype(std::begin(range), void()) {
  detail::d2::parallel_for_each(std::begin(range), std::end(range), body);
}
template <typename Range, typename Body>
auto parallel_do(Range&& range, const Body& body, task_group_context& context)
    -> decltype(std::begin(range), void()) {
  detail::d2::parallel_for_each(std::begin(range), std::end(range), body, context);
}

}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_DO_H_

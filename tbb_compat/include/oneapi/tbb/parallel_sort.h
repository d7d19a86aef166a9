// parallel_sort: sorts in place, not stably, on all threads of the arena.
//
// Any thread. It needs random-access iterators and elements that can be moved
// and swapped. If the comparison throws, the elements are in some order and the
// exception is thrown again. The order of equal elements may differ from run to
// run.
//
// A quicksort whose parts are joined; parts of a few hundred elements, and parts
// where quicksort goes astray, are std::sort's.
//
//   tbb::parallel_sort(names.begin(), names.end());
#ifndef FILCH_TBB_COMPAT_PARALLEL_SORT_H_
#define FILCH_TBB_COMPAT_PARALLEL_SORT_H_

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "detail/_config.h"
#include "detail/_task_group_context.h"
#include "filch/pool/join.h"
#include "parallel_for.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Iterator, typename Compare>
class Quicksort {
  using Distance = typename std::iterator_traits<Iterator>::difference_type;

 public:
  Quicksort(const Compare& less, filch::Context& context) : less_(less), context_(context) {}

  // Sorts [begin, end), trusting quicksort for `levels` levels of unlucky cuts.
  void Sort(Iterator begin, Iterator end, int levels) const {
    if (context_.IsCancelled()) return;
    if (end - begin <= kSerialSize || levels == 0) {
      RunGuarded(context_, [&] { std::sort(begin, end, Less()); });
      return;
    }
    std::pair<Iterator, Iterator> equal;
    RunGuarded(context_, [&] { equal = Partition(begin, end); });
    filch::Join([&] { Sort(begin, equal.first, levels - 1); },
                [&] { Sort(equal.second, end, levels - 1); });
  }

  // Twice what a sort of `size` elements needs if its cuts are fair.
  static int LevelsFor(Distance size) {
    int levels = 0;
    for (; size > 1; size /= 2) levels += 2;
    return levels;
  }

  // A part this small is sorted in some microseconds: not worth a theft.
  static constexpr Distance kSerialSize = 500;

 private:
  // std::sort copies its comparison; the program's may not be copyable.
  auto Less() const {
    return [this](const auto& a, const auto& b) { return static_cast<bool>(less_(a, b)); };
  }

  Iterator MedianOf(Iterator a, Iterator b, Iterator c) const {
    if (less_(*a, *b)) return less_(*b, *c) ? b : (less_(*a, *c) ? c : a);
    return less_(*c, *b) ? b : (less_(*c, *a) ? c : a);
  }

  // The middle one of nine, so that sorted and piped inputs cut in halves.
  Iterator Pivot(Iterator begin, Iterator end) const {
    const Distance step = (end - begin) / 9;
    const Iterator a = begin + step / 2;
    return MedianOf(MedianOf(a, a + step, a + 2 * step),
                    MedianOf(a + 3 * step, a + 4 * step, a + 5 * step),
                    MedianOf(a + 6 * step, a + 7 * step, a + 8 * step));
  }

  // Moves what is less than a pivot to the left and what is not to the right;
  // returns the bounds of a middle that is in its place already.
  std::pair<Iterator, Iterator> Partition(Iterator begin, Iterator end) const {
    std::iter_swap(begin, Pivot(begin, end));
    Iterator left = begin;
    Iterator right = end;
    // Both sides stop at elements equal to the pivot, so that many equal ones
    // are cut in halves too.
    for (;;) {
      do {
        ++left;
      } while (left != end && less_(*left, *begin));
      do {
        --right;
      } while (less_(*begin, *right));
      if (right <= left) break;
      std::iter_swap(left, right);
    }
    std::iter_swap(begin, right);
    return {right, right + 1};
  }

  const Compare& less_;
  filch::Context& context_;
};

template <typename Iterator, typename Compare>
void parallel_sort(Iterator begin, Iterator end, const Compare& less) {
  using Sorter = Quicksort<Iterator, Compare>;
  if (end - begin <= Sorter::kSerialSize) {
    std::sort(begin, end, [&less](const auto& a, const auto& b) { return less(a, b); });
    return;
  }
  WithOwnContext([&](filch::Context& context) {
    bool sorted = false;
    RunGuarded(context, [&] {
      // Ends at the first pair in the wrong order.
      sorted =
          std::is_sorted(begin, end, [&less](const auto& a, const auto& b) { return less(a, b); });
    });
    if (!sorted) Sorter(less, context).Sort(begin, end, Sorter::LevelsFor(end - begin));
  });
}

template <typename Iterator>
void parallel_sort(Iterator begin, Iterator end) {
  parallel_sort(begin, end, std::less<typename std::iterator_traits<Iterator>::value_type>());
}

template <typename Container, typename Compare>
auto parallel_sort(Container&& container, const Compare& less)
    -> decltype(std::begin(container), void()) {
  parallel_sort(std::begin(container), std::end(container), less);
}

template <typename Container>
auto parallel_sort(Container&& container) -> decltype(std::begin(container), void()) {
  parallel_sort(std::begin(container), std::end(container));
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::parallel_sort;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_PARALLEL_SORT_H_

// parallel_sort: sorts in place, not stably, on all threads of the arena.
//
// Any thread. It needs random-access iterators and elements that can be moved
// and swapped. If the comparison throws, the exception is thrown again; small values in
// an array are in some order then, others are what std::sort leaves. The order of equal
// elements may differ from run to run.
//
// A quicksort whose parts are joined; where it goes astray, a part is sorted otherwise.
// Numbers, and what else is small and trivially copied, are sorted without branches
// (detail/_branchless_quicksort.h) if they are in an array or a std::vector.
//
//   tbb::parallel_sort(names.begin(), names.end());
#ifndef FILCH_TBB_COMPAT_PARALLEL_SORT_H_
#define FILCH_TBB_COMPAT_PARALLEL_SORT_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/_branchless_quicksort.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_swapping_quicksort.h"
#include "detail/_task_group_context.h"
#include "filch/pool/join.h"
#include "filch/topology/catch_all.h"
#include "parallel_for.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Quicksort: a SwappingQuicksort or a BranchlessQuicksort.
template <typename Iterator, typename Quicksort>
class SortByJoins {
  using Distance = typename std::iterator_traits<Iterator>::difference_type;

 public:
  SortByJoins(const Quicksort& sort, filch::Context& context) : sort_(sort), context_(context) {}

  // What is small is sorted even if it is cancelled.
  void Sort(Iterator begin, Iterator end) const {
    const int levels = LevelsFor(end - begin);
    if (end - begin <= kSerialSize) {
      RunGuarded(context_, [&] { sort_.Sort(begin, end, false, levels); });
    } else {
      Sort(begin, end, false, levels);
    }
  }

 private:
  // A part this small is sorted in some microseconds: not worth a theft.
  static constexpr Distance kSerialSize = 500;

  // Trusting quicksort for `levels` levels of unlucky cuts.
  void Sort(Iterator begin, Iterator end, bool has_left, int levels) const {
    if (context_.IsCancelled()) return;
    if (end - begin <= kSerialSize || levels == 0) {
      RunGuarded(context_, [&] { sort_.Sort(begin, end, has_left, levels); });
      return;
    }
    std::pair<Iterator, Iterator> cut;
    if (!RunGuarded(context_, [&] { cut = sort_.Partition(begin, end, has_left); })) return;
    filch::Join([&] { Sort(begin, cut.first, has_left, levels - 1); },
                [&] { Sort(cut.second, end, true, levels - 1); });
  }

  // Twice what a sort of `size` elements needs if its cuts are fair.
  static int LevelsFor(Distance size) {
    int levels = 0;
    for (; size > 1; size /= 2) levels += 2;
    return levels;
  }

  const Quicksort& sort_;
  filch::Context& context_;
};

// Whether the elements lie one after the other, as far as that can be told.
template <typename Iterator, typename T>
inline constexpr bool LiesInArray = std::is_pointer_v<Iterator> ||
                                    (std::is_same_v<Iterator, typename std::vector<T>::iterator> &&
                                     !std::is_same_v<T, bool>);

// Calls use(sort, first, last) with the quicksort that suits the elements, and with them.
template <typename Iterator, typename Compare, typename Use>
void WithQuicksort(Iterator begin, Iterator end, const Compare& less, const Use& use) {
  using T = typename std::iterator_traits<Iterator>::value_type;
  using Branchless = BranchlessQuicksort<T, Compare>;
  if constexpr (Branchless::kSuits && LiesInArray<Iterator, T>) {
    T* const first = std::addressof(*begin);
    use(Branchless(less), first, first + (end - begin));
  } else {
    use(SwappingQuicksort<Iterator, Compare>(less), begin, end);
  }
}

template <typename Iterator, typename Compare>
void SortFrom(Iterator begin, Iterator end, const Compare& less, filch::Context& context) {
  WithQuicksort(begin, end, less, [&](const auto& sort, auto first, auto last) {
    SortByJoins<decltype(first), std::decay_t<decltype(sort)>>(sort, context).Sort(first, last);
  });
}

// For so few elements that a context of their own, and a look whether they are in order
// already, would take as long as to sort them.
template <typename Iterator, typename Compare>
void SortFew(Iterator begin, Iterator end, const Compare& less) {
  FILCH_TRY {
    WithQuicksort(begin, end, less, [](const auto& sort, auto first, auto last) {
      sort.Sort(first, last, false, 0);
    });
  }
  FILCH_CATCH_ALL {
    r1::EndIfExceptionsTerminate();
    FILCH_RETHROW;
  }
}

// Whether [begin, end) is in order now. If it was in the opposite order it is turned
// round; else it ends at the first pair that shows that it is neither.
template <typename Iterator, typename Compare>
bool IsSortedOrReversed(Iterator begin, Iterator end, const Compare& less) {
  const auto in_order = [&less](const auto& a, const auto& b) {
    return static_cast<bool>(less(a, b));
  };
  const auto reversed = [&less](const auto& a, const auto& b) {
    return static_cast<bool>(less(b, a));
  };
  if (std::is_sorted(begin, end, in_order)) return true;
  if (!std::is_sorted(begin, end, reversed)) return false;
  std::reverse(begin, end);
  return true;
}

template <typename Iterator, typename Compare>
void SortInOwn(Iterator begin, Iterator end, const Compare& less) {
  // Both quicksorts insert so few, and cut nothing.
  constexpr int kFew = 16;
  if (end - begin < 2) return;
  if (end - begin <= kFew) return SortFew(begin, end, less);
  WithOwnContext([&](filch::Context& context) {
    bool sorted = false;
    if (!RunGuarded(context, [&] { sorted = IsSortedOrReversed(begin, end, less); })) return;
    if (!sorted) SortFrom(begin, end, less, context);
  });
}

template <typename Iterator, typename Compare>
__TBB_requires(sort_iterator<Iterator>&& sort_compare<Compare, Iterator>)
void parallel_sort(Iterator begin, Iterator end, const Compare& less) {
  using T = typename std::iterator_traits<Iterator>::value_type;
  if constexpr (std::is_invocable_v<const Compare&, const T&, const T&>) {
    SortInOwn(begin, end, less);
  } else {
    // It takes elements as what may be changed, and has to leave them as they are.
    SortInOwn(begin, end, [&less](const T& a, const T& b) {
      return static_cast<bool>(less(const_cast<T&>(a), const_cast<T&>(b)));
    });
  }
}

template <typename Iterator>
__TBB_requires(sort_iterator<Iterator>&& sort_ordered<Iterator>)
void parallel_sort(Iterator begin, Iterator end) {
  parallel_sort(begin, end, std::less<typename std::iterator_traits<Iterator>::value_type>());
}

template <typename Container, typename Compare>
__TBB_requires(sortable_sequence<Container>&& sort_compare<Compare, sequence_iterator<Container>>)
auto parallel_sort(Container&& container, const Compare& less)
    -> decltype(std::begin(container), void()) {
  parallel_sort(std::begin(container), std::end(container), less);
}

template <typename Container>
__TBB_requires(sortable_sequence<Container>&& sort_ordered<sequence_iterator<Container>>)
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

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_SORT_H_

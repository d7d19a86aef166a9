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
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/_branchless_quicksort.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_own_context.h"
#include "detail/_run_guarded.h"
#include "detail/_sort_order.h"
#include "detail/_swapping_quicksort.h"
#include "filch/pool/join.h"
#include "filch/topology/catch_all.h"
#include "parallel_for.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// A part this small is sorted in some microseconds: not worth a theft.
inline constexpr int kSerialSortSize = 500;

// Twice the levels that quicksort of `size` elements needs if its cuts are fair.
template <typename Distance>
int QuicksortLevels(Distance size) {
  int levels = 0;
  for (; size > 1; size /= 2) levels += 2;
  return levels;
}

// Quicksort: a SwappingQuicksort or a BranchlessQuicksort.
template <typename Iterator, typename Quicksort>
class SortByJoins {
 public:
  SortByJoins(const Quicksort& sort, filch::Context& context) : sort_(sort), context_(context) {}

  void Sort(Iterator begin, Iterator end) const {
    bool orderly = false;
    if (!d1::RunGuarded(context_, [&] { orderly = sort_.LooksOrderly(begin, end); })) return;
    Sort(begin, end, false, orderly, d1::QuicksortLevels(end - begin));
  }

 private:
  // Trusting quicksort for `levels` levels of unlucky cuts.
  void Sort(Iterator begin, Iterator end, bool has_left, bool orderly, int levels) const {
    if (context_.IsCancelled()) return;
    if (end - begin <= kSerialSortSize || levels == 0) {
      d1::RunGuarded(context_, [&] { sort_.Sort(begin, end, has_left, orderly, levels); });
      return;
    }
    std::optional<std::pair<Iterator, Iterator>> cut;
    if (!d1::RunGuarded(context_,
                        [&] { cut.emplace(sort_.Partition(begin, end, has_left, orderly)); })) {
      return;
    }
    filch::Join([&] { Sort(begin, cut->first, has_left, orderly, levels - 1); },
                [&] { Sort(cut->second, end, true, orderly, levels - 1); });
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

// For so few elements that a context of their own would take long. They are sorted even if
// the context that the calling thread works for is cancelled.
template <typename Iterator, typename Quicksort, typename Compare>
void SortFew(const Quicksort& sort, Iterator begin, Iterator end, const Compare& less) {
  // It takes as long to insert so few as to look whether they are in order.
  constexpr int kFew = 16;
  FILCH_TRY {
    const bool few = end - begin <= kFew;
    if (!few && (d1::IsSorted(begin, end, less) || d1::TurnIfReversed(begin, end, less))) return;
    const bool orderly = !few && sort.LooksOrderly(begin, end);
    sort.Sort(begin, end, false, orderly, d1::QuicksortLevels(end - begin));
  }
  FILCH_CATCH_ALL {
    r1::EndIfExceptionsTerminate();
    FILCH_RETHROW;
  }
}

template <typename Iterator, typename Quicksort, typename Compare>
void SortMany(const Quicksort& sort, Iterator begin, Iterator end, const Compare& less) {
  d1::WithOwnContext([&](filch::Context& context) {
    if (OrderByJoins<Iterator, Compare>(less, context).Check(begin, end)) return;
    bool reversed = false;
    if (!d1::RunGuarded(context, [&] { reversed = d1::TurnIfReversed(begin, end, less); })) return;
    if (!reversed) SortByJoins<Iterator, Quicksort>(sort, context).Sort(begin, end);
  });
}

template <typename Iterator, typename Compare>
void SortInOwn(Iterator begin, Iterator end, const Compare& less) {
  if (end - begin < 2) return;
  d1::WithQuicksort(begin, end, less, [&less](const auto& sort, auto first, auto last) {
    if (last - first <= kSerialSortSize) {
      d1::SortFew(sort, first, last, less);
    } else {
      d1::SortMany(sort, first, last, less);
    }
  });
}

template <typename Iterator, typename Compare>
__TBB_requires(sort_iterator<Iterator>&& sort_compare<Compare, Iterator>)
void parallel_sort(Iterator begin, Iterator end, const Compare& less) {
  using T = typename std::iterator_traits<Iterator>::value_type;
  using Reference = typename std::iterator_traits<Iterator>::reference;
  // Whether it takes constants is not asked where that does not matter: for them a generic one
  // might not compile.
  if constexpr (std::disjunction_v<
                    std::is_same<Reference, T&>,
                    std::negation<std::is_invocable<const Compare&, const T&, const T&>>>) {
    // It takes elements as what may be changed, and has to leave them as they are.
    d1::SortInOwn(begin, end, [&less](const T& a, const T& b) {
      return static_cast<bool>(less(const_cast<T&>(a), const_cast<T&>(b)));
    });
  } else {
    d1::SortInOwn(begin, end, less);
  }
}

template <typename Iterator>
__TBB_requires(sort_iterator<Iterator>&& sort_ordered<Iterator>)
void parallel_sort(Iterator begin, Iterator end) {
  d1::parallel_sort(begin, end, std::less<typename std::iterator_traits<Iterator>::value_type>());
}

template <typename Container, typename Compare>
__TBB_requires(sortable_sequence<Container>&& sort_compare<Compare, sequence_iterator<Container>>)
auto parallel_sort(Container&& container, const Compare& less)
    -> decltype(std::begin(container), void()) {
  d1::parallel_sort(std::begin(container), std::end(container), less);
}

template <typename Container>
__TBB_requires(sortable_sequence<Container>&& sort_ordered<sequence_iterator<Container>>)
auto parallel_sort(Container&& container) -> decltype(std::begin(container), void()) {
  d1::parallel_sort(std::begin(container), std::end(container));
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

// SwappingQuicksort: sorts anything that can be swapped.
//
// Hoare's partition from both ends; parts that are not cut any more are std::sort's.
// For small values in an array, BranchlessQuicksort is faster.
//
// One thread for each piece. If a comparison throws, they are what std::sort leaves.
#ifndef FILCH_TBB_COMPAT_DETAIL_SWAPPING_QUICKSORT_H_
#define FILCH_TBB_COMPAT_DETAIL_SWAPPING_QUICKSORT_H_

#include <algorithm>
#include <utility>

#include "_config.h"
#include "_middle_of.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Iterator, typename Compare>
class SwappingQuicksort {
 public:
  explicit SwappingQuicksort(const Compare& less) : less_(less) {}

  // As those of BranchlessQuicksort.
  static bool LooksOrderly(Iterator, Iterator) { return false; }
  std::pair<Iterator, Iterator> Partition(Iterator begin, Iterator end, bool, bool&) const {
    std::iter_swap(begin, d1::MiddleOf(begin, end, less_));
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

  void Sort(Iterator begin, Iterator end, bool, bool, int) const {
    // std::sort copies its comparison; the program's may not be copyable.
    std::sort(begin, end,
              [this](const auto& a, const auto& b) { return static_cast<bool>(less_(a, b)); });
  }

 private:
  const Compare& less_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SWAPPING_QUICKSORT_H_

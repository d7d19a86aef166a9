// BranchlessQuicksort: sorts small values that lie one after the other.
//
// Quicksort of keys in no order waits for mispredicted branches most of the time.
// Here a partition moves every element, whatever the comparison says, and adds what
// it says to a position: Lomuto's partition without its branch. For elements that
// are cheap to move; a comparison that branches itself gains nothing by it and
// loses nothing.
//
// One thread for each piece. A comparison that throws or contradicts itself leaves
// the elements in some order.
#ifndef FILCH_TBB_COMPAT_DETAIL_BRANCHLESS_QUICKSORT_H_
#define FILCH_TBB_COMPAT_DETAIL_BRANCHLESS_QUICKSORT_H_

#include <cstddef>
#include <type_traits>
#include <utility>

#include "_config.h"
#include "_middle_of.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename T, typename Compare>
class BranchlessQuicksort {
 public:
  // Such values are cheap to move; std::pair is one, though its assignment is its own.
  static constexpr bool kSuits = std::is_trivially_copy_constructible_v<T> &&
                                 std::is_trivially_destructible_v<T> &&
                                 std::is_nothrow_copy_assignable_v<T> && sizeof(T) <= 16;

  explicit BranchlessQuicksort(const Compare& less) : less_(less) {}

  // Cuts [begin, end), of three elements at least, at one of them: what is before
  // `.first` and what is from `.second` on is left to sort, and what is between the two
  // is in its place. If `has_left`, begin[-1] is in its place.
  std::pair<T*, T*> Partition(T* begin, T* end, bool has_left) const {
    std::swap(*begin, *MiddleOf(begin, end, less_));
    const T pivot = *begin;
    if (has_left && !less_(begin[-1], pivot)) {
      // Nothing here is less than the pivot: many equal keys.
      T* const greater =
          MoveLeft(begin + 1, end, [&](const T& x) { return !static_cast<bool>(less_(pivot, x)); });
      return {begin, greater};
    }
    T* const others =
        MoveLeft(begin + 1, end, [&](const T& x) { return static_cast<bool>(less_(x, pivot)); });
    std::swap(*begin, others[-1]);
    return {others - 1, others};
  }

  // Sorts [begin, end), trusting quicksort for `levels` levels.
  void Sort(T* begin, T* end, bool has_left, int levels) const {
    while (end - begin > kInsertionSize) {
      if (levels-- == 0) {
        HeapSort(begin, end - begin);
        return;
      }
      const std::pair<T*, T*> cut = Partition(begin, end, has_left);
      Sort(begin, cut.first, has_left, levels);
      begin = cut.second;
      has_left = true;
    }
    InsertionSort(begin, end);
  }

 private:
  static constexpr std::ptrdiff_t kInsertionSize = 20;

  // Moves what `is_left` is true for to the left; returns where the others begin.
  template <typename IsLeft>
  static T* MoveLeft(T* begin, T* end, const IsLeft& is_left) {
    T* others = begin;
    for (T* next = begin; next != end; ++next) {
      const T x = *next;
      *next = *others;
      *others = x;
      others += is_left(x) ? 1 : 0;
    }
    return others;
  }

  // By swaps, for std::sort loses an element if a comparison throws.
  void HeapSort(T* first, std::ptrdiff_t size) const {
    for (std::ptrdiff_t root = size / 2; root-- > 0;) SiftDown(first, root, size);
    while (--size > 0) {
      std::swap(first[0], first[size]);
      SiftDown(first, 0, size);
    }
  }
  void SiftDown(T* first, std::ptrdiff_t root, std::ptrdiff_t size) const {
    for (std::ptrdiff_t child = 2 * root + 1; child < size; child = 2 * root + 1) {
      if (child + 1 < size && less_(first[child], first[child + 1])) ++child;
      if (!less_(first[root], first[child])) return;
      std::swap(first[root], first[child]);
      root = child;
    }
  }

  void InsertionSort(T* begin, T* end) const {
    if (begin == end) return;
    for (T* next = begin + 1; next != end; ++next) {
      const T x = *next;
      T* hole = next;
      FILCH_TRY {
        while (hole != begin && less_(x, hole[-1])) {
          *hole = hole[-1];
          --hole;
        }
      }
      FILCH_CATCH_ALL {
        *hole = x;
        FILCH_RETHROW;
      }
      *hole = x;
    }
  }

  const Compare& less_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_BRANCHLESS_QUICKSORT_H_

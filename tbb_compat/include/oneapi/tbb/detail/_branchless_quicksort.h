// BranchlessQuicksort: sorts small values that lie one after the other.
//
// Quicksort of keys in no order waits for mispredicted branches most of the time.
// Here a partition moves every element, whatever the comparison says, and adds what
// it says to a position: Lomuto's partition without its branch. For elements that
// are cheap to move; a comparison that branches itself gains nothing by it and
// loses nothing.
//
// Where the elements lie in long runs, up or down, branches are predicted, and Hoare's
// partition moves only what is in the wrong half. A part is cut so as long as that goes
// on: each such partition counts where a run ended that was not as long as the one before.
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

  // Whether the elements, of which there are two at least, seem to lie in long runs. Looks at
  // some of them.
  bool LooksOrderly(const T* begin, const T* end) const {
    constexpr std::ptrdiff_t kWindow = 16;
    constexpr std::ptrdiff_t kWindows = 4;
    constexpr std::ptrdiff_t kTurns = kWindows * kWindow / 4;  // it is 2/3 in random order
    if (end - begin <= kWindows * kWindow) {
      const std::ptrdiff_t pairs = end - begin - 1;
      return CountTurns(begin, pairs) * 4 < pairs;
    }
    const std::ptrdiff_t step = (end - begin - kWindow - 1) / (kWindows - 1);
    std::ptrdiff_t turns = 0;
    for (std::ptrdiff_t i = 0; i < kWindows && turns < kTurns; ++i) {
      turns += CountTurns(begin + i * step, kWindow);
    }
    return turns < kTurns;
  }

  // Cuts [begin, end), of three elements at least, at one of them: what is before
  // `.first` and what is from `.second` on is left to sort, and what is between the two
  // is in its place. If `has_left`, begin[-1] is in its place. `orderly` says whether the
  // elements seem to lie in long runs, and afterwards whether those of the parts do.
  std::pair<T*, T*> Partition(T* begin, T* end, bool has_left, bool& orderly) const {
    std::swap(*begin, *MiddleOf(begin, end));
    if (orderly) return PartitionOrderly(begin, end, orderly);
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
  void Sort(T* begin, T* end, bool has_left, bool orderly, int levels) const {
    while (end - begin > kInsertionSize) {
      if (levels-- == 0) {
        HeapSort(begin, end - begin);
        return;
      }
      const std::pair<T*, T*> cut = Partition(begin, end, has_left, orderly);
      Sort(begin, cut.first, has_left, orderly, levels);
      begin = cut.second;
      has_left = true;
    }
    InsertionSort(begin, end);
  }

 private:
  static constexpr std::ptrdiff_t kInsertionSize = 16;

  // Among `pairs` neighbours from `first` on, how often they change from rising to falling
  // or back.
  std::ptrdiff_t CountTurns(const T* first, std::ptrdiff_t pairs) const {
    std::ptrdiff_t turns = 0;
    bool falls = static_cast<bool>(less_(first[1], first[0]));
    for (std::ptrdiff_t i = 1; i < pairs; ++i) {
      const bool fell = falls;
      falls = static_cast<bool>(less_(first[i + 1], first[i]));
      turns += fell != falls ? 1 : 0;
    }
    return turns;
  }

  T* MiddleOf(T* begin, T* end) const {
    return d1::MiddleBy(begin, end, [this](T* a, T* b, T* c) { return MiddleOfThree(a, b, c); });
  }
  // Compares all, so that nothing is to be predicted.
  T* MiddleOfThree(T* a, T* b, T* c) const {
    const bool a_b = static_cast<bool>(less_(*a, *b));
    const bool a_c = static_cast<bool>(less_(*a, *c));
    const bool b_c = static_cast<bool>(less_(*b, *c));
    T* const b_or_c = a_b == b_c ? b : c;
    return a_b != a_c ? a : b_or_c;
  }

  // Partition for a pivot at *begin.
  std::pair<T*, T*> PartitionOrderly(T* begin, T* end, bool& orderly) const {
    // What is not foreseen, for each of so many elements, costs as much as to move them all;
    // a few such places say nothing.
    constexpr std::ptrdiff_t kOrderlyRun = 16;
    constexpr std::ptrdiff_t kFew = 4;
    const T pivot = *begin;
    std::ptrdiff_t irregular = 0;
    std::ptrdiff_t last_from_left = 1;
    std::ptrdiff_t last_from_right = 1;
    T* left = begin;
    T* right = end;
    for (;;) {
      T* const from_left = left;
      do {
        ++left;
      } while (left != end && less_(*left, pivot));
      T* const from_right = right;
      do {
        --right;
      } while (right != begin && less_(pivot, *right));
      if (right <= left) break;
      std::swap(*left, *right);
      irregular += (left - from_left != last_from_left ? 1 : 0) +
                   (from_right - right != last_from_right ? 1 : 0);
      last_from_left = left - from_left;
      last_from_right = from_right - right;
    }
    std::swap(*begin, *right);
    orderly = (irregular - kFew) * kOrderlyRun <= end - begin;
    return {right, right + 1};
  }

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

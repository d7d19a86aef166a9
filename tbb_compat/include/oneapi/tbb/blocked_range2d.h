// blocked_range2d<Row, Column>: a rectangle of rows and columns, cut where it
// is longest.
//
// Each dimension is a blocked_range with its own grain size.  A split cuts the
// dimension that holds more grains; the rectangle is divisible while one of
// them is.  A value like blocked_range: nothing here synchronizes.
//
//   tbb::parallel_for(tbb::blocked_range2d<int>(0, height, 0, width), paint);
#ifndef FILCH_TBB_COMPAT_BLOCKED_RANGE2D_H_
#define FILCH_TBB_COMPAT_BLOCKED_RANGE2D_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>

#include "blocked_range.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_range_common.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Whether `a` holds fewer grains than `b`.
template <typename A, typename B>
bool HoldsFewerGrains(const blocked_range<A>& a, const blocked_range<B>& b) {
  return static_cast<double>(a.size()) * static_cast<double>(b.grainsize()) <
         static_cast<double>(b.size()) * static_cast<double>(a.grainsize());
}

template <typename RowValue, typename ColValue = RowValue>
__TBB_requires(blocked_range_value<RowValue>&& blocked_range_value<ColValue>)
class blocked_range2d {
 public:
  // What TBB 2020 asks a range; here its constructors tell.
  static constexpr bool is_splittable_in_proportion = true;

  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  blocked_range2d(RowValue row_begin, RowValue row_end,
                  typename row_range_type::size_type row_grainsize, ColValue col_begin,
                  ColValue col_end, typename col_range_type::size_type col_grainsize)
      : rows_(row_begin, row_end, row_grainsize), cols_(col_begin, col_end, col_grainsize) {}

  blocked_range2d(RowValue row_begin, RowValue row_end, ColValue col_begin, ColValue col_end)
      : rows_(row_begin, row_end), cols_(col_begin, col_end) {}

  blocked_range2d(const row_range_type& rows, const col_range_type& cols)
      : rows_(rows), cols_(cols) {}

  // Takes the right half of the dimension of `rest` that is longest in grains.
  blocked_range2d(blocked_range2d& rest, split) : blocked_range2d(rest) {
    split half;
    Cut(rest, half);
  }

  // The same, in the given proportion.
  blocked_range2d(blocked_range2d& rest, proportional_split& ratio) : blocked_range2d(rest) {
    Cut(rest, ratio);
  }

  blocked_range2d(const blocked_range2d&) = default;
  blocked_range2d& operator=(const blocked_range2d&) = default;

  bool empty() const { return rows_.empty() || cols_.empty(); }
  bool is_divisible() const { return rows_.is_divisible() || cols_.is_divisible(); }
  const row_range_type& rows() const { return rows_; }
  const col_range_type& cols() const { return cols_; }

 private:
  template <typename Split>
  void Cut(blocked_range2d& rest, Split& how) {
    if (d1::HoldsFewerGrains(rows_, cols_)) {
      cols_ = col_range_type(rest.cols_, how);
    } else {
      rows_ = row_range_type(rest.rows_, how);
    }
  }

  row_range_type rows_;
  col_range_type cols_;
};

template <typename RowValue, typename ColValue>
inline constexpr bool Halves<blocked_range2d<RowValue, ColValue>> = true;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::blocked_range2d;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_BLOCKED_RANGE2D_H_

// blocked_range3d<Page, Row, Column>: a box of pages, rows and columns, cut
// where it is longest.
//
// Each dimension is a blocked_range with its own grain size.  A split cuts the
// dimension that holds the most grains; the box is divisible while one of them
// is.  A value like blocked_range: nothing here synchronizes.
//
//   tbb::parallel_for(tbb::blocked_range3d<int>(0, pages, 0, rows, 0, cols), fill);
#ifndef FILCH_TBB_COMPAT_BLOCKED_RANGE3D_H_
#define FILCH_TBB_COMPAT_BLOCKED_RANGE3D_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>

#include "blocked_range.h"
#include "blocked_range2d.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_range_common.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename PageValue, typename RowValue = PageValue, typename ColValue = RowValue>
__TBB_requires(
    blocked_range_value<PageValue>&& blocked_range_value<RowValue>&& blocked_range_value<ColValue>)
class blocked_range3d {
 public:
  // What TBB 2020 asks a range; here its constructors tell.
  static constexpr bool is_splittable_in_proportion = true;

  using page_range_type = blocked_range<PageValue>;
  using row_range_type = blocked_range<RowValue>;
  using col_range_type = blocked_range<ColValue>;

  blocked_range3d(PageValue page_begin, PageValue page_end, RowValue row_begin, RowValue row_end,
                  ColValue col_begin, ColValue col_end)
      : pages_(page_begin, page_end), rows_(row_begin, row_end), cols_(col_begin, col_end) {}

  blocked_range3d(PageValue page_begin, PageValue page_end,
                  typename page_range_type::size_type page_grainsize, RowValue row_begin,
                  RowValue row_end, typename row_range_type::size_type row_grainsize,
                  ColValue col_begin, ColValue col_end,
                  typename col_range_type::size_type col_grainsize)
      : pages_(page_begin, page_end, page_grainsize),
        rows_(row_begin, row_end, row_grainsize),
        cols_(col_begin, col_end, col_grainsize) {}

  blocked_range3d(const page_range_type& pages, const row_range_type& rows,
                  const col_range_type& cols)
      : pages_(pages), rows_(rows), cols_(cols) {}

  // Takes the right half of the dimension of `rest` that is longest in grains.
  blocked_range3d(blocked_range3d& rest, split) : blocked_range3d(rest) {
    split half;
    Cut(rest, half);
  }

  // The same, in the given proportion.
  blocked_range3d(blocked_range3d& rest, proportional_split& ratio) : blocked_range3d(rest) {
    Cut(rest, ratio);
  }

  blocked_range3d(const blocked_range3d&) = default;
  blocked_range3d& operator=(const blocked_range3d&) = default;

  bool empty() const { return pages_.empty() || rows_.empty() || cols_.empty(); }
  bool is_divisible() const {
    return pages_.is_divisible() || rows_.is_divisible() || cols_.is_divisible();
  }
  const page_range_type& pages() const { return pages_; }
  const row_range_type& rows() const { return rows_; }
  const col_range_type& cols() const { return cols_; }

 private:
  template <typename Split>
  void Cut(blocked_range3d& rest, Split& how) {
    if (d1::HoldsFewerGrains(rows_, cols_)) {
      if (d1::HoldsFewerGrains(pages_, cols_)) {
        cols_ = col_range_type(rest.cols_, how);
        return;
      }
    } else if (d1::HoldsFewerGrains(pages_, rows_)) {
      rows_ = row_range_type(rest.rows_, how);
      return;
    }
    pages_ = page_range_type(rest.pages_, how);
  }

  page_range_type pages_;
  row_range_type rows_;
  col_range_type cols_;
};

template <typename PageValue, typename RowValue, typename ColValue>
inline constexpr bool Halves<blocked_range3d<PageValue, RowValue, ColValue>> = true;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::blocked_range3d;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_BLOCKED_RANGE3D_H_

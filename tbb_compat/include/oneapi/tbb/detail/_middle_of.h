// MiddleOf: where to cut a range that is sorted.
#ifndef FILCH_TBB_COMPAT_DETAIL_MIDDLE_OF_H_
#define FILCH_TBB_COMPAT_DETAIL_MIDDLE_OF_H_

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Iterator, typename Compare>
Iterator MiddleOfThree(Iterator a, Iterator b, Iterator c, const Compare& less) {
  if (less(*a, *b)) return less(*b, *c) ? b : (less(*a, *c) ? c : a);
  return less(*c, *b) ? b : (less(*c, *a) ? c : a);
}

// The middle one of three elements of [begin, end), of which there are that many, or,
// if it is long, of nine: so sorted and piped inputs are cut in halves. middle_of_three(a, b, c)
// tells it of three.
template <typename Iterator, typename OfThree>
Iterator MiddleBy(Iterator begin, Iterator end, const OfThree& middle_of_three) {
  const auto size = end - begin;
  if (size < 128) return middle_of_three(begin, begin + size / 2, begin + (size - 1));
  const auto step = size / 9;
  const Iterator a = begin + step / 2;
  return middle_of_three(middle_of_three(a, a + step, a + 2 * step),
                         middle_of_three(a + 3 * step, a + 4 * step, a + 5 * step),
                         middle_of_three(a + 6 * step, a + 7 * step, a + 8 * step));
}

// The same by a comparison.
template <typename Iterator, typename Compare>
Iterator MiddleOf(Iterator begin, Iterator end, const Compare& less) {
  return d1::MiddleBy(begin, end, [&](Iterator a, Iterator b, Iterator c) {
    return d1::MiddleOfThree(a, b, c, less);
  });
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_MIDDLE_OF_H_

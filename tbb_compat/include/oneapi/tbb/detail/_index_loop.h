// RunIndices: parallel_for over indices, in a context: a loop over the numbers of the steps.
#ifndef FILCH_TBB_COMPAT_DETAIL_INDEX_LOOP_H_
#define FILCH_TBB_COMPAT_DETAIL_INDEX_LOOP_H_

#include <cstddef>
#include <functional>
#include <type_traits>

#include "../blocked_range.h"
#include "_config.h"
#include "_for_loop.h"
#include "_loop_body_copies.h"
#include "filch/pool/context.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// The body of the forms with an index: part `k` of the steps is index
// first + k * step.
template <typename Index, typename Function>
class IndexBody {
 public:
  IndexBody(Index first, Index step, const Function& function)
      : first_(static_cast<std::size_t>(first)),
        step_(static_cast<std::size_t>(step)),
        function_(function) {}

  void operator()(const blocked_range<std::size_t>& part) const {
    if (step_ == 1) {
      // The plain loop that compilers vectorize.
      const Index end = At(part.end());
      for (Index i = At(part.begin()); i != end; ++i) std::invoke(function_, i);
    } else {
      for (std::size_t k = part.begin(); k != part.end(); ++k) {
        Index i = At(k);
        std::invoke(function_, i);
      }
    }
  }

 private:
  // Unsigned arithmetic, because the distance between two indices may be more
  // than their type holds.
  Index At(std::size_t k) const { return static_cast<Index>(first_ + k * step_); }

  const std::size_t first_;
  const std::size_t step_;
  const Function& function_;
};

// The same for indices that are wider, or of a class that counts like an integer.
template <typename Index, typename Function>
class ClassIndexBody {
 public:
  ClassIndexBody(const Index& first, const Index& step, const Function& function)
      : first_(first), step_(step), function_(function) {}

  void operator()(const blocked_range<Index>& part) const {
    Index i = first_ + part.begin() * step_;
    for (Index k = part.begin(); k < part.end(); ++k, i += step_) std::invoke(function_, i);
  }

 private:
  const Index& first_;
  const Index& step_;
  const Function& function_;
};

// How many whole steps lie before the last of `distance` indices; the distance may be an
// index, or a number.
template <typename Distance, typename Index>
Index StepsBefore(const Distance& distance, const Index& step) {
  if constexpr (std::is_same_v<Distance, Index>) {
    return (distance - Index(1)) / step;
  } else {
    return Index(distance - 1) / step;
  }
}

// Neither has data that changes, and the function is one for all.
template <typename Index, typename Function>
inline constexpr bool SharesBody<IndexBody<Index, Function>> = true;
template <typename Index, typename Function>
inline constexpr bool SharesBody<ClassIndexBody<Index, Function>> = true;

template <typename Index, typename Function, typename Partitioner>
void RunIndices(filch::Context& context, Index first, Index last, Index step,
                const Function& function, Partitioner& partitioner) {
  static_assert(!std::is_floating_point_v<Index>, "parallel_for counts with integers");
  if (!(first < last)) return;
  if constexpr (CountsInSize<Index>) {
    const std::size_t distance = static_cast<std::size_t>(last) - static_cast<std::size_t>(first);
    const std::size_t steps = (distance - 1) / static_cast<std::size_t>(step) + 1;
    d1::RunFor(context, blocked_range<std::size_t>(0, steps),
               IndexBody<Index, Function>(first, step, function), partitioner);
  } else {
    const Index steps = d1::StepsBefore(last - first, step) + Index(1);
    d1::RunFor(context, blocked_range<Index>(Index(0), steps),
               ClassIndexBody<Index, Function>(first, step, function), partitioner);
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_INDEX_LOOP_H_

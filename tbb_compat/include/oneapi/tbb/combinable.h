// combinable: a value for each thread that asks for one, joined in the end.
//
// As enumerable_thread_specific, which it is made of.
//
//   tbb::combinable<int> counts;
//   tbb::parallel_for(0, n, [&](int i) { counts.local() += Count(i); });
//   int total = counts.combine(std::plus<int>());
#ifndef FILCH_TBB_COMPAT_COMBINABLE_H_
#define FILCH_TBB_COMPAT_COMBINABLE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <type_traits>
#include <utility>

#include "detail/_config.h"
#include "enumerable_thread_specific.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename T>
class combinable {
 public:
  combinable() = default;
  // Values are what initial() returns, or copies of `initial` if it is no function.
  template <typename Initial,
            typename = std::enable_if_t<std::is_invocable_v<std::decay_t<Initial>&> ||
                                        std::is_constructible_v<T, Initial>>>
  explicit combinable(Initial initial) : values_(std::move(initial)) {}

  // The calling thread's value. Any thread.
  T& local() { return values_.local(); }
  T& local(bool& exists) { return values_.local(exists); }

  // For one thread alone.
  void clear() { values_.clear(); }
  // Any thread, while others make values, too.
  template <typename F>
  T combine(F f) {
    return values_.combine(std::move(f));
  }
  template <typename F>
  void combine_each(F f) {
    values_.combine_each(std::move(f));
  }

 private:
  enumerable_thread_specific<T> values_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::combinable;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_COMBINABLE_H_

// function_handle and make_task: a function that is run by its group, not by itself.
//
// TBB 2020 calls it task_handle<F>.
#ifndef FILCH_TBB_COMPAT_DETAIL_FUNCTION_HANDLE_H_
#define FILCH_TBB_COMPAT_DETAIL_FUNCTION_HANDLE_H_

#include <type_traits>
#include <utility>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {

template <typename F>
class function_handle {
 public:
  explicit function_handle(const F& f) : f_(f) {}
  void operator()() const { f_(); }

 private:
  F f_;
};

template <typename F>
function_handle<std::decay_t<F>> make_task(F&& f) {
  return function_handle<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FUNCTION_HANDLE_H_

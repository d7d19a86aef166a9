// parallel_invoke: runs two or more functions that may run at the same time,
// and waits for all.
//
// Any thread. It allocates nothing. The first exception is thrown again when
// every function that had started has ended, and those that had not are
// dropped; so they are if the context (the last argument, or that of the task
// that calls) is cancelled. What the functions wrote is visible afterwards.
//
//   tbb::parallel_invoke([&] { Sort(left); }, [&] { Sort(right); });
#ifndef FILCH_TBB_COMPAT_PARALLEL_INVOKE_H_
#define FILCH_TBB_COMPAT_PARALLEL_INVOKE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_own_context.h"
#include "detail/_run_guarded.h"
#include "detail/_task_group_context.h"
#include "filch/pool/join.h"
#include "filch/topology/forced_inline.h"
#include "task_group.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Whether the context keeps what one of so many functions throws, for the end of the call: joins
// lie within each other, and each would throw it anew.
template <std::size_t kFunctions>
inline constexpr bool KeepsThrown = kFunctions > 2;

// Calls one of so many functions as part of the context that the calling thread works for.
template <std::size_t kFunctions>
struct CallInContext {
  template <typename F>
  static void Run(F& f) {
    if (is_current_task_group_canceling()) return d1::PretendToCall(f);
    if constexpr (std::is_invocable_v<const F&>) {
      RunConstant(f);  // as oneTBB calls it
    } else {
      RunConstant([&f] { f(); });
    }
  }

 private:
  template <typename F>
  static void RunConstant(const F& f) {
    if constexpr (KeepsThrown<kFunctions>) {
      d1::RunKeeping(f);
    } else {
      d1::RunGuarded(f);
    }
  }
};

// Of some functions, which a tuple of references forwards, the calling thread takes the last one
// first, and who comes first the first one, as with TBB.
template <typename Functions, std::size_t... Is>
inline __attribute__((always_inline)) void InvokeFromLast(filch::pool_internal::Slot& slot,
                                                          Functions functions,
                                                          std::index_sequence<Is...>) {
  filch::pool_internal::JoinOn<CallInContext<sizeof...(Is)>>(
      slot, std::get<sizeof...(Is) - 1 - Is>(std::move(functions))...);
}

template <typename Functions, typename Indexes>
void InvokeIn(task_group_context& context, Functions functions, Indexes indexes) {
  d1::WithContext(context, [&](filch::Context& c) {
    d1::InvokeFromLast(filch::pool_internal::CurrentSlot(), std::move(functions), indexes);
    c.Rethrow();
  });
}

template <typename F0, typename F1, typename... Rest>
FILCH_FORCED_INLINE void parallel_invoke(F0&& f0, F1&& f1, Rest&&... rest) {
  using Last = std::tuple_element_t<sizeof...(Rest), std::tuple<F1&, Rest&...>>;
  if constexpr (std::is_convertible_v<Last, task_group_context&>) {
    static_assert(sizeof...(Rest) > 0, "parallel_invoke needs at least two functions");
    auto all = std::forward_as_tuple(f0, f1, rest...);
    d1::InvokeIn(static_cast<task_group_context&>(std::get<sizeof...(Rest) + 1>(all)), all,
                 std::make_index_sequence<sizeof...(Rest) + 1>());
  } else {
    filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
    d1::WithOwnContext(
        slot, [&](filch::Context & context) __attribute__((always_inline)) {
          d1::InvokeFromLast(slot,
                             std::forward_as_tuple(std::forward<F0>(f0), std::forward<F1>(f1),
                                                   std::forward<Rest>(rest)...),
                             std::make_index_sequence<sizeof...(Rest) + 2>());
          if constexpr (KeepsThrown<sizeof...(Rest) + 2>) context.Rethrow();
        });
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::parallel_invoke;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_INVOKE_H_

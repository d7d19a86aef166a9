// What the algorithms ask of ranges, bodies and the rest, as concepts of C++20; with
// C++17 this is empty.
//
// A call with wrong types is then an error at the call, and `requires { ... }` is false
// for it. They are no stricter than the named requirements of the specification.
#ifndef FILCH_TBB_COMPAT_DETAIL_CONCEPTS_H_
#define FILCH_TBB_COMPAT_DETAIL_CONCEPTS_H_

#include "_config.h"

#if __TBB_CPP20_CONCEPTS_PRESENT

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include "_range_common.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Version 14 of the formatter takes concepts for expressions.
// clang-format off

struct pre_scan_tag;
struct final_scan_tag;
class flow_control;

template <typename T>
concept splittable = std::constructible_from<T, T&, split>;

// What may be called as a constant with these, for something that becomes a Result.
template <typename F, typename Result, typename... Arguments>
concept const_callable_for =
    std::invocable<const std::remove_reference_t<F>&, Arguments...> &&
    std::convertible_to<std::invoke_result_t<const std::remove_reference_t<F>&, Arguments...>,
                        Result>;

// What is asked where nothing but a condition is made of the answer.
template <typename T>
concept condition = std::constructible_from<bool, T>;

template <typename Range>
concept tbb_range =
    std::copy_constructible<Range> && splittable<Range> &&
    requires(const std::remove_reference_t<Range>& range) {
      { range.empty() } -> condition;
      { range.is_divisible() } -> condition;
    };

template <typename Value>
concept blocked_range_value =
    std::copyable<Value> &&
    requires(const std::remove_reference_t<Value>& a, const std::remove_reference_t<Value>& b) {
      { a < b } -> condition;
      { a - b } -> std::convertible_to<std::size_t>;
      { a + (a - b) } -> std::convertible_to<Value>;
    };

// --- parallel_for

template <typename Body, typename Range>
concept parallel_for_body =
    std::copy_constructible<Body> && std::invocable<const std::remove_reference_t<Body>&, Range&>;

template <typename Index>
concept parallel_for_index =
    std::constructible_from<Index, int> && std::copyable<Index> &&
    requires(const std::remove_reference_t<Index>& a, const std::remove_reference_t<Index>& b) {
      { a < b } -> std::convertible_to<bool>;
      { a - b } -> std::convertible_to<std::size_t>;
      { a + (a - b) } -> std::convertible_to<Index>;
    };

template <typename Function, typename Index>
concept parallel_for_function =
    std::invocable<const std::remove_reference_t<Function>&, Index&>;

// --- reductions

template <typename Body, typename Range>
concept parallel_reduce_body =
    splittable<Body> && std::invocable<Body&, Range&> &&
    requires(Body& a, Body& b) { a.join(b); };

template <typename Function, typename Range, typename Value>
concept parallel_reduce_function =
    const_callable_for<Function, Value, Range&, Value> ||
    const_callable_for<Function, Value, Range&, const Value&>;

template <typename Combine, typename Value>
concept parallel_reduce_combine =
    const_callable_for<Combine, Value, Value, Value> ||
    const_callable_for<Combine, Value, const Value&, const Value&>;

// --- scans

template <typename Body, typename Range>
concept parallel_scan_body =
    splittable<Body> && std::invocable<Body&, Range&, pre_scan_tag> &&
    std::invocable<Body&, Range&, final_scan_tag> &&
    requires(Body& a, Body& b) {
      a.reverse_join(b);
      a.assign(b);
    };

template <typename Function, typename Range, typename Value>
concept parallel_scan_function =
    const_callable_for<Function, Value, const Range&, Value, bool> ||
    const_callable_for<Function, Value, const Range&, Value&, bool>;

template <typename Combine, typename Value>
concept parallel_scan_combine =
    const_callable_for<Combine, Value, const Value&, Value> ||
    const_callable_for<Combine, Value, Value&, Value&>;

// --- pipelines

// The first filter takes the control, and the last one's result is nobody's.
template <typename Body, typename Input, typename Output>
concept filter_body =
    std::copy_constructible<std::decay_t<const Body&>> &&
    std::invocable<const Body&, std::conditional_t<std::is_void_v<Input>, flow_control&, Input>> &&
    (std::is_void_v<Output> ||
     const_callable_for<Body, Output,
                        std::conditional_t<std::is_void_v<Input>, flow_control&, Input>>);

// --- sorts and parallel_for_each

template <typename Sequence>
using sequence_iterator = decltype(std::begin(std::declval<Sequence&>()));

template <typename Sequence, typename Tag>
concept sequence_of =
    requires(Sequence& sequence) {
      std::begin(sequence);
      std::end(sequence);
      requires std::derived_from<
          typename std::iterator_traits<decltype(std::begin(sequence))>::iterator_category, Tag>;
    };

template <typename Iterator>
using iterator_value = typename std::iterator_traits<Iterator>::value_type;

// Of std::vector<bool> too, whose references are objects.
template <typename Iterator>
concept sort_iterator =
    std::derived_from<typename std::iterator_traits<Iterator>::iterator_category,
                      std::random_access_iterator_tag> &&
    std::movable<iterator_value<Iterator>>;

template <typename Sequence>
concept sortable_sequence =
    sequence_of<Sequence, std::random_access_iterator_tag> &&
    std::movable<iterator_value<sequence_iterator<Sequence>>>;

template <typename Compare, typename Iterator>
concept sort_compare =
    const_callable_for<Compare, bool, typename std::iterator_traits<Iterator>::reference,
                       typename std::iterator_traits<Iterator>::reference>;

template <typename Iterator>
concept sort_ordered =
    requires(const iterator_value<Iterator>& a, const iterator_value<Iterator>& b) {
      { a < b } -> std::convertible_to<bool>;
    };
// clang-format on

}  // namespace d1
// Where oneTBB has them.
using d1::splittable;
using d1::tbb_range;
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // __TBB_CPP20_CONCEPTS_PRESENT

#endif  // FILCH_TBB_COMPAT_DETAIL_CONCEPTS_H_

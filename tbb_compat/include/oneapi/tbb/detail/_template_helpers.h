// Templates that programs take from oneTBB's detail namespace.
//
//   tbb::detail::try_call([&] { Fill(); }).on_exception([&] { Undo(); });
#ifndef FILCH_TBB_COMPAT_DETAIL_TEMPLATE_HELPERS_H_
#define FILCH_TBB_COMPAT_DETAIL_TEMPLATE_HELPERS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "_config.h"
#include "_utils.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {

using std::conjunction;
using std::disjunction;
using std::index_sequence;
using std::make_index_sequence;
using std::void_t;

template <typename T, typename Enable, template <typename> class... Checks>
struct supports_impl : std::false_type {};
template <typename T, template <typename> class... Checks>
struct supports_impl<T, std::void_t<Checks<T>...>, Checks...> : std::true_type {};

// Whether all Checks<T> are types.
template <typename T, template <typename> class... Checks>
using supports = std::bool_constant<supports_impl<T, void, Checks...>::value>;

template <typename Iterator>
using iterator_value_t = typename std::iterator_traits<Iterator>::value_type;
// Of iterators over pairs.
template <typename Iterator>
using iterator_key_t = std::remove_const_t<typename iterator_value_t<Iterator>::first_type>;
template <typename Iterator>
using iterator_mapped_t = typename iterator_value_t<Iterator>::second_type;

// T, and no compiler deduces it.
template <typename T>
struct type_identity {
  using type = T;
};
template <typename T>
using type_identity_t = typename type_identity<T>::type;

// The constant that fits the size of std::size_t.
template <unsigned kFor32Bits, unsigned long long kFor64Bits>
struct select_size_t_constant {
  static constexpr std::size_t value =
      static_cast<std::size_t>(sizeof(std::size_t) == 4 ? kFor32Bits : kFor64Bits);
};

// The address as another pointer.
template <typename Pointer, typename T>
Pointer punned_cast(T* pointer) {
  return reinterpret_cast<Pointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

template <std::size_t kIndex, typename... Ts>
using pack_element_t = std::tuple_element_t<kIndex, std::tuple<Ts...>>;

// A T whose size is a multiple of kSize.
template <typename T, std::size_t kSize, std::size_t kRest>
struct padded_base : T {
  using T::T;
  char pad[kSize - kRest];
};
template <typename T, std::size_t kSize>
struct padded_base<T, kSize, 0> : T {
  using T::T;
};
template <typename T, std::size_t kSize = max_nfs_size>
struct padded : padded_base<T, kSize, sizeof(T) % kSize> {
  using padded_base<T, kSize, sizeof(T) % kSize>::padded_base;
};

// Calls f() when it ends, unless it was dismissed. One thread at a time.
template <typename F>
class raii_guard {
 public:
  explicit raii_guard(F f) noexcept : f_(std::move(f)) {}
  raii_guard(raii_guard&& other) noexcept
      : f_(std::move(other.f_)), active_(std::exchange(other.active_, false)) {}
  ~raii_guard() {
    if (active_) f_();
  }

  void dismiss() { active_ = false; }

 private:
  F f_;
  bool active_ = true;
};

template <typename F>
raii_guard<F> make_raii_guard(F f) {
  return raii_guard<F>(std::move(f));
}

// What try_call returns: says how the function is called.
template <typename F>
class try_call_proxy {
 public:
  explicit try_call_proxy(F f) : f_(std::move(f)) {}

  // Calls it, and then `undo` if it throws.
  template <typename Undo>
  void on_exception(Undo undo) {
    auto guard = d0::make_raii_guard(std::move(undo));
    f_();
    guard.dismiss();
  }
  // Calls it, and then `last` in every case.
  template <typename Last>
  void on_completion(Last last) {
    const auto guard = d0::make_raii_guard(std::move(last));
    f_();
  }

 private:
  F f_;
};

template <typename F>
try_call_proxy<F> try_call(F f) {
  return try_call_proxy<F>(std::move(f));
}

// Arguments that are kept for a later call.
template <typename... Ts>
using stored_pack = std::tuple<Ts...>;

template <typename... Ts>
stored_pack<std::decay_t<Ts>...> save_pack(Ts&&... arguments) {
  return stored_pack<std::decay_t<Ts>...>(std::forward<Ts>(arguments)...);
}

// Calls the function with them, which it may move from if the pack is an rvalue.
template <typename F, typename Pack>
void call(F&& f, Pack&& pack) {
  std::apply(std::forward<F>(f), std::forward<Pack>(pack));
}
template <typename Result, typename F, typename Pack>
Result call_and_return(F&& f, Pack&& pack) {
  return std::apply(std::forward<F>(f), std::forward<Pack>(pack));
}

}  // namespace d0
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TEMPLATE_HELPERS_H_

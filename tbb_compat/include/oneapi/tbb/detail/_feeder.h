// feeder: takes the items that the body of a parallel_for_each adds; and how such a body is
// called.
//
// Any thread.
#ifndef FILCH_TBB_COMPAT_DETAIL_FEEDER_H_
#define FILCH_TBB_COMPAT_DETAIL_FEEDER_H_

#include <functional>
#include <type_traits>
#include <utility>

#include "_concepts.h"
#include "_config.h"
#include "_run_guarded.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Takes more items. Only while the call of the body that was given it lasts.
template <typename Item>
class feeder {
 public:
  void add(const Item& item) { add(Item(item)); }
  void add(Item&& item) {
    static_assert(std::is_move_constructible_v<Item>, "items that are added must move");
    Start(std::move(item));
  }

 protected:
  feeder() = default;
  ~feeder() = default;
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;

 private:
  virtual void Start(Item&& item) = 0;
};

}  // namespace d1

namespace d2 {

using d1::feeder;

// What a body gives a feeder for, or the type of the items if that cannot be seen: it is a
// template, is overloaded, or takes none.
template <typename F, typename Result, typename Item, typename T>
T FedBy(Result (F::*)(Item, feeder<T>&) const);
template <typename Body, typename Item, typename = void>
struct WorkItem {
  using type = std::remove_cv_t<Item>;
};
template <typename Body, typename Item>
struct WorkItem<Body, Item, std::void_t<decltype(d2::FedBy(&Body::operator()))>> {
  using type = decltype(d2::FedBy(&Body::operator()));
};

// Whether the body wants a feeder with what an iterator leads to.
template <typename Body, typename Reference, typename Item>
inline constexpr bool kTakesFeeder =
    std::disjunction_v<std::is_invocable<const Body&, Reference&&, feeder<Item>&>,
                       std::is_invocable<const Body&, Reference&, feeder<Item>&>,
                       std::is_invocable<const Body&, Item&&, feeder<Item>&>>;

// Calls the body with the item, and with the feeder if it wants one.  The item goes as
// what it is: an rvalue if it is ours or a moving iterator gave it, unless the body takes
// only lvalues; and an lvalue as an rvalue if the body takes nothing else.
template <typename Item, typename Body, typename Reference>
void CallBody(const Body& body, Reference&& item, [[maybe_unused]] feeder<Item>* to_feed) {
  d1::RunGuarded([&] {
    if constexpr (std::is_invocable_v<const Body&, Reference&&, feeder<Item>&>) {
      std::invoke(body, std::forward<Reference>(item), *to_feed);
    } else if constexpr (std::is_invocable_v<const Body&, Reference&, feeder<Item>&>) {
      std::invoke(body, item, *to_feed);
    } else if constexpr (std::is_invocable_v<const Body&, Item&&, feeder<Item>&>) {
      std::invoke(body, std::move(item), *to_feed);
    } else if constexpr (std::is_invocable_v<const Body&, Reference&&>) {
      std::invoke(body, std::forward<Reference>(item));
    } else if constexpr (std::is_invocable_v<const Body&, Reference&>) {
      std::invoke(body, item);
    } else {
      std::invoke(body, std::move(item));
    }
  });
}

#if __TBB_CPP20_CONCEPTS_PRESENT
// What its feeder takes need not be what an iterator leads to.
template <typename Body, typename Iterator>
using FeederReference = feeder<typename WorkItem<Body, d1::iterator_value<Iterator>>::type>&;
template <typename Iterator>
using ItemReference = std::remove_reference_t<std::iter_reference_t<Iterator>>&;

// The four ways in which a body may take what an iterator leads to.
template <typename Body, typename Iterator>
concept parallel_for_each_body =
    std::invocable<const Body&, ItemReference<Iterator>, FeederReference<Body, Iterator>> ||
    std::invocable<const Body&, d1::iterator_value<Iterator>, FeederReference<Body, Iterator>> ||
    std::invocable<const Body&, ItemReference<Iterator>> ||
    std::invocable<const Body&, d1::iterator_value<Iterator>>;
#endif

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FEEDER_H_

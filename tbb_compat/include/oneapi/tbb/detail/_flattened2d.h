// flattened2d and flatten2d: the items of all inner containers of a container, as one sequence.
//
//   tbb::enumerable_thread_specific<std::vector<Job>> found;
//   ...
//   for (Job& job : tbb::flatten2d(found)) Do(job);
//
// Nothing is copied: it walks through the containers, which must outlive it and keep their
// places. One thread; others may add containers behind those that it walks through, if the outer
// one allows that.
#ifndef FILCH_TBB_COMPAT_DETAIL_FLATTENED2D_H_
#define FILCH_TBB_COMPAT_DETAIL_FLATTENED2D_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Container>
class flattened2d;

// The items of all inner containers one after the other, of as many as there were when it was
// placed. Value is that of the inner containers, or the same as a constant: then the items cannot
// be changed through it.
template <typename Container, typename Value>
class segmented_iterator {
  static constexpr bool kConstant = std::is_const_v<Value>;
  using InnerContainer = typename Container::value_type;
  using Outer = std::conditional_t<kConstant, typename Container::const_iterator,
                                   typename Container::iterator>;
  using Inner = std::conditional_t<kConstant, typename InnerContainer::const_iterator,
                                   typename InnerContainer::iterator>;

 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = std::remove_const_t<Value>;
  using difference_type = std::ptrdiff_t;
  using size_type = typename Container::size_type;
  using pointer = Value*;
  using reference = Value&;

  segmented_iterator() = default;
  // At the end of `all`, until another place is assigned.
  explicit segmented_iterator(const Container& all)
      : all_(const_cast<Container*>(&all)), outer_(all_->end()), end_(outer_) {}
  // Also the one for constants to the other one, where the inner containers' iterators can
  // be converted: programs keep what a constant container gave, and use it as the other.
  template <typename V, typename = std::enable_if_t<
                            std::is_same_v<std::remove_const_t<V>, std::remove_const_t<Value>> &&
                            !std::is_same_v<V, Value>>>
  segmented_iterator(const segmented_iterator<Container, V>& other)
      : all_(other.all_), outer_(other.outer_), end_(other.end_) {
    if (IsAtEnd()) return;
    inner_ = std::next(outer_->begin(), std::distance(other.outer_->begin(), other.inner_));
  }
  // The first item at or behind `outer`, which is a place in the container that this was made for.
  segmented_iterator& operator=(const Outer& outer) {
    return *this = segmented_iterator(*all_, outer, all_->end());
  }

  Value& operator*() const { return *inner_; }
  Value* operator->() const { return std::addressof(*inner_); }
  segmented_iterator& operator++() {
    ++inner_;
    SkipEmpty();
    return *this;
  }
  segmented_iterator operator++(int) {
    segmented_iterator before = *this;
    ++*this;
    return before;
  }
  // Iterators of both kinds may be compared.
  template <typename V>
  bool operator==(const segmented_iterator<Container, V>& other) const {
    return outer_ == other.outer_ && (IsAtEnd() || inner_ == other.inner_);
  }
  template <typename V>
  bool operator!=(const segmented_iterator<Container, V>& other) const {
    return !(*this == other);
  }
  // Whether it is at the first item of the inner container that `outer` leads to, or both
  // are at the end.
  bool operator==(const typename Container::const_iterator& outer) const {
    return outer_ == outer && (IsAtEnd() || inner_ == outer_->begin());
  }
  bool operator!=(const typename Container::const_iterator& outer) const {
    return !(*this == outer);
  }

 private:
  template <typename, typename>
  friend class segmented_iterator;
  friend class flattened2d<Container>;

  // The first item from `outer` on, before `end`.
  segmented_iterator(Container& all, const Outer& outer, const Outer& end)
      : all_(&all), outer_(outer), end_(end) {
    if (IsAtEnd()) return;
    inner_ = outer_->begin();
    SkipEmpty();
  }

  bool IsAtEnd() const { return outer_ == end_; }
  // Not at the end.
  void SkipEmpty() {
    while (inner_ == outer_->end()) {
      ++outer_;
      if (IsAtEnd()) return;
      inner_ = outer_->begin();
    }
  }

  Container* all_ = nullptr;
  Outer outer_{};
  Outer end_{};
  Inner inner_{};
};

template <typename Container>
class flattened2d {
 public:
  using conval_type = typename Container::value_type;
  using value_type = typename conval_type::value_type;
  using size_type = typename conval_type::size_type;
  using difference_type = typename conval_type::difference_type;
  using allocator_type = typename conval_type::allocator_type;
  using reference = typename conval_type::reference;
  using const_reference = typename conval_type::const_reference;
  using pointer = typename conval_type::pointer;
  using const_pointer = typename conval_type::const_pointer;

  using iterator = segmented_iterator<Container, value_type>;
  using const_iterator = segmented_iterator<Container, const value_type>;

  explicit flattened2d(const Container& all) : flattened2d(all, all.begin(), all.end()) {}
  flattened2d(const Container& all, typename Container::const_iterator begin,
              typename Container::const_iterator end)
      : all_(const_cast<Container*>(&all)), begin_(begin), end_(end) {}

  // The items may be changed, though the container came as a constant: TBB has it so.
  iterator begin() { return iterator(*all_, Mutable(begin_), Mutable(end_)); }
  iterator end() { return iterator(*all_, Mutable(end_), Mutable(end_)); }
  const_iterator begin() const { return const_iterator(*all_, begin_, end_); }
  const_iterator end() const { return const_iterator(*all_, end_, end_); }
  size_type size() const {
    size_type size = 0;
    for (auto inner = begin_; inner != end_; ++inner) size += inner->size();
    return size;
  }

 private:
  typename Container::iterator Mutable(typename Container::const_iterator at) const {
    return std::next(all_->begin(), std::distance(std::as_const(*all_).begin(), at));
  }

  Container* all_;
  typename Container::const_iterator begin_;
  typename Container::const_iterator end_;
};

template <typename Container>
flattened2d<Container> flatten2d(const Container& all) {
  return flattened2d<Container>(all);
}
template <typename Container>
flattened2d<Container> flatten2d(const Container& all, typename Container::const_iterator begin,
                                 typename Container::const_iterator end) {
  return flattened2d<Container>(all, begin, end);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FLATTENED2D_H_

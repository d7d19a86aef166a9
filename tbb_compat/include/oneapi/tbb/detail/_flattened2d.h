// flattened2d and flatten2d: the items of all inner containers of a container, as one sequence.
//
//   tbb::enumerable_thread_specific<std::vector<Job>> found;
//   ...
//   for (Job& job : tbb::flatten2d(found)) Do(job);
//
// Nothing is copied: it walks through the containers, which must outlive it and keep their
// places. One thread.
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

  template <typename Outer, typename Inner, typename Value>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::remove_const_t<Value>;
    using difference_type = std::ptrdiff_t;
    using size_type = typename Container::size_type;
    using pointer = Value*;
    using reference = Value&;

    Iterator() = default;
    // Also the one for constants to the other one, where the inner containers' iterators can
    // be converted: programs keep what a constant container gave, and use it as the other.
    template <typename O, typename I, typename V,
              typename = std::enable_if_t<
                  std::is_same_v<std::remove_const_t<V>, std::remove_const_t<Value>> &&
                  !std::is_same_v<V, Value>>>
    Iterator(const Iterator<O, I, V>& other) : outer_(other.outer_), end_(other.end_) {
      if (outer_ == end_) return;
      inner_ = std::next(outer_->begin(), std::distance(other.outer_->begin(), other.inner_));
    }
    Iterator(Outer outer, Outer end) : outer_(outer), end_(end) {
      if (outer_ != end_) inner_ = outer_->begin();
      SkipEmpty();
    }

    Value& operator*() const { return *inner_; }
    Value* operator->() const { return std::addressof(*inner_); }
    Iterator& operator++() {
      ++inner_;
      SkipEmpty();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    // Iterators of both kinds may be compared.
    template <typename O, typename I, typename V>
    bool operator==(const Iterator<O, I, V>& other) const {
      return outer_ == other.outer_ && (outer_ == end_ || inner_ == other.inner_);
    }
    template <typename O, typename I, typename V>
    bool operator!=(const Iterator<O, I, V>& other) const {
      return !(*this == other);
    }
    // Whether it is at the first item of the inner container that `outer` leads to, or both
    // are at the end.
    bool operator==(const typename Container::const_iterator& outer) const {
      return outer_ == outer && (outer_ == end_ || inner_ == outer_->begin());
    }
    bool operator!=(const typename Container::const_iterator& outer) const {
      return !(*this == outer);
    }

   private:
    template <typename, typename, typename>
    friend class Iterator;

    void SkipEmpty() {
      while (outer_ != end_ && inner_ == outer_->end()) {
        if (++outer_ != end_) inner_ = outer_->begin();
      }
    }

    Outer outer_{};
    Outer end_{};
    Inner inner_{};
  };
  using iterator =
      Iterator<typename Container::iterator, typename conval_type::iterator, value_type>;
  using const_iterator = Iterator<typename Container::const_iterator,
                                  typename conval_type::const_iterator, const value_type>;

  explicit flattened2d(const Container& all) : flattened2d(all, all.begin(), all.end()) {}
  flattened2d(const Container& all, typename Container::const_iterator begin,
              typename Container::const_iterator end)
      : all_(const_cast<Container*>(&all)), begin_(begin), end_(end) {}

  // The items may be changed, though the container came as a constant: TBB has it so.
  iterator begin() { return iterator(Mutable(begin_), Mutable(end_)); }
  iterator end() { return iterator(Mutable(end_), Mutable(end_)); }
  const_iterator begin() const { return const_iterator(begin_, end_); }
  const_iterator end() const { return const_iterator(end_, end_); }
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

// IndexedIterator: a random access iterator over what a container finds by its number.
#ifndef FILCH_TBB_COMPAT_DETAIL_INDEXED_ITERATOR_H_
#define FILCH_TBB_COMPAT_DETAIL_INDEXED_ITERATOR_H_

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

// Its Container has At(index), a T&, and befriends it.
template <typename Container, typename T>
class IndexedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;  // a constant one for iterators over constants, as in TBB
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;

  IndexedIterator() = default;
  IndexedIterator(Container& container, std::ptrdiff_t index)
      : container_(&container), index_(index) {}
  // Also the one for constants to the other one: programs use that in constant members.
  template <
      typename OtherContainer, typename U,
      typename = std::enable_if_t<std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>> &&
                                  !std::is_same_v<U, T>>>
  IndexedIterator(const IndexedIterator<OtherContainer, U>& other)
      : container_(const_cast<Container*>(other.container_)), index_(other.index_) {}

  T& operator*() const { return container_->At(index_); }
  T* operator->() const { return std::addressof(**this); }
  T& operator[](std::ptrdiff_t n) const { return container_->At(index_ + n); }

  IndexedIterator& operator+=(std::ptrdiff_t n) {
    index_ += n;
    return *this;
  }
  IndexedIterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
  IndexedIterator& operator++() { return *this += 1; }
  IndexedIterator& operator--() { return *this -= 1; }
  IndexedIterator operator++(int) { return std::exchange(*this, *this + 1); }
  IndexedIterator operator--(int) { return std::exchange(*this, *this - 1); }

  friend IndexedIterator operator+(IndexedIterator it, std::ptrdiff_t n) { return it += n; }
  friend IndexedIterator operator+(std::ptrdiff_t n, IndexedIterator it) { return it += n; }
  friend IndexedIterator operator-(IndexedIterator it, std::ptrdiff_t n) { return it -= n; }

  // Iterators of both kinds may be compared.
  template <typename C, typename U>
  std::ptrdiff_t operator-(const IndexedIterator<C, U>& other) const {
    return index_ - other.index_;
  }
  template <typename C, typename U>
  bool operator==(const IndexedIterator<C, U>& other) const {
    return index_ == other.index_ && container_ == other.container_;
  }
  template <typename C, typename U>
  bool operator!=(const IndexedIterator<C, U>& other) const {
    return !(*this == other);
  }
  template <typename C, typename U>
  bool operator<(const IndexedIterator<C, U>& other) const {
    return index_ < other.index_;
  }
  template <typename C, typename U>
  bool operator>(const IndexedIterator<C, U>& other) const {
    return other < *this;
  }
  template <typename C, typename U>
  bool operator<=(const IndexedIterator<C, U>& other) const {
    return !(other < *this);
  }
  template <typename C, typename U>
  bool operator>=(const IndexedIterator<C, U>& other) const {
    return !(*this < other);
  }

 private:
  template <typename, typename>
  friend class IndexedIterator;

  Container* container_ = nullptr;
  std::ptrdiff_t index_ = 0;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_INDEXED_ITERATOR_H_

// LinkedList: objects in a row, each with the links to its neighbours in itself.
//
// So to put one there needs no memory, and to take one out no search:
//
//   struct Waiter {
//     ListLink<Waiter> link;
//   };
//   LinkedList<Waiter, &Waiter::link> waiters;
//
// An object is in one list at most by each of its links; the list owns nothing.
//
// One thread at a time; constant-initialized.  Memory ordering: none.
#ifndef FILCH_POOL_LINKED_LIST_H_
#define FILCH_POOL_LINKED_LIST_H_

namespace filch {
namespace pool_internal {

template <typename T>
struct ListLink {
  T* previous = nullptr;
  T* next = nullptr;
};

template <typename T, ListLink<T> T::*kLink>
class LinkedList {
 public:
  // Which must not be taken out while it is where the iteration is.
  class Iterator {
   public:
    explicit Iterator(T* element) : element_(element) {}
    T& operator*() const { return *element_; }
    Iterator& operator++() {
      element_ = Next(*element_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return element_ != other.element_; }

   private:
    T* element_;
  };

  // Null if there is none.
  T* first() const { return first_; }
  T* last() const { return last_; }
  static T* Next(const T& element) { return (element.*kLink).next; }
  static T* Previous(const T& element) { return (element.*kLink).previous; }

  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(nullptr); }

  void PushFront(T& element) { InsertBefore(first_, element); }
  void PushBack(T& element) { InsertBefore(nullptr, element); }
  // Before `place`, which is in the list; null: at the end.
  void InsertBefore(T* place, T& element) {
    T* const previous = place != nullptr ? Previous(*place) : last_;
    element.*kLink = {previous, place};
    NextOf(previous) = &element;
    PreviousOf(place) = &element;
  }
  // It is in the list.
  void Remove(T& element) {
    const ListLink<T> link = element.*kLink;
    NextOf(link.previous) = link.next;
    PreviousOf(link.next) = link.previous;
  }

 private:
  // Who is next to an element, or at the end of the list if there is none.
  T*& NextOf(T* element) { return element != nullptr ? (element->*kLink).next : first_; }
  T*& PreviousOf(T* element) { return element != nullptr ? (element->*kLink).previous : last_; }

  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LINKED_LIST_H_

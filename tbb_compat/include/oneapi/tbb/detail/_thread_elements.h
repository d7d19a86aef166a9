// ThreadElements: an element for each thread that has one, which finds it, and all of them in the
// order in which they came, also while others come.
//
// What enumerable_thread_specific is made of. The elements are its user's. Any thread calls Find,
// Insert, Size and operator[]; the rest is for one thread alone.
//
// Memory comes from the allocator only, and while no lock is held: operator new may be the
// program's own, and ask for an element. No child of fork() finds the lock held (_growth_lock.h).
//
// Memory ordering: who finds an element, or sees that there are so many, sees what was done before
// it was inserted (V1, and M1 of the pool).
#ifndef FILCH_TBB_COMPAT_DETAIL_THREAD_ELEMENTS_H_
#define FILCH_TBB_COMPAT_DETAIL_THREAD_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "_config.h"
#include "_growing_list.h"
#include "_growth_lock.h"
#include "filch/pool/thread_table.h"
#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Element, typename Allocator>
class ThreadElements {
 public:
  ThreadElements() = default;
  ThreadElements(const ThreadElements&) = delete;
  ThreadElements& operator=(const ThreadElements&) = delete;

  // The calling thread's, or null.
  Element* Find() const { return static_cast<Element*>(threads_.Find()); }
  std::size_t Size() const { return list_.Size(); }
  // `index` is less than a size that has been seen.
  Element* operator[](std::size_t index) const { return list_[index]; }

  // That of a thread that has none. Throws what the allocator throws, and then nothing has changed.
  void Insert(std::uintptr_t thread, Element* element) {
    typename List::Room list_room;
    typename Table::Room table_room;
    for (;;) {
      std::size_t count = 0;
      bool fits_list = false;
      bool fits_table = false;
      {
        const std::lock_guard<std::mutex> lock(r1::GrowthLock(this));
        count = Size() + 1;
        fits_list = list_.Use(&list_room, count);
        fits_table = threads_.Use(&table_room, count);
        if (fits_list && fits_table) {
          threads_.Insert(thread, element);
          return list_.Add(element);
        }
      }
      if (!fits_list) list_room = List::MakeRoom(count);
      if (!fits_table) table_room = Table::MakeRoom(count);
    }
  }

  // Room for so many in all. Throws what the allocator throws.
  void Reserve(std::size_t count) {
    list_.Reserve(count);
    threads_.Reserve(count);
  }
  void Swap(ThreadElements& other) {
    threads_.Swap(other.threads_);
    list_.Swap(other.list_);
  }
  // Forgets all.
  void Clear() {
    list_.Clear();
    threads_.Clear();
  }

 private:
  // The lock of a part whose user holds one already.
  struct CallersLock {
    void lock() {}
    void unlock() {}
  };
  // Of the table and the list.
  struct WordMemory {
    using Words = typename std::allocator_traits<Allocator>::template rebind_alloc<std::uintptr_t>;
    static constexpr std::size_t CountFor(std::size_t bytes) {
      return (bytes + sizeof(std::uintptr_t) - 1) / sizeof(std::uintptr_t);
    }
    static void* Allocate(std::size_t bytes) {
      Words words;
      return std::allocator_traits<Words>::allocate(words, CountFor(bytes));
    }
    static void Free(void* memory, std::size_t bytes) {
      Words words;
      std::allocator_traits<Words>::deallocate(words, static_cast<std::uintptr_t*>(memory),
                                               CountFor(bytes));
    }
  };

  using Table = filch::pool_internal::BasicThreadTable<filch::StdAtomics, CallersLock, WordMemory>;
  using List = GrowingList<Element, WordMemory>;

  // Both grow under the lock.
  Table threads_;
  List list_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_THREAD_ELEMENTS_H_

// GrowingList: pointers in the order in which they came, which any thread may look at while
// another one adds more.
//
// What has been added stays at its number. One thread at a time calls Reserve, Use and Add; Size,
// operator[] and MakeRoom are for any thread, meanwhile too; the rest is for one thread alone.
//
// Who takes no memory while it is the one that adds makes room before:
//
//   while (!list.Use(&room, list.Size() + 1)) room = list.MakeRoom(list.Size() + 1);
//
// Memory comes from Memory::Allocate(bytes), which may throw, has the alignment of a pointer,
// and goes back by Memory::Free(memory, bytes). Places that have become too few are kept as long
// as the list, for somebody may be looking at them.
//
// Memory ordering: who sees that there are so many sees what was done before they were added
// (V1).
#ifndef FILCH_TBB_COMPAT_DETAIL_GROWING_LIST_H_
#define FILCH_TBB_COMPAT_DETAIL_GROWING_LIST_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

#include "_config.h"
#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// A model checker brings its own atomics, and fewer places to begin with.
template <typename T, typename Memory, typename Atomics = filch::StdAtomics,
          std::size_t kFirstRoom = 8>
class GrowingList {
  struct Places;
  struct Deletes {
    void operator()(Places* made) const { Places::Delete(made); }
  };

 public:
  // Places that no list uses yet.
  using Room = std::unique_ptr<Places, Deletes>;

  GrowingList() = default;
  ~GrowingList() { Clear(); }
  GrowingList(const GrowingList&) = delete;
  GrowingList& operator=(const GrowingList&) = delete;

  std::size_t Size() const {
    return size_.load(std::memory_order_acquire);  // V1: the pointers
  }
  // `index` is less than a size that has been seen.
  T* operator[](std::size_t index) const {
    Places* const places = places_.load(std::memory_order_acquire);  // V1: what was copied
    return places->pointers()[index];
  }

  // Room for so many in all. If it throws, nothing has changed.
  void Reserve(std::size_t count) {
    Room room;
    if (!Use(&room, count)) Use(&(room = MakeRoom(count)), count);
  }

  // For so many in all.
  static Room MakeRoom(std::size_t count) {
    std::size_t room = kFirstRoom;
    while (room < count) room *= 2;
    return Room(Places::Make(room));
  }
  // Whether there is room for so many in all: there was, or `room` is enough, and is used.
  bool Use(Room* room, std::size_t count) {
    Places* const places = places_.load(std::memory_order_relaxed);  // V1: one thread adds
    if (count <= RoomIn(places)) return true;
    if (count > RoomIn(room->get())) return false;
    Places* const larger = room->release();
    larger->fewer = places;
    const std::size_t size = size_.load(std::memory_order_relaxed);  // V1: one thread adds
    for (std::size_t i = 0; i < size; ++i) larger->pointers()[i] = places->pointers()[i];
    places_.store(larger, std::memory_order_release);  // V1: publishes what was copied
    return true;
  }

  // There is room.
  void Add(T* pointer) {
    const std::size_t size = size_.load(std::memory_order_relaxed);       // V1: one thread adds
    places_.load(std::memory_order_relaxed)->pointers()[size] = pointer;  // V1: one thread adds
    size_.store(size + 1, std::memory_order_release);  // V1: publishes the pointer
  }

  void Swap(GrowingList& other) {
    Exchange(places_, other.places_);
    Exchange(size_, other.size_);
  }

  void Clear() {
    Places::Delete(places_.load(std::memory_order_relaxed));  // V1: one thread alone
    places_.store(nullptr, std::memory_order_relaxed);        // V1: one thread alone
    size_.store(0, std::memory_order_relaxed);                // V1: one thread alone
  }

 private:
  using Pointer = typename Atomics::template Plain<T*>;
  template <typename Value>
  using Atomic = typename Atomics::template Atomic<Value>;

  // The pointers lie behind it.
  struct Places {
    static Places* Make(std::size_t room) {
      static_assert(alignof(Pointer) <= alignof(Places), "the pointers follow");
      auto* const places = ::new (Memory::Allocate(Bytes(room))) Places{room};
      for (std::size_t i = 0; i < room; ++i) {
        ::new (static_cast<void*>(places->pointers() + i)) Pointer;
      }
      return places;
    }
    // With all that were before.
    static void Delete(Places* places) {
      while (places != nullptr) {
        Places* const fewer = places->fewer;
        const std::size_t room = places->room;
        for (std::size_t i = 0; i < room; ++i) places->pointers()[i].~Pointer();
        places->~Places();
        Memory::Free(places, Bytes(room));
        places = fewer;
      }
    }
    static constexpr std::size_t Bytes(std::size_t room) {
      return sizeof(Places) + room * sizeof(Pointer);
    }
    Pointer* pointers() { return reinterpret_cast<Pointer*>(this + 1); }

    const std::size_t room;
    Places* fewer = nullptr;
  };
  static std::size_t RoomIn(const Places* places) { return places == nullptr ? 0 : places->room; }

  template <typename Value>
  static void Exchange(Atomic<Value>& a, Atomic<Value>& b) {
    const Value value = a.load(std::memory_order_relaxed);                  // V1: one thread alone
    a.store(b.load(std::memory_order_relaxed), std::memory_order_relaxed);  // V1: one thread alone
    b.store(value, std::memory_order_relaxed);                              // V1: one thread alone
  }

  Atomic<Places*> places_{nullptr};
  Atomic<std::size_t> size_{0};
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_GROWING_LIST_H_

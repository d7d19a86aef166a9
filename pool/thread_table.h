// ThreadTable: finds what belongs to the calling thread, in a table that grows.
//
// What WorkerLocal, and a facade's thread-local containers, are made of.
// Everybody else wants WorkerLocal.
//
// Finding an element that exists takes one or two loads in the usual case and
// never waits.  The table grows and never shrinks while it is used.  A thread
// that is gone may leave its element to a later one.
//
// Memory ordering: a thread that finds an element that another one has noted, for it or in
// its place before it came, sees what that one did before (M1).
#ifndef FILCH_POOL_THREAD_TABLE_H_
#define FILCH_POOL_THREAD_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "filch/topology/fibonacci_hash.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

// Its address tells the living threads apart.  As current_slot: an access is no call, in a
// shared library either.
extern __thread char own_byte __attribute__((tls_model("initial-exec")));

}  // namespace pool_internal

// A number of the calling thread that no other living thread has; not 0.
inline std::uintptr_t ThreadNumber() {
  return reinterpret_cast<std::uintptr_t>(&pool_internal::own_byte);
}

namespace pool_internal {

// Where a table lies.
struct NewMemory {
  static void* Allocate(std::size_t bytes) { return ::operator new(bytes); }
  static void Free(void* memory, std::size_t) { ::operator delete(memory); }
};

// A model checker brings its own atomics and lock, and a small first table; who may be asked for
// an element by the program's operator new brings other memory, with the alignment of a pointer.
template <typename Atomics = StdAtomics, typename Mutex = std::mutex, typename Memory = NewMemory,
          std::size_t kFirstSize = 8>
class BasicThreadTable {
  struct Table;
  struct Deletes {
    void operator()(Table* made) const { Table::Delete(made); }
  };

 public:
  // A table that is not used yet.
  using Room = std::unique_ptr<Table, Deletes>;

  BasicThreadTable() = default;
  ~BasicThreadTable() { Table::Delete(table_.load(std::memory_order_relaxed)); }  // M1: one thread
  BasicThreadTable(const BasicThreadTable&) = delete;
  BasicThreadTable& operator=(const BasicThreadTable&) = delete;

  // The element of the calling thread, or null.  Any thread.
  void* Find() const { return FindFor(ThreadNumber()); }
  // The same of the thread with this number, which is the caller.
  void* FindFor(std::uintptr_t thread) const {
    const Table* const table = table_.load(std::memory_order_acquire);  // M1: its entries
    if (table == nullptr) return nullptr;
    for (std::size_t i = table->First(thread);; i = (i + 1) & (table->size - 1)) {
      const std::uintptr_t found =
          table->entries()[i].thread.load(std::memory_order_acquire);  // M1: its element
      if (__builtin_expect(found == thread, 1)) {
        return table->entries()[i].element.load(std::memory_order_relaxed);  // M1: after its thread
      }
      if (found == 0) return nullptr;
    }
  }

  // Notes the element of a thread that has none.  Throws what Memory throws, and then it has
  // not.  Any thread.
  void Insert(std::uintptr_t thread, void* element) {
    const std::lock_guard<Mutex> lock(mutex_);
    Room room;
    if (!UseLocked(&room, count_ + 1)) UseLocked(&(room = MakeRoom(count_ + 1)), count_ + 1);
    // M1: written under the mutex
    table_.load(std::memory_order_relaxed)->Insert(thread, element);
    ++count_;
  }

  // Room for so many elements in all.  Throws what Memory throws, and then nothing has changed.
  // Any thread.
  void Reserve(std::size_t elements) {
    Room room;
    if (elements != 0 && !Use(&room, elements)) Use(&(room = MakeRoom(elements)), elements);
  }

  // For so many elements in all: to insert without a need for memory.  Throws what Memory throws.
  // Any thread.
  static Room MakeRoom(std::size_t elements) {
    std::size_t size = kFirstSize;
    while (!IsRoomFor(elements, size)) size *= 2;
    return Room(Table::Make(size));
  }
  // Whether there is room for so many elements in all: there was, or `room` is enough, and is
  // used.  Any thread.
  bool Use(Room* room, std::size_t elements) {
    const std::lock_guard<Mutex> lock(mutex_);
    return UseLocked(room, elements);
  }

  // Not at the same time as anything else.
  void Swap(BasicThreadTable& other) {
    Table* const table = table_.load(std::memory_order_relaxed);  // M1: one thread
    table_.store(other.table_.load(std::memory_order_relaxed), std::memory_order_relaxed);  // M1
    other.table_.store(table, std::memory_order_relaxed);                                   // M1
    std::swap(count_, other.count_);
  }

  // Forgets all.  Not at the same time as anything else.
  void Clear() {
    Table::Delete(table_.load(std::memory_order_relaxed));  // M1: one thread
    table_.store(nullptr, std::memory_order_relaxed);       // M1: one thread
    count_ = 0;
  }

 private:
  struct Entry {
    typename Atomics::template Atomic<std::uintptr_t> thread{0};
    typename Atomics::template Atomic<void*> element{nullptr};
  };

  // A table and its entries are one allocation: the thread-local containers of a short
  // algorithm have one table each.
  struct Table {
    // `size` empty entries.  Throws what Memory throws.
    static Table* Make(std::size_t size) {
      static_assert(alignof(Entry) <= alignof(Table) && alignof(Table) <= alignof(void*),
                    "the entries follow the table, in memory with the alignment of a pointer");
      void* const memory = Memory::Allocate(Bytes(size));
      auto* const table = ::new (memory) Table{size, __builtin_ctzll(size)};
      for (std::size_t i = 0; i < size; ++i) ::new (static_cast<void*>(table->entries() + i)) Entry;
      return table;
    }

    // With all the smaller ones.
    static void Delete(Table* table) {
      while (table != nullptr) {
        Table* const smaller = table->smaller;
        const std::size_t bytes = Bytes(table->size);
        for (std::size_t i = 0; i < table->size; ++i) table->entries()[i].~Entry();
        table->~Table();
        Memory::Free(table, bytes);
        table = smaller;
      }
    }

    static constexpr std::size_t Bytes(std::size_t size) {
      return sizeof(Table) + size * sizeof(Entry);
    }

    Entry* entries() { return reinterpret_cast<Entry*>(this + 1); }
    const Entry* entries() const { return reinterpret_cast<const Entry*>(this + 1); }

    std::size_t First(std::uintptr_t thread) const { return FibonacciIndex(thread, bits); }
    void Insert(std::uintptr_t thread, void* element) {
      std::size_t i = First(thread);
      // M1: the mutex orders the writers.
      while (entries()[i].thread.load(std::memory_order_relaxed) != 0) i = (i + 1) & (size - 1);
      entries()[i].element.store(element, std::memory_order_relaxed);  // M1: before its thread
      entries()[i].thread.store(thread, std::memory_order_release);    // M1: publishes the element
    }

    const std::size_t size;    // a power of two, from 2 on
    const int bits;            // of an index
    Table* smaller = nullptr;  // which is still read
  };

  static bool IsRoomFor(std::size_t elements, std::size_t size) { return 2 * elements <= size; }
  static bool IsRoomFor(std::size_t elements, const Table* table) {
    return table != nullptr && IsRoomFor(elements, table->size);
  }

  // Use, with the mutex.
  bool UseLocked(Room* room, std::size_t elements) {
    Table* const table = table_.load(std::memory_order_relaxed);  // M1: written under the mutex
    if (IsRoomFor(elements, table)) return true;
    if (!IsRoomFor(elements, room->get())) return false;
    Table* const larger = room->release();
    larger->smaller = table;
    for (std::size_t i = 0; table != nullptr && i < table->size; ++i) {
      const Entry& entry = table->entries()[i];
      const std::uintptr_t thread = entry.thread.load(std::memory_order_relaxed);  // M1: locked
      if (thread == 0) continue;
      larger->Insert(thread, entry.element.load(std::memory_order_relaxed));  // M1: locked
    }
    table_.store(larger, std::memory_order_release);  // M1: publishes the entries
    return true;
  }

  typename Atomics::template Atomic<Table*> table_{nullptr};
  Mutex mutex_;  // the rest
  std::size_t count_ = 0;
};

}  // namespace pool_internal

using ThreadTable = pool_internal::BasicThreadTable<>;

}  // namespace filch

#endif  // FILCH_POOL_THREAD_TABLE_H_

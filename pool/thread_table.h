// ThreadTable: finds what belongs to the calling thread, in a table that grows.
//
// What WorkerLocal, and a facade's thread-local containers, are made of.
// Everybody else wants WorkerLocal.
//
// Finding an element that exists takes one or two loads in the usual case and
// never waits.  The table grows and never shrinks while it is used.  A thread
// that is gone may leave its element to a later one.
//
// Memory ordering: an element is found by its own thread alone, so only the
// table itself is published.
#ifndef FILCH_POOL_THREAD_TABLE_H_
#define FILCH_POOL_THREAD_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace filch {

// A number of the calling thread that no other living thread has; not 0.
std::uintptr_t ThreadNumber();

class ThreadTable {
 public:
  ThreadTable() = default;
  ThreadTable(const ThreadTable&) = delete;
  ThreadTable& operator=(const ThreadTable&) = delete;

  // The element of the calling thread, or null.  Any thread.
  void* Find() const { return FindFor(ThreadNumber()); }

  // Notes the element of a thread that has none.  Throws std::bad_alloc, and then
  // it has not.  Any thread.
  void Insert(std::uintptr_t thread, void* element) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Table* table = table_.load(std::memory_order_relaxed);  // M1: written under the mutex
    if (table == nullptr || 2 * (count_ + 1) > table->size) table = Grow(table);
    table->Insert(thread, element);
    ++count_;
  }

  // Not at the same time as anything else.
  void Swap(ThreadTable& other) {
    Table* const table = table_.load(std::memory_order_relaxed);  // M1: one thread
    table_.store(other.table_.load(std::memory_order_relaxed), std::memory_order_relaxed);  // M1
    other.table_.store(table, std::memory_order_relaxed);                                   // M1
    tables_.swap(other.tables_);
    std::swap(count_, other.count_);
  }

  // Forgets all.  Not at the same time as anything else.
  void Clear() {
    table_.store(nullptr, std::memory_order_relaxed);  // M1: one thread
    tables_.clear();
    count_ = 0;
  }

 private:
  struct Entry {
    std::atomic<std::uintptr_t> thread{0};
    std::atomic<void*> element{nullptr};
  };

  struct Table {
    explicit Table(std::size_t a_size) : size(a_size), entries(new Entry[a_size]) {}

    std::size_t First(std::uintptr_t thread) const {
      // Fibonacci hashing; the size is a power of two.
      return static_cast<std::size_t>((std::uint64_t{thread} * 0x9E3779B97F4A7C15u) >> 32) &
             (size - 1);
    }
    void Insert(std::uintptr_t thread, void* element) {
      std::size_t i = First(thread);
      while (entries[i].thread.load(std::memory_order_relaxed) != 0) i = (i + 1) & (size - 1);
      entries[i].element.store(element, std::memory_order_relaxed);
      entries[i].thread.store(thread, std::memory_order_release);  // M1: publishes the element
    }

    const std::size_t size;
    const std::unique_ptr<Entry[]> entries;
  };

  // A table of twice the size with the same entries.
  Table* Grow(const Table* table) {
    auto larger = std::make_unique<Table>(table == nullptr ? 8 : 2 * table->size);
    for (std::size_t i = 0; table != nullptr && i < table->size; ++i) {
      const std::uintptr_t thread = table->entries[i].thread.load(std::memory_order_relaxed);
      if (thread != 0) {
        larger->Insert(thread, table->entries[i].element.load(std::memory_order_relaxed));
      }
    }
    tables_.push_back(std::move(larger));                           // the old ones are still read
    table_.store(tables_.back().get(), std::memory_order_release);  // M1: publishes the entries
    return tables_.back().get();
  }

  void* FindFor(std::uintptr_t thread) const {
    const Table* const table = table_.load(std::memory_order_acquire);  // M1: its entries
    if (table == nullptr) return nullptr;
    for (std::size_t i = table->First(thread);; i = (i + 1) & (table->size - 1)) {
      const std::uintptr_t found =
          table->entries[i].thread.load(std::memory_order_acquire);  // M1: its element
      if (found == thread) return table->entries[i].element.load(std::memory_order_relaxed);
      if (found == 0) return nullptr;
    }
  }

  std::atomic<Table*> table_{nullptr};
  std::mutex mutex_;  // the rest
  std::vector<std::unique_ptr<Table>> tables_;
  std::size_t count_ = 0;
};

}  // namespace filch

#endif  // FILCH_POOL_THREAD_TABLE_H_

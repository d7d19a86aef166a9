// One thread makes tasks and others run and free them, without end: the memory of
// tasks comes back to the one who makes them.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <thread>

#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

// Bytes that were ever asked for with an alignment, as slabs of tasks are.
std::atomic<std::size_t> aligned_bytes{0};

TEST(BoundedMemoryTest, OneProducerAndManyConsumers) {
  constexpr int kTasks = 30000;
  constexpr int kOutstanding = 100;
  Pool pool(OfThreads(4));
  const std::size_t before = aligned_bytes.load();
  pool.Execute([&] {
    std::atomic<int> run{0};
    TaskGroup group;
    for (int i = 0; i < kTasks; ++i) {
      group.Run([&run] { run.fetch_add(1, std::memory_order_relaxed); });
      // This thread runs none of them.
      while (i - run.load(std::memory_order_relaxed) > kOutstanding) {
        std::this_thread::yield();
      }
    }
    while (run.load() < kTasks) std::this_thread::yield();
    group.Wait();
  });
  // Each slot keeps a few batches; one block for each task would be 100 times that.
  EXPECT_LT(aligned_bytes.load() - before, std::size_t{kTasks} * 64 / 10);
}

}  // namespace
}  // namespace filch

// Not inlined: a compiler that sees through one of a pair takes it for the other's
// mismatch.
__attribute__((noinline)) void* operator new(std::size_t size, std::align_val_t alignment) {
  filch::aligned_bytes.fetch_add(size, std::memory_order_relaxed);
  const auto align = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(align, (size + align - 1) / align * align);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::size_t,
                                               std::align_val_t) noexcept {
  std::free(memory);
}

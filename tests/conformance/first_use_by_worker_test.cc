// The first use of the allocators and of loops by a worker, while the thread that waits for it is
// in the loader: a program of its own, for there is one first use in a process.
#define TBB_PREVIEW_MEMORY_POOL 1
#include <dlfcn.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/info.h>
#include <tbb/memory_pool.h>
#include <tbb/parallel_for.h>
#include <tbb/scalable_allocator.h>
#include <tbb/task_group.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace {

void* of_worker = nullptr;
void* of_pool = nullptr;
std::atomic<int> units{0};
bool was_called = false;

}  // namespace

// With the loader's lock.
extern "C" void WhileLoading() {
  was_called = true;
  if (tbb::info::default_concurrency() < 2) return;
  std::atomic<bool> is_done{false};
  tbb::memory_pool<tbb::scalable_allocator<char>> pool;
  tbb::task_group group;
  group.run([&] {
    of_worker = scalable_malloc(100);
    tbb::cache_aligned_allocator<int> allocator;
    allocator.deallocate(allocator.allocate(10), 10);
    of_pool = pool.malloc(100);
    tbb::parallel_for(0, 10, [](int) { ++units; });
    is_done = true;
  });
  // This thread does not run it.
  while (!is_done) std::this_thread::yield();
  group.wait();
}

namespace {

TEST(FirstUseByWorkerTest, MayBeWhileAConstructorOfALibraryWaitsForIt) {
  if (tbb::info::default_concurrency() < 2) GTEST_SKIP() << "There is no worker.";
  void* const library = dlopen("tests/conformance/liballocating_plugin.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  ASSERT_TRUE(was_called);
  ASSERT_NE(of_worker, nullptr);
  EXPECT_NE(of_pool, nullptr);
  EXPECT_EQ(units.load(), 10);
  EXPECT_GE(scalable_msize(of_worker), 100u);
  scalable_free(of_worker);
}

}  // namespace

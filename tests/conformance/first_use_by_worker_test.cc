// The first use of the allocators by a worker, while the thread that waits for it is in the loader:
// a program of its own, for there is one first use in a process.
#include <dlfcn.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/info.h>
#include <tbb/scalable_allocator.h>
#include <tbb/task_group.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace {

void* of_worker = nullptr;
bool was_called = false;

}  // namespace

// With the loader's lock.
extern "C" void WhileLoading() {
  was_called = true;
  if (tbb::info::default_concurrency() < 2) return;
  std::atomic<bool> is_done{false};
  tbb::task_group group;
  group.run([&is_done] {
    of_worker = scalable_malloc(100);
    tbb::cache_aligned_allocator<int> allocator;
    allocator.deallocate(allocator.allocate(10), 10);
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
  EXPECT_GE(scalable_msize(of_worker), 100u);
  scalable_free(of_worker);
}

}  // namespace

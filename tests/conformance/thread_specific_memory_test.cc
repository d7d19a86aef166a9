// The program's operator new may use an enumerable_thread_specific, or a combinable.
#include <tbb/combinable.h>
#include <tbb/enumerable_thread_specific.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <new>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "replaced_new.h"

namespace {

tbb::enumerable_thread_specific<long> allocations;
tbb::combinable<long> bytes_allocated;
thread_local bool counts = false;

// Calls f on threads that live all at once: one that is gone may leave its object to another.
template <typename F>
void OnThreads(int count, const F& f) {
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      f();
      ++done;
      while (done < count) std::this_thread::yield();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ThreadSpecificMemoryTest, NewAsksForTheObjectsOfTheThread) {
  constexpr int kThreads = 20;
  constexpr std::size_t kBytes = 100;
  OnThreads(kThreads, [] {
    counts = true;
    for (int i = 0; i < 10; ++i) ::operator delete(::operator new(kBytes));
    counts = false;
  });
  EXPECT_EQ(allocations.size(), std::size_t{kThreads});
  EXPECT_EQ(allocations.combine(std::plus<long>()), kThreads * 10);
  EXPECT_EQ(bytes_allocated.combine(std::plus<long>()), kThreads * 10 * long{kBytes});
}

TEST(ThreadSpecificMemoryTest, NewAsksWhileAnObjectIsAdded) {
  tbb::enumerable_thread_specific<int> others;
  allocations.clear();
  OnThreads(20, [&others] {
    counts = true;
    others.local() = 1;
    counts = false;
  });
  EXPECT_EQ(others.size(), 20u);
  EXPECT_TRUE(allocations.empty());  // what local() takes is not from new
}

}  // namespace

void BeforeAllocation(std::size_t bytes) {
  if (!counts) return;
  ++allocations.local();
  bytes_allocated.local() += static_cast<long>(bytes);
}

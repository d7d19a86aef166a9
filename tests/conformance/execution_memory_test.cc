// Memory stays flat however often a parallel algorithm of libstdc++ runs.
//
// With libstdc++ 12 most tasks of a sort or a merge destroy themselves and are
// never deallocated; the TBB underneath has to notice.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <execution>
#include <new>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/execution_data.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

std::atomic<std::ptrdiff_t> bytes_in_use{0};

void* Allocate(std::size_t bytes, std::size_t alignment) {
  void* const memory =
      std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  bytes_in_use += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  return memory;
}

void Free(void* memory) {
  if (memory == nullptr) return;
  bytes_in_use -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }

namespace {

using execution_data::Random;
using std::execution::par;

class ExecutionMemoryTest : public ParallelismTest {
 protected:
  // The largest number of bytes by which the program grows while f runs often,
  // what all the threads' caches may hold being there already.
  template <typename F>
  static std::ptrdiff_t Growth(const F& f) {
    for (int i = 0; i < kRuns / 10; ++i) f();
    const std::ptrdiff_t before = bytes_in_use;
    std::ptrdiff_t most = before;
    for (int i = 0; i < kRuns; ++i) {
      f();
      most = std::max(most, bytes_in_use.load());
    }
    return most - before;
  }

  // A run that leaves its tasks behind leaves 10 KiB at least.
  static constexpr int kRuns = EXECUTION_MEMORY_TEST_RUNS;
  static constexpr std::ptrdiff_t kCaches = 512 << 10;
  static_assert(kRuns * (10 << 10) > 2 * kCaches);
};

TEST_P(ExecutionMemoryTest, Sort) {
  const std::vector<int> data = Random(20'000, 1 << 30, 1);
  std::vector<int> a = data;
  EXPECT_LT(Growth([&] {
              a = data;
              std::sort(par, a.begin(), a.end());
            }),
            kCaches);
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
}

// A comparison whose tasks fit into no block of the caches.
TEST_P(ExecutionMemoryTest, SortByLargeFunctor) {
  struct Less {
    char ballast[600] = {};
    bool operator()(int a, int b) const { return a < b; }
  };
  const std::vector<int> data = Random(20'000, 1 << 30, 2);
  std::vector<int> a = data;
  EXPECT_LT(Growth([&] {
              a = data;
              std::sort(par, a.begin(), a.end(), Less());
            }),
            kCaches);
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
}

TEST_P(ExecutionMemoryTest, Merge) {
  std::vector<int> one = Random(100'000, 1 << 30, 3);
  std::vector<int> other = Random(100'000, 1 << 30, 4);
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  std::vector<int> a(one.size() + other.size());
  EXPECT_LT(Growth([&] {
              std::merge(par, one.begin(), one.end(), other.begin(), other.end(), a.begin());
            }),
            kCaches);
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
}

INSTANTIATE_TEST_SUITE_P(Limits, ExecutionMemoryTest, kLimits);

}  // namespace

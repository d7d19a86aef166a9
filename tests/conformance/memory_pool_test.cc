#define TBB_PREVIEW_MEMORY_POOL 1
#include <tbb/memory_pool.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace {

static_assert(!std::is_copy_constructible_v<tbb::fixed_pool>);

// What the pools in a test have of the program's memory.
std::ptrdiff_t outstanding = 0;

template <typename T>
class CountingAllocator {
 public:
  using value_type = T;
  CountingAllocator() = default;
  template <typename U>
  CountingAllocator(const CountingAllocator<U>&) {}

  T* allocate(std::size_t n) {
    outstanding += static_cast<std::ptrdiff_t>(n);
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) {
    outstanding -= static_cast<std::ptrdiff_t>(n);
    std::allocator<T>().deallocate(memory, n);
  }
};

template <typename Pool>
void BlocksAreDistinctAndAligned(Pool& pool) {
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (std::size_t size = 1; size <= 2000; size += 37) {
    auto* const block = static_cast<unsigned char*>(pool.malloc(size));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(double), 0u);
    std::memset(block, static_cast<int>(size % 251), size);
    blocks.emplace_back(block, size);
  }
  for (const auto& [block, size] : blocks) {
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(block[i], size % 251);
    pool.free(block);
  }
  pool.free(nullptr);
}

TEST(MemoryPoolTest, HandsOutBlocks) {
  tbb::memory_pool<std::allocator<char>> pool;
  BlocksAreDistinctAndAligned(pool);
  BlocksAreDistinctAndAligned(pool);
}

TEST(MemoryPoolTest, ReallocKeepsTheContents) {
  tbb::memory_pool<std::allocator<char>> pool;
  auto* text = static_cast<char*>(pool.realloc(nullptr, 6));
  std::strcpy(text, "filch");
  text = static_cast<char*>(pool.realloc(text, 5000));
  EXPECT_STREQ(text, "filch");
  text = static_cast<char*>(pool.realloc(text, 6));
  EXPECT_STREQ(text, "filch");
  EXPECT_EQ(pool.realloc(text, 0), nullptr);
}

TEST(MemoryPoolTest, GivesEverythingBackAtItsEnd) {
  outstanding = 0;
  {
    tbb::memory_pool<CountingAllocator<double>> pool;
    for (int i = 0; i < 1000; ++i) ASSERT_NE(pool.malloc(100), nullptr);
    ASSERT_NE(pool.malloc(1000000), nullptr);
    EXPECT_GT(outstanding, 0);
  }
  EXPECT_EQ(outstanding, 0);
}

// As programs have them that know nothing but malloc.
struct UntypedAllocator {
  using value_type = char;
  void* allocate(std::size_t bytes) { return std::malloc(bytes); }
  void deallocate(void* memory, std::size_t) { std::free(memory); }
};

TEST(MemoryPoolTest, ItsMemoryMayHaveNoType) {
  tbb::memory_pool<UntypedAllocator> pool;
  void* const block = pool.malloc(100);
  ASSERT_NE(block, nullptr);
  pool.free(block);
}

TEST(MemoryPoolTest, RecycledMemoryIsUsedAgain) {
  outstanding = 0;
  tbb::memory_pool<CountingAllocator<char>> pool;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 1000; ++i) ASSERT_NE(pool.malloc(1000), nullptr);
    pool.recycle();
  }
  EXPECT_LT(outstanding, 10 * 1000 * 1000);
}

TEST(MemoryPoolTest, ServesThreads) {
  tbb::memory_pool<std::allocator<char>> pool;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 2000; ++i) {
        auto* const block = static_cast<int*>(pool.malloc(sizeof(int) * 10));
        for (int k = 0; k < 10; ++k) block[k] = t;
        for (int k = 0; k < 10; ++k) EXPECT_EQ(block[k], t);
        pool.free(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(MemoryPoolTest, ContainersLiveOnIt) {
  tbb::memory_pool<std::allocator<char>> pool;
  using Allocator = tbb::memory_pool_allocator<std::string>;
  std::list<std::string, Allocator> words{Allocator(pool)};
  for (int i = 0; i < 1000; ++i) words.push_back(std::to_string(i));
  EXPECT_EQ(words.back(), "999");
  const tbb::memory_pool_allocator<int> other(words.get_allocator());
  EXPECT_TRUE(other == words.get_allocator());
  tbb::memory_pool<std::allocator<char>> second;
  EXPECT_TRUE(tbb::memory_pool_allocator<int>(second) != other);
  std::vector<int, tbb::memory_pool_allocator<int>> numbers(100, 7, other);
  EXPECT_EQ(numbers[99], 7);
}

TEST(MemoryPoolTest, ItsAllocatorHasTheMembersOfOldAllocators) {
  using Allocator = tbb::memory_pool_allocator<std::string>;
  static_assert(std::is_same_v<Allocator::reference, std::string&>);
  static_assert(std::is_same_v<Allocator::const_reference, const std::string&>);
  static_assert(std::is_class_v<tbb::memory_pool_allocator<void>::pool_type>);
  tbb::memory_pool<std::allocator<char>> pool;
  Allocator allocator(pool);
  std::string* const word = allocator.allocate(1);
  allocator.construct(word, 3u, 'x');
  EXPECT_EQ(*word, "xxx");
  EXPECT_EQ(allocator.address(*word), word);
  EXPECT_EQ(allocator.address(std::as_const(*word)), word);
  allocator.destroy(word);
  allocator.deallocate(word, 1);
  EXPECT_GE(allocator.max_size(), std::size_t{1} << 40);
  EXPECT_THROW(static_cast<void>(allocator.allocate(allocator.max_size())), std::bad_alloc);
}

TEST(FixedPoolTest, StaysInItsBufferAndEnds) {
  std::vector<char> buffer(1 << 20);
  tbb::fixed_pool pool(buffer.data(), buffer.size());
  BlocksAreDistinctAndAligned(pool);
  std::set<void*> blocks;
  for (;;) {
    void* const block = pool.malloc(1000);
    if (block == nullptr) break;
    EXPECT_GE(static_cast<char*>(block), buffer.data());
    EXPECT_LE(static_cast<char*>(block) + 1000, buffer.data() + buffer.size());
    EXPECT_TRUE(blocks.insert(block).second);
  }
  EXPECT_GT(blocks.size(), 100u);
  for (void* const block : blocks) pool.free(block);
  EXPECT_NE(pool.malloc(1000), nullptr);
  pool.recycle();
  EXPECT_NE(pool.malloc(100000), nullptr);
}

TEST(FixedPoolTest, AnAllocatorOnAFullOneThrows) {
  std::vector<char> buffer(1 << 16);
  tbb::fixed_pool pool(buffer.data(), buffer.size());
  tbb::memory_pool_allocator<int> allocator(pool);
  EXPECT_THROW(static_cast<void>(allocator.allocate(1 << 20)), std::bad_alloc);
}

TEST(FixedPoolTest, NeedsABuffer) {
  char byte = 0;
  EXPECT_THROW(tbb::fixed_pool(nullptr, 10), std::invalid_argument);
  EXPECT_THROW(tbb::fixed_pool(&byte, 0), std::invalid_argument);
}

}  // namespace

#include <tbb/cache_aligned_allocator.h>
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/scalable_in_c.h"

namespace {

template <typename Allocator>
class AllocatorTest : public testing::Test {};
using Allocators =
    testing::Types<tbb::tbb_allocator<std::string>, tbb::cache_aligned_allocator<std::string>,
                   tbb::scalable_allocator<std::string>>;
TYPED_TEST_SUITE(AllocatorTest, Allocators);

TYPED_TEST(AllocatorTest, ServesContainers) {
  std::vector<std::string, TypeParam> vector;
  std::list<std::string, TypeParam> list;
  for (int i = 0; i < 1000; ++i) {
    vector.push_back(std::to_string(i));
    list.push_back(std::to_string(i));
  }
  EXPECT_EQ(vector.back(), "999");
  EXPECT_EQ(list.front(), "0");
  using Pair = std::pair<const int, int>;
  std::map<int, int, std::less<>,
           typename std::allocator_traits<TypeParam>::template rebind_alloc<Pair>>
      map;
  map[3] = 4;
  EXPECT_EQ(map.at(3), 4);
}

struct Declared;
struct Tree {
  std::vector<Tree, tbb::scalable_allocator<Tree>> children;
};
TYPED_TEST(AllocatorTest, MayBeForATypeThatIsOnlyDeclaredYet) {
  using Rebound = typename std::allocator_traits<TypeParam>::template rebind_alloc<Declared>;
  const Rebound allocator;
  EXPECT_TRUE(allocator == Rebound(allocator));
  Tree tree;
  tree.children.resize(3);
  tree.children[2].children.resize(1);
  EXPECT_EQ(tree.children.size(), 3u);
}

TYPED_TEST(AllocatorTest, AllAreEqual) {
  const TypeParam one;
  const typename std::allocator_traits<TypeParam>::template rebind_alloc<int> other(one);
  EXPECT_TRUE(one == other);
  EXPECT_FALSE(one != other);
  static_assert(std::allocator_traits<TypeParam>::is_always_equal::value);
}

TEST(CacheAlignedAllocatorTest, AlignsToLines) {
  tbb::cache_aligned_allocator<char> allocator;
  for (std::size_t size : {1, 100, 5000}) {
    char* const memory = allocator.allocate(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
    allocator.deallocate(memory, size);
  }
}

TEST(CacheAlignedResourceTest, AlignsToLines) {
  tbb::cache_aligned_resource resource;
  EXPECT_EQ(resource.upstream_resource(), std::pmr::get_default_resource());
  void* const memory = resource.allocate(10, 4);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
  resource.deallocate(memory, 10, 4);
  EXPECT_TRUE(resource.is_equal(tbb::cache_aligned_resource()));
  resource = tbb::cache_aligned_resource(std::pmr::new_delete_resource());
  EXPECT_EQ(resource.upstream_resource(), std::pmr::new_delete_resource());
}

struct alignas(512) Page {
  char bytes[512];
};

TEST(CacheAlignedAllocatorTest, ItsMemoryIsThereWithoutAType) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7000}}) {
    void* const memory = tbb::detail::r1::cache_aligned_allocate(size);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
    std::memset(memory, 1, size);
    tbb::detail::r1::cache_aligned_deallocate(memory);
  }
  tbb::detail::r1::cache_aligned_deallocate(nullptr);
  // Compilers know that nobody has so much.
  const volatile std::size_t too_much = ~std::size_t{0} - 10;
  EXPECT_THROW(tbb::detail::r1::cache_aligned_allocate(too_much), std::bad_alloc);
}

TEST(CacheAlignedAllocatorTest, ATypeMayBeAlignedMore) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB aligns to a cache line, whatever the type";
  tbb::cache_aligned_allocator<Page> allocator;
  Page* const pages = allocator.allocate(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages) % alignof(Page), 0u);
  allocator.deallocate(pages, 3);
}

// Nothing that is written in one piece of memory is seen in another one.
TEST(CacheAlignedAllocatorTest, PiecesOfAllSizesAreApart) {
  tbb::cache_aligned_allocator<unsigned char> allocator;
  constexpr std::size_t kSizes = 600;
  std::vector<unsigned char*> pieces;
  for (std::size_t size = 1; size < kSizes; ++size) {
    pieces.push_back(allocator.allocate(size));
    std::memset(pieces.back(), static_cast<int>(size % 251), size);
  }
  for (std::size_t size = 1; size < kSizes; ++size) {
    unsigned char* const piece = pieces[size - 1];
    EXPECT_EQ(std::count(piece, piece + size, size % 251), static_cast<std::ptrdiff_t>(size));
    allocator.deallocate(piece, size);
  }
}

// Counts what it gave and got back; gives no more alignment than it is asked for.
class CountingResource : public std::pmr::memory_resource {
 public:
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    bytes_ += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t bytes_ = 0;
};

TEST(CacheAlignedResourceTest, GivesBackWhatItTook) {
  CountingResource upstream;
  tbb::cache_aligned_resource resource(&upstream);
  for (const std::size_t alignment : {1, 64, 1024}) {
    void* const memory = resource.allocate(100, alignment);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0u);
    EXPECT_GE(upstream.bytes(), 100u);
    resource.deallocate(memory, 100, alignment);
    EXPECT_EQ(upstream.bytes(), 0u);
  }
}

TEST(ScalableMallocTest, LooksLikeMalloc) {
  void* memory = scalable_malloc(100);
  ASSERT_NE(memory, nullptr);
  EXPECT_GE(scalable_msize(memory), 100u);
  static_cast<char*>(memory)[99] = 7;
  memory = scalable_realloc(memory, 1000);
  EXPECT_EQ(static_cast<char*>(memory)[99], 7);
  scalable_free(memory);
  auto* const zeros = static_cast<char*>(scalable_calloc(10, 10));
  EXPECT_EQ(zeros[99], 0);
  scalable_free(zeros);
  EXPECT_EQ(scalable_aligned_malloc(100, 3), nullptr);
  memory = scalable_aligned_malloc(100, 256);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
  static_cast<char*>(memory)[99] = 7;
  memory = scalable_aligned_realloc(memory, 10000, 512);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 512, 0u);
  EXPECT_EQ(static_cast<char*>(memory)[99], 7);
  scalable_aligned_free(memory);
  EXPECT_NE(tbb::scalable_memory_resource(), nullptr);
  EXPECT_EQ(scalable_allocation_mode(-1, 0), TBBMALLOC_INVALID_PARAM);
}

TEST(ScalableMallocTest, AlignsBlocksOfAllSizes) {
  for (std::size_t alignment = sizeof(void*); alignment <= 4096; alignment *= 2) {
    for (std::size_t power = 1; power <= 8192; power *= 2) {
      for (const std::size_t size : {power, power + power / 2, power + 1}) {
        // Several, for one may be aligned by chance.
        std::vector<void*> blocks;
        for (int i = 0; i < 4; ++i) {
          blocks.push_back(scalable_aligned_malloc(size, alignment));
          void* block = nullptr;
          ASSERT_EQ(scalable_posix_memalign(&block, alignment, size), 0);
          blocks.push_back(block);
          blocks.push_back(
              scalable_aligned_realloc(scalable_malloc(size / 2 + 1), size, alignment));
        }
        for (void* const block : blocks) {
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u)
              << size << " bytes to " << alignment;
          scalable_aligned_free(block);
        }
      }
    }
  }
}

// Templates of programs have members of such types, though nothing is allocated with them.
template <template <typename> class Allocator>
bool CanBeOfNothingAndBack() {
  using OfNothing = typename std::allocator_traits<Allocator<int>>::template rebind_alloc<void>;
  const Allocator<int> numbers;
  const OfNothing nothing(numbers);
  Allocator<int> again(nothing);
  int* const memory = again.allocate(1);
  again.deallocate(memory, 1);
  return memory != nullptr && again == numbers;
}

TEST(AllocatorOfNothingTest, IsMadeFromOneOfSomethingAndBack) {
  EXPECT_TRUE(CanBeOfNothingAndBack<tbb::tbb_allocator>());
  EXPECT_TRUE(CanBeOfNothingAndBack<tbb::cache_aligned_allocator>());
  EXPECT_TRUE(CanBeOfNothingAndBack<tbb::scalable_allocator>());
}

TEST(AllocatorOfConstantsTest, Exists) {
  const tbb::tbb_allocator<const int> first;
  const tbb::cache_aligned_allocator<const int> second;
  EXPECT_TRUE(first == tbb::tbb_allocator<int>());
  EXPECT_TRUE(second == tbb::cache_aligned_allocator<int>());
}

TEST(ScalableMallocTest, ModesThatHoldAnywayAreAccepted) {
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_SET_SOFT_HEAP_LIMIT, 0), TBBMALLOC_OK);
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, 0), TBBMALLOC_OK);
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, 2), TBBMALLOC_INVALID_PARAM);
  EXPECT_EQ(scalable_allocation_mode(100, 0), TBBMALLOC_INVALID_PARAM);
}

TEST(ScalableMallocTest, ACProgramMayCallThem) { EXPECT_EQ(ScalableFunctionsInC(), 0); }

}  // namespace

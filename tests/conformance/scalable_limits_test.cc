// Where there is no memory. A program of its own, because sanitizers end one that asks for
// so much.
#include <tbb/cache_aligned_allocator.h>
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory_resource>
#include <new>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

// Sizes that no machine has; volatile, for compilers know that too.
const volatile std::size_t kTooMuch[] = {
    std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() - 200,
    std::numeric_limits<std::size_t>::max() / 2 + 1,
    std::numeric_limits<std::size_t>::max() / 2 - 200, std::size_t{1} << 60};

TEST(ScalableLimitsTest, TooMuchIsNullAndSaysWhy) {
  for (const std::size_t size : kTooMuch) {
    errno = 0;
    EXPECT_EQ(scalable_malloc(size), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(scalable_calloc(size, 1), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(scalable_aligned_malloc(size, 256), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    void* untouched = &untouched;
    errno = ERANGE;
    EXPECT_EQ(scalable_posix_memalign(&untouched, 256, size), ENOMEM);
    EXPECT_EQ(errno, ERANGE);
    EXPECT_TRUE(kOnOneTbb || untouched == &untouched);  // oneTBB stores null
  }
  const volatile std::size_t many = std::size_t{1} << 33;
  errno = 0;
  EXPECT_EQ(scalable_calloc(many, many), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

// There are addresses for so much, but no memory.
TEST(ScalableLimitsTest, WhatMallocRefusesIsRefused) {
  char* const small = static_cast<char*>(scalable_malloc(100));
  for (int bits = 30; bits < 48; ++bits) {
    const volatile std::size_t size = std::size_t{1} << bits;
    void* const malloced = std::malloc(size);
    std::free(malloced);
    if (malloced != nullptr) continue;
    errno = 0;
    EXPECT_EQ(scalable_malloc(size), nullptr) << "2^" << bits;
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_EQ(scalable_calloc(size / 64, 64), nullptr);
    EXPECT_EQ(scalable_aligned_malloc(size, 64), nullptr);
    EXPECT_EQ(scalable_realloc(small, size), nullptr);
    EXPECT_THROW(static_cast<void>(tbb::cache_aligned_allocator<char>().allocate(size)),
                 std::bad_alloc);
  }
  scalable_free(small);
}

TEST(ScalableLimitsTest, NoBlockIsAlignedToTooMuch) {
  void* memory = nullptr;
  errno = ERANGE;
  EXPECT_EQ(scalable_posix_memalign(&memory, std::size_t{1} << 62, 8), ENOMEM);
  EXPECT_EQ(errno, ERANGE);  // what is returned is enough
  errno = 0;
  EXPECT_EQ(scalable_aligned_malloc(8, std::size_t{1} << 62), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(ScalableLimitsTest, WhatCannotGrowStaysAsItIs) {
  char* const block = static_cast<char*>(scalable_malloc(100));
  char* const aligned = static_cast<char*>(scalable_aligned_malloc(100, 512));
  std::memset(block, 3, 100);
  std::memset(aligned, 4, 100);
  for (const std::size_t size : kTooMuch) {
    errno = 0;
    EXPECT_EQ(scalable_realloc(block, size), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(scalable_aligned_realloc(aligned, size, 512), nullptr);
    EXPECT_EQ(errno, ENOMEM);
  }
  EXPECT_EQ(std::count(block, block + 100, 3), 100);
  EXPECT_EQ(std::count(aligned, aligned + 100, 4), 100);
  scalable_free(block);
  scalable_aligned_free(aligned);
}

TEST(ScalableLimitsTest, AllocatorsThrowForWantOfMemory) {
  for (const std::size_t size : kTooMuch) {
    EXPECT_THROW(static_cast<void>(tbb::tbb_allocator<char>().allocate(size)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(tbb::scalable_allocator<char>().allocate(size)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(tbb::cache_aligned_allocator<char>().allocate(size)),
                 std::bad_alloc);
    std::pmr::memory_resource* const resource = tbb::scalable_memory_resource();
    EXPECT_THROW(static_cast<void>(resource->allocate(size, 8)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(resource->allocate(size, 128)), std::bad_alloc);
  }
}

}  // namespace

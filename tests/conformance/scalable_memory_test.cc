// The C functions of scalable_allocator.h where they are asked for the unusual, and the
// memory of threads that come, go and give each other what they have.
#include <sys/wait.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::uintptr_t Offset(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) & (alignment - 1);
}

// Before main(), and before every other object of this file: the first use of all, which
// loads what it needs.
const int error_after_first_use = [] {
  errno = ERANGE;
  scalable_free(scalable_malloc(10));
  return errno;
}();

TEST(ScalableMemoryTest, TheFirstUseLeavesErrnoAlone) { EXPECT_EQ(error_after_first_use, ERANGE); }

TEST(ScalableMemoryTest, NoBytesAreABlockOrNone) {
  void* const one = scalable_malloc(0);
  void* const two = scalable_malloc(0);
  EXPECT_NE(one, nullptr);
  EXPECT_NE(one, two);
  scalable_free(two);
  EXPECT_EQ(scalable_realloc(one, 0), nullptr);  // and frees it
  scalable_free(nullptr);
  scalable_aligned_free(nullptr);
  void* const none = scalable_realloc(nullptr, 0);  // as scalable_malloc(0)
  EXPECT_NE(none, nullptr);
  scalable_free(none);
  void* const grown = scalable_realloc(nullptr, 10);
  EXPECT_NE(grown, nullptr);
  scalable_free(grown);
  errno = 0;
  EXPECT_EQ(scalable_aligned_malloc(0, 64), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(scalable_aligned_realloc(scalable_aligned_malloc(10, 64), 0, 64), nullptr);
  void* const aligned = scalable_aligned_realloc(nullptr, 0, 64);  // not as scalable_aligned_malloc
  EXPECT_NE(aligned, nullptr);
  EXPECT_EQ(Offset(aligned, 64), 0u);
  scalable_aligned_free(aligned);
  errno = 0;
  EXPECT_EQ(scalable_msize(nullptr), 0u);
  EXPECT_EQ(errno, EINVAL);
}

TEST(ScalableMemoryTest, AlignmentsThatAreNoneAreRefused) {
  for (const std::size_t alignment : {0, 3, 24, 100}) {
    errno = 0;
    EXPECT_EQ(scalable_aligned_malloc(100, alignment), nullptr);
    EXPECT_EQ(errno, EINVAL);
    void* memory = nullptr;
    EXPECT_EQ(scalable_posix_memalign(&memory, alignment, 100), EINVAL);
  }
  void* memory = nullptr;
  EXPECT_EQ(scalable_posix_memalign(&memory, 2, 100), EINVAL);  // less than a pointer's
  EXPECT_EQ(memory, nullptr);
  memory = scalable_aligned_malloc(100, 2);
  EXPECT_NE(memory, nullptr);
  errno = 0;
  EXPECT_EQ(scalable_aligned_realloc(memory, 200, 24), nullptr);
  EXPECT_EQ(errno, EINVAL);
  scalable_aligned_free(memory);
}

TEST(ScalableMemoryTest, AlignsUpTo64MiB) {
  for (std::size_t alignment = 8; alignment <= 64 * kMiB; alignment *= 2) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}, 3 * kMiB}) {
      void* memory = nullptr;
      ASSERT_EQ(scalable_posix_memalign(&memory, alignment, size), 0) << alignment;
      EXPECT_EQ(Offset(memory, alignment), 0u) << alignment << ' ' << size;
      EXPECT_GE(scalable_msize(memory), size);
      std::memset(memory, 5, size);
      scalable_free(memory);
      memory = scalable_aligned_malloc(size, alignment);
      ASSERT_NE(memory, nullptr) << alignment;
      EXPECT_EQ(Offset(memory, alignment), 0u) << alignment << ' ' << size;
      std::memset(memory, 6, size);
      scalable_aligned_free(memory);
    }
  }
}

TEST(ScalableMemoryTest, AlignedBlocksGrowShrinkAndMove) {
  constexpr std::size_t kAlignments[] = {16, 4096, kMiB};
  auto* block = static_cast<unsigned char*>(scalable_aligned_malloc(1000, 64));
  std::memset(block, 7, 1000);
  std::size_t kept = 1000;
  for (const std::size_t size : {5000ul, 100000ul, 2000000ul, 3000ul, 40ul}) {
    for (const std::size_t alignment : kAlignments) {
      block = static_cast<unsigned char*>(scalable_aligned_realloc(block, size, alignment));
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(Offset(block, alignment), 0u) << size << ' ' << alignment;
      kept = std::min(kept, size);
      EXPECT_EQ(std::count(block, block + kept, 7), static_cast<std::ptrdiff_t>(kept));
    }
  }
  // An aligned block is a block like others.
  block = static_cast<unsigned char*>(scalable_realloc(block, 70000));
  EXPECT_EQ(std::count(block, block + kept, 7), static_cast<std::ptrdiff_t>(kept));
  scalable_free(block);
}

TEST(ScalableMemoryTest, ZerosAreZerosAlsoInMemoryThatWasUsed) {
  for (const std::size_t size :
       {std::size_t{16}, std::size_t{1000}, std::size_t{50000}, 2 * kMiB}) {
    for (int round = 0; round < 20; ++round) {
      auto* const zeros = static_cast<unsigned char*>(scalable_calloc(size, 1));
      ASSERT_EQ(std::count(zeros, zeros + size, 0), static_cast<std::ptrdiff_t>(size));
      std::memset(zeros, 0xff, size);
      scalable_free(zeros);
    }
  }
}

TEST(ScalableMemoryTest, ObjectsOfAllSizesAreAlignedLikeOthers) {
  std::vector<void*> blocks;
  for (std::size_t size = 16; size < 3000; size += 8) {
    blocks.push_back(scalable_malloc(size));
    EXPECT_EQ(Offset(blocks.back(), alignof(std::max_align_t)), 0u) << size;
  }
  for (void* const block : blocks) scalable_free(block);
}

TEST(ScalableMemoryTest, CommandsAreKnownOrNot) {
  void* const memory = scalable_malloc(100000);
  scalable_free(memory);
  for (const int command : {TBBMALLOC_CLEAN_ALL_BUFFERS, TBBMALLOC_CLEAN_THREAD_BUFFERS}) {
    const int result = scalable_allocation_command(command, nullptr);
    EXPECT_TRUE(result == TBBMALLOC_OK || result == TBBMALLOC_NO_EFFECT) << result;
    int parameter = 0;
    EXPECT_EQ(scalable_allocation_command(command, &parameter), TBBMALLOC_INVALID_PARAM);
  }
  EXPECT_EQ(scalable_allocation_command(17, nullptr), TBBMALLOC_INVALID_PARAM);
}

TEST(ScalableMemoryTest, TheResourceAlignsAndIsOne) {
  std::pmr::memory_resource* const resource = tbb::scalable_memory_resource();
  EXPECT_EQ(resource, tbb::scalable_memory_resource());
  EXPECT_TRUE(resource->is_equal(*tbb::scalable_memory_resource()));
  EXPECT_FALSE(resource->is_equal(*std::pmr::new_delete_resource()));
  for (std::size_t alignment = 1; alignment <= kMiB; alignment *= 2) {
    for (const std::size_t size : {1, 5, 24, 1000, 70000}) {
      void* const memory = resource->allocate(size, alignment);
      EXPECT_EQ(Offset(memory, alignment), 0u) << size << ' ' << alignment;
      std::memset(memory, 1, size);
      resource->deallocate(memory, size, alignment);
    }
  }
  std::pmr::vector<int> numbers(1000, 7, resource);
  EXPECT_EQ(numbers[999], 7);
}

TEST(ScalableMemoryTest, TheAllocatorSaysAlwaysTheSame) {
  using Allocator = tbb::tbb_allocator<int>;
  const Allocator::malloc_type type = Allocator::allocator_type();
  EXPECT_TRUE(type == Allocator::scalable || type == Allocator::standard);
  std::thread([type] { EXPECT_EQ(Allocator::allocator_type(), type); }).join();
}

// Blocks of many sizes, and what is written in them.
class Blocks {
 public:
  explicit Blocks(unsigned char mark) : mark_(mark) {}

  void Allocate() {
    for (std::size_t size = 8; size <= 600000; size += 1 + size / 3) {
      void* const plain = scalable_malloc(size);
      std::memset(plain, mark_, size);
      blocks_.push_back({plain, size, scalable_free});
      void* const aligned = scalable_aligned_malloc(size, 256);
      std::memset(aligned, mark_, size);
      blocks_.push_back({aligned, size, scalable_aligned_free});
    }
  }
  void CheckAndFree() {
    for (const Block& block : blocks_) {
      const auto* const bytes = static_cast<unsigned char*>(block.memory);
      EXPECT_TRUE(bytes[0] == mark_ && bytes[block.size / 2] == mark_ &&
                  bytes[block.size - 1] == mark_);
      block.free(block.memory);
    }
    blocks_.clear();
  }

 private:
  struct Block {
    void* memory;
    std::size_t size;
    void (*free)(void*);
  };

  const unsigned char mark_;
  std::vector<Block> blocks_;
};

std::size_t ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  unsigned long total = 0;
  unsigned long resident = 0;
  EXPECT_EQ(std::fscanf(file, "%lu %lu", &total, &resident), 2);
  std::fclose(file);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(ScalableMemoryTest, BlocksOutliveTheirThreadsAndAreFreedByOthers) {
  std::size_t after_some = 0;
  for (int round = 0; round < 60; ++round) {
    Blocks left(static_cast<unsigned char>(1 + round % 200));
    std::thread([&] { left.Allocate(); }).join();
    if (round % 2 == 0) {
      left.CheckAndFree();
    } else {
      std::thread([&] { left.CheckAndFree(); }).join();
    }
    if (round == 10) after_some = ResidentBytes();
  }
  // 5 MB come and go in each round.
  EXPECT_LT(ResidentBytes(), after_some + 50 * kMiB);
}

// One thread allocates, another one frees, for long.
TEST(ScalableMemoryTest, MemoryThatPassesThroughStaysFlat) {
  constexpr std::size_t kRounds = 300;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<void*> passed;
  bool full = false;
  std::thread consumer([&] {
    for (std::size_t round = 0; round < kRounds; ++round) {
      std::vector<void*> mine;
      {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return full; });
        mine.swap(passed);
        full = false;
      }
      changed.notify_one();
      for (void* const block : mine) scalable_free(block);
    }
  });
  std::size_t after_some = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<void*> mine;
    for (std::size_t size = 16; size <= 400000; size += 1 + size / 4) {
      mine.push_back(scalable_malloc(size));
      std::memset(mine.back(), 1, size);
    }
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !full; });
    passed = std::move(mine);
    full = true;
    lock.unlock();
    changed.notify_one();
    if (round == 50) after_some = ResidentBytes();
  }
  consumer.join();
  EXPECT_LT(ResidentBytes(), after_some + 50 * kMiB);
}

TEST(ScalableMemoryTest, AChildOfAProgramWithThreadsMayAllocate) {
  Blocks before(9);
  before.Allocate();
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  bool has_allocated = false;
  // Holds memory, and is not there in the child.
  std::thread other([&] {
    Blocks mine(8);
    mine.Allocate();
    std::unique_lock<std::mutex> lock(mutex);
    has_allocated = true;
    changed.notify_one();
    changed.wait(lock, [&] { return over; });
    mine.CheckAndFree();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return has_allocated; });
  }
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    before.CheckAndFree();
    Blocks more(7);
    more.Allocate();
    more.CheckAndFree();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    over = true;
  }
  changed.notify_one();
  other.join();
  before.CheckAndFree();
}

// Made before main() and destroyed after it: what goes wrong there ends the program.
struct Global {
  Global() : numbers(1000, 7) { aligned.resize(500, 8); }
  ~Global() {
    numbers.resize(100000, 9);
    if (numbers[0] != 7 || aligned[499] != 8) std::abort();
  }
  std::vector<int, tbb::scalable_allocator<int>> numbers;
  std::vector<int, tbb::cache_aligned_allocator<int>> aligned;
};
Global global;

TEST(ScalableMemoryTest, ServesGlobalObjects) {
  EXPECT_EQ(global.numbers[999], 7);
  EXPECT_EQ(Offset(global.aligned.data(), 64), 0u);
}

// The same of a thread's objects, when the thread ends.
TEST(ScalableMemoryTest, ServesObjectsOfThreads) {
  for (int round = 0; round < 10; ++round) {
    std::thread([] {
      thread_local Global of_thread;
      EXPECT_EQ(of_thread.numbers[999], 7);
    }).join();
  }
}

}  // namespace

// Huge pages by the environment: a program of its own, for the first use of an allocator looks
// there.
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

// Whether the system was asked for huge pages where `block` lies.
bool HasAskedForHugePages(const void* block) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(block);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') {
      here = begin <= wanted && wanted < end;
    } else if (here && line.rfind("VmFlags:", 0) == 0) {
      return (line + ' ').find(" hg ") != std::string::npos;
    }
  }
  return false;
}

bool IsScalable() {
  return tbb::tbb_allocator<int>::allocator_type() == tbb::tbb_allocator<int>::scalable;
}

// Null, or a block that is written to.
void* Use(std::size_t bytes) {
  void* const block = scalable_malloc(bytes);
  return block == nullptr ? nullptr : std::memset(block, 1, bytes);
}

TEST(HugePagesTest, TheEnvironmentAsksForThem) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "the kernel has none";
  }
  setenv("TBB_MALLOC_USE_HUGE_PAGES", "1", /*overwrite=*/1);
  // What the allocator takes first, and what it has for large blocks.
  for (const std::size_t megabytes : {4, 64}) {
    void* const block = Use(megabytes << 20);
    ASSERT_NE(block, nullptr);
    // oneTBB takes pages of the size, and asks for nothing where those are not set up.
    if (!kOnOneTbb && IsScalable()) {
      EXPECT_TRUE(HasAskedForHugePages(block)) << megabytes;
    }
    scalable_free(block);
  }
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, 0), TBBMALLOC_OK);
  void* const another = Use(std::size_t{4} << 20);
  EXPECT_NE(another, nullptr);
  scalable_free(another);
}

}  // namespace

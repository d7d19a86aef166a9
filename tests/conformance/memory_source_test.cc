#include "filch/tbb_compat/src/memory_source.h"

#include <dlfcn.h>
#include <mimalloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/sanitizers.h"

namespace filch::tbb_compat_internal {
namespace {

// mimalloc's functions are found by their names; they are declared as the table has them.
static_assert(
    std::is_same_v<decltype(MemorySource{&mi_malloc, &mi_calloc, &mi_malloc_aligned, &mi_realloc,
                                         &mi_free, &mi_usable_size, &mi_collect,
                                         &mi_reserve_os_memory, &mi_arena_area, nullptr, true}),
                   MemorySource>);
static_assert(std::is_same_v<decltype(mi_version()), int>);
// An option is a number in the table.
static_assert(std::is_same_v<decltype(&mi_option_set_enabled), void (*)(mi_option_t, bool)> &&
              std::is_same_v<std::underlying_type_t<mi_option_t>, unsigned> &&
              mi_option_large_os_pages == 6);

constexpr char kMimalloc[] = "libmimalloc.so.2";

constexpr bool kSanitized = FILCH_ADDRESS_SANITIZER || FILCH_THREAD_SANITIZER;

// tools/install_packages.sh installs it.
TEST(MemorySourceTest, IsMimallocUnlessASanitizerLooksOn) {
  EXPECT_EQ(MemoryOfLibrary(kMimalloc).scalable, !kSanitized);
  EXPECT_FALSE(SystemMemory().scalable);
}

TEST(MemorySourceTest, IsTheSystemsWithoutAFitLibrary) {
  for (const char* const soname : {"libno_such_allocator.so.2", "libm.so.6"}) {
    const MemorySource source = MemoryOfLibrary(soname);
    EXPECT_FALSE(source.scalable) << soname;
    EXPECT_EQ(source.allocate, SystemMemory().allocate);
    EXPECT_EQ(source.free, SystemMemory().free);
  }
}

// Whatever a thread asks for first. Stands before the tests that allocate, for the library's
// first reserve is made in another way than later ones.
TEST(MemorySourceTest, ServesThreadsThatHaveNotAllocatedYet) {
  const MemorySource source = MemoryOfLibrary(kMimalloc);
  std::thread([&] { source.Reserve(); }).join();
  void* const block = source.allocate(100);
  std::memset(block, 1, 100);
  std::thread([&] { source.GiveBack(true); }).join();
  std::thread([&] { EXPECT_GE(source.usable_size(block), 100u); }).join();
  void* bigger = nullptr;
  std::thread([&] { bigger = source.resize(block, 100000); }).join();
  ASSERT_NE(bigger, nullptr);
  EXPECT_EQ(static_cast<char*>(bigger)[99], 1);
  std::thread([&] { source.free(bigger); }).join();
}

TEST(MemorySourceTest, LeavesTheProgramsMallocAlone) {
  const MemorySource source = MemoryOfLibrary(kMimalloc);
  source.free(source.allocate(100));
  for (const char* const function : {"malloc", "free", "_Znwm"}) {
    Dl_info where{};
    ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, function), &where), 0) << function;
    EXPECT_EQ(std::string(where.dli_fname).find("mimalloc"), std::string::npos) << function;
  }
}

class EachSourceTest : public testing::TestWithParam<bool> {
 protected:
  const MemorySource source_ = GetParam() ? MemoryOfLibrary(kMimalloc) : SystemMemory();
};
INSTANTIATE_TEST_SUITE_P(SystemAndLibrary, EachSourceTest, testing::Bool());

TEST_P(EachSourceTest, GivesWhatIsAskedFor) {
  std::vector<unsigned char*> blocks;
  for (std::size_t size = 0; size < 5000; size += 7) {
    auto* const block = static_cast<unsigned char*>(source_.allocate(size));
    ASSERT_NE(block, nullptr);
    EXPECT_GE(source_.usable_size(block), size);
    std::memset(block, static_cast<int>(size % 251), size);
    blocks.push_back(block);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    unsigned char* const block = blocks[i];
    const auto size = static_cast<std::ptrdiff_t>(7 * i);
    EXPECT_EQ(std::count(block, block + size, 7 * i % 251), size);
    source_.free(block);
  }
  source_.free(nullptr);
  auto* const zeros = static_cast<unsigned char*>(source_.allocate_zeros(30, 100));
  EXPECT_EQ(std::count(zeros, zeros + 3000, 0), 3000);
  source_.free(zeros);
}

TEST_P(EachSourceTest, AlignsAndResizes) {
  for (std::size_t alignment = 1; alignment <= std::size_t{1} << 26; alignment *= 2) {
    auto* block = static_cast<unsigned char*>(source_.allocate_aligned(100, alignment));
    ASSERT_NE(block, nullptr) << alignment;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) & (alignment - 1), 0u) << alignment;
    std::memset(block, 5, 100);
    block = static_cast<unsigned char*>(source_.resize(block, 100000));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(std::count(block, block + 100, 5), 100);
    source_.free(block);
  }
  source_.free(source_.resize(nullptr, 10));
}

// Beyond what mimalloc hands out of its ordinary segments, within its reserve and beyond it.
TEST_P(EachSourceTest, LargeBlocksAreBlocksLikeOthers) {
  source_.Reserve();
  for (const std::size_t mib : {15, 17, 33, 130}) {
    const std::size_t size = mib << 20;
    for (int round = 0; round < 2; ++round) {
      auto* block = static_cast<unsigned char*>(source_.allocate_zeros(size, 1));
      ASSERT_NE(block, nullptr) << mib;
      EXPECT_GE(source_.usable_size(block), size);
      for (std::size_t i = 0; i < size; i += 4096) {
        ASSERT_EQ(block[i], 0) << mib;
        block[i] = 5;
      }
      block = static_cast<unsigned char*>(source_.resize(block, size + (size >> 2)));
      ASSERT_NE(block, nullptr) << mib;
      EXPECT_EQ(block[size - 4096], 5);
      std::thread([&] { source_.free(block); }).join();
    }
  }
}

TEST_P(EachSourceTest, GivesBackWhatIsFree) {
  void* const kept = source_.allocate(1000);
  std::memset(kept, 1, 1000);
  source_.free(source_.allocate(100000));
  source_.GiveBack(false);
  source_.GiveBack(true);
  EXPECT_EQ(static_cast<char*>(kept)[999], 1);
  source_.free(kept);
}

}  // namespace
}  // namespace filch::tbb_compat_internal

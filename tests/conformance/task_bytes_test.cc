// What memory tasks take: a million that one task spawns, and the same again.
#include <tbb/global_control.h>
#include <tbb/task.h>

#include <atomic>
#include <cstddef>

#include "gtest/gtest.h"
#include "replaced_new.h"

namespace {

// Bytes that were ever asked for.
std::atomic<std::size_t> bytes{0};

constexpr std::size_t kTasks = 1000000;

struct Child : tbb::task {
  explicit Child(std::size_t& count) : done(count) {}
  tbb::task* execute() override {
    ++done;
    return nullptr;
  }
  std::size_t& done;
};

struct Parent : tbb::task {
  explicit Parent(std::size_t& count) : done(count) {}
  tbb::task* execute() override {
    set_ref_count(static_cast<int>(kTasks) + 1);
    for (std::size_t i = 0; i < kTasks; ++i) spawn(*new (allocate_child()) Child(done));
    wait_for_all();
    return nullptr;
  }
  std::size_t& done;
};

std::size_t BytesForAMillion() {
  const std::size_t before = bytes;
  std::size_t done = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Parent(done));
  EXPECT_EQ(done, kTasks);
  return bytes - before;
}

TEST(TaskBytesTest, AMillionTasksTakeAHundredAndFortyFourBytesEachAndLeaveThem) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  // 32 of them are asked for and never touched: what is beyond the ends of deques' rings.
  EXPECT_LE(BytesForAMillion(), kTasks * 144);
  // The next million find what these have left.
  EXPECT_LE(BytesForAMillion(), std::size_t{1} << 16);
}

}  // namespace

void BeforeAllocation(std::size_t size) { bytes.fetch_add(size, std::memory_order_relaxed); }

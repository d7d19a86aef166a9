#include <tbb/global_control.h>
#include <tbb/task_scheduler_init.h>

#include <cstddef>
#include <memory>
#include <new>
#include <thread>

#include "gtest/gtest.h"

namespace {

std::size_t Limit() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

TEST(TaskSchedulerInitTest, LimitsTheThreadsWhileItLives) {
  const std::size_t before = Limit();
  {
    const tbb::task_scheduler_init init(3);
    EXPECT_TRUE(init.is_active());
    EXPECT_EQ(Limit(), 3u < before ? 3u : Limit());
    EXPECT_LE(Limit(), 3u);
  }
  EXPECT_EQ(Limit(), before);
}

TEST(TaskSchedulerInitTest, TheFirstOneOfAThreadDecides) {
  const tbb::task_scheduler_init first(2);
  const tbb::task_scheduler_init second(1);
  EXPECT_EQ(Limit(), 2u);
}

TEST(TaskSchedulerInitTest, DefersAutomaticAndTerminates) {
  const std::size_t before = Limit();
  tbb::task_scheduler_init init(tbb::task_scheduler_init::deferred);
  EXPECT_FALSE(init.is_active());
  init.initialize(1);
  EXPECT_TRUE(init.is_active());
  EXPECT_EQ(Limit(), 1u);
  init.terminate();
  EXPECT_FALSE(init.is_active());
  EXPECT_EQ(Limit(), before);
  init.initialize();
  EXPECT_TRUE(init.is_active());
  EXPECT_EQ(Limit(), before);
  EXPECT_TRUE(init.blocking_terminate(std::nothrow));
  init.initialize(1, 1 << 20);
  init.blocking_terminate();
  EXPECT_FALSE(init.is_active());
}

TEST(TaskSchedulerInitTest, EveryThreadMayHaveItsOwn) {
  const tbb::task_scheduler_init here(4);
  std::thread([] {
    const tbb::task_scheduler_init there(1);
    EXPECT_EQ(Limit(), 1u);
  }).join();
  EXPECT_GE(tbb::task_scheduler_init::default_num_threads(), 1);
  EXPECT_EQ(Limit(), 4u);
}

}  // namespace

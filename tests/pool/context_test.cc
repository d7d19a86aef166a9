#include "filch/pool/context.h"

#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>

#include "filch/pool/parallel_for.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

using ContextTest = PoolTest;

TEST(ContextWithoutPoolTest, KeepsTheFirstExceptionForEveryWaitUntilReset) {
  Context context;
  EXPECT_NO_THROW(context.Rethrow());
  context.Capture(std::make_exception_ptr(1));
  context.Capture(std::make_exception_ptr(std::logic_error("later")));
  EXPECT_TRUE(context.IsCancelled());
  for (int i = 0; i < 3; ++i) EXPECT_THROW(context.Rethrow(), int);
  context.Reset();
  EXPECT_FALSE(context.IsCancelled());
  EXPECT_NO_THROW(context.Rethrow());
}

TEST(ContextWithoutPoolTest, WhatItKeepsEndsWithIt) {
  const auto life = std::make_shared<int>(0);
  {
    Context context;
    context.Capture(std::make_exception_ptr(life));
    EXPECT_THROW(context.Rethrow(), std::shared_ptr<int>);
    EXPECT_EQ(life.use_count(), 2);
  }
  EXPECT_EQ(life.use_count(), 1);
}

TEST(ContextWithoutPoolTest, WhoTakesTheExceptionLeavesItCancelled) {
  Context context;
  context.Capture(std::make_exception_ptr(1));
  const std::exception_ptr exception = context.TakeException();
  EXPECT_THROW(std::rethrow_exception(exception), int);
  EXPECT_NO_THROW(context.Rethrow());
  EXPECT_TRUE(context.IsCancelled());
}

TEST(ContextWithoutPoolTest, SaysWhetherItKeepsAnException) {
  Context context;
  context.Cancel();
  EXPECT_FALSE(context.keeps_exception());
  context.Capture(std::make_exception_ptr(1));
  EXPECT_TRUE(context.keeps_exception());
  context.Reset();
  EXPECT_FALSE(context.keeps_exception());
}

TEST(ContextWithoutPoolTest, MayStartWithFpSettings) {
  {
    Context context;
    context.StartWithFpSettings();
    EXPECT_TRUE(pool_internal::SlowDispatch::IsNeeded());
    context.CaptureFpSettings();
    EXPECT_TRUE(context.Cancel());
    EXPECT_FALSE(context.Cancel());
    context.Reset();
    EXPECT_FALSE(context.IsCancelled());
    EXPECT_NE(context.FpSettings(), 0u);
  }
  EXPECT_FALSE(pool_internal::SlowDispatch::IsNeeded());
}

// Loops of several threads in one context, and each of them throws.
TEST_P(ContextTest, EveryLoopThatThrewSaysSo) {
  pool_.Execute([] {
    for (int round = 0; round < 100; ++round) {
      Context context;
      std::atomic<int> threw{0};
      std::atomic<int> silent{0};
      TaskGroup group;
      for (int i = 0; i < 4; ++i) {
        group.Run([&] {
          ParallelForOptions options;
          options.context = &context;
          bool threw_here = false;
          try {
            ParallelFor(
                0, 1,
                [&](int) {
                  threw_here = true;
                  throw std::logic_error("thrown");
                },
                options);
            if (threw_here) ++silent;
          } catch (const std::logic_error&) {
            ++threw;
          }
        });
      }
      group.Wait();
      ASSERT_EQ(silent, 0);
      ASSERT_GE(threw, 1);
    }
  });
}

FILCH_INSTANTIATE_POOL_TEST(ContextTest);

}  // namespace
}  // namespace filch

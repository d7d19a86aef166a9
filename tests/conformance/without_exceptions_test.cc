// Programs that are compiled with -fno-exceptions, and the same with -fno-rtti.
#include "tests/conformance/without_exceptions.h"

#include <gtest/gtest.h>

namespace {

TEST(WithoutExceptionsTest, TheAlgorithmsAnswerRightly) { EXPECT_TRUE(AlgorithmsAnswerRightly()); }

TEST(WithoutExceptionsTest, TasksAnswerRightly) { EXPECT_TRUE(TasksAnswerRightly()); }

TEST(WithoutExceptionsTest, ArenasAnswerRightly) { EXPECT_TRUE(ArenasAnswerRightly()); }

TEST(WithoutExceptionsTest, LocksAndContainersAnswerRightly) {
  EXPECT_TRUE(LocksAndContainersAnswerRightly());
}

TEST(WithoutExceptionsTest, CancellationArrives) { EXPECT_TRUE(CancellationArrives()); }

// There is no handler in the whole program.
void StepByZeroUncaught() noexcept { StepByZero(); }

TEST(WithoutExceptionsDeathTest, WhatTheLibraryThrowsEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(StepByZeroUncaught(), "positive");
}

}  // namespace

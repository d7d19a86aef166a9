// A program whose code is compiled with -fno-exceptions and -fno-rtti.
#include "tests/pool/without_exceptions.h"

#include <gtest/gtest.h>

TEST(WithoutExceptionsTest, JoinsLoopsAndGroupsAgree) { EXPECT_EQ(SumInFourWays(1000), 499500); }

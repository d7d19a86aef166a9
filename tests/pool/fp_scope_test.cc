#include "filch/pool/fp_scope.h"

#include <cfenv>

#include "filch/pool/context.h"
#include "filch/pool/slow_dispatch.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(FpScopeTest, NobodyLooksAtTasksWhileNoContextHasSettings) {
  EXPECT_FALSE(SlowDispatch::IsNeeded());
  {
    Context context;
    EXPECT_EQ(context.FpSettings(), 0u);
    context.CaptureFpSettings();
    context.CaptureFpSettings();
    EXPECT_NE(context.FpSettings(), 0u);
    EXPECT_TRUE(SlowDispatch::IsNeeded());
    context.Cancel();
    context.Reset();
    EXPECT_NE(context.FpSettings(), 0u);
    const Context below(&context);
    EXPECT_EQ(below.FpSettings(), context.FpSettings());
  }
  EXPECT_FALSE(SlowDispatch::IsNeeded());
}

TEST(FpScopeTest, ScopesNest) {
  std::fesetround(FE_UPWARD);
  Context upward;
  upward.CaptureFpSettings();
  std::fesetround(FE_DOWNWARD);
  Context downward;
  downward.CaptureFpSettings();
  std::fesetround(FE_TONEAREST);
  const Context none;
  {
    const FpScope a(&upward);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    {
      const FpScope b(&downward);
      EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
      const FpScope c(&none);
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
      const FpScope d(nullptr);
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    }
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

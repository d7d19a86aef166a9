#include "filch/pool/fp_scope.h"

#include <cfenv>

#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
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
  const Slot& slot = CurrentSlot();
  {
    const FpScope a(&upward, slot);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    {
      const FpScope b(&downward, slot);
      EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
      const FpScope c(&none, slot);
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
      const FpScope d(nullptr, slot);
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    }
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(FpScopeTest, SettingsOfTheArenaHoldOutsideOfAllContexts) {
  std::fesetround(FE_TONEAREST);
  Pool pool;
  std::fesetround(FE_UPWARD);
  Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
  std::fesetround(FE_DOWNWARD);
  ExecuteIn(arena, [] {
    const Slot& slot = CurrentSlot();
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TOWARDZERO);
    {
      const OutermostFpScope scope(slot);
      EXPECT_EQ(std::fegetround(), FE_UPWARD);
    }
    EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
    Context context;
    const ContextScope inside(context);
    const OutermostFpScope scope(slot);
    EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
  });
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  pool.ReleaseArena(arena);
  std::fesetround(FE_TONEAREST);
  // An arena is used again by those who want its settings only.
  Arena& other = pool.AcquireArena({2, 1, Priority::kNormal});
  EXPECT_NE(&other, &arena);
  ExecuteIn(other, [] { EXPECT_EQ(std::fegetround(), FE_TONEAREST); });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

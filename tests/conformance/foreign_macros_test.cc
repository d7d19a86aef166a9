// What Qt, X11 and R leave defined for whoever is included after them.
#include "gtest/gtest.h"

#define slots
#define signals public
#define foreach(variable, container) for (variable : container)
#define Expose 12
#define Below 1
#define DestroyAll 0
#define None 0L
#define Bool int
#define Status int
#define Free(memory) R_chk_free(memory)
#define Calloc(count, type) R_chk_calloc(count, sizeof(type))
#define Realloc(memory, count, type) R_chk_realloc(memory, (count) * sizeof(type))
#ifndef CONFORMANCE_ON_ONETBB
#define emit  // oneTBB stops at it
#endif

#include <tbb/tbb.h>

#include <atomic>
#include <memory_resource>

#include "tests/conformance/without_rtti.h"

namespace {

#define NAME_OF(macro) #macro
#define EXPANSION_OF(macro) NAME_OF(macro)

TEST(ForeignMacrosTest, AreAsTheyWereAndHarmNothing) {
  EXPECT_STREQ(EXPANSION_OF(slots), "");
  EXPECT_STREQ(EXPANSION_OF(signals), "public");
  EXPECT_STREQ(EXPANSION_OF(Expose), "12");
  EXPECT_STREQ(EXPANSION_OF(Free(nothing)), "R_chk_free(nothing)");
  std::atomic<int> ran{0};
  tbb::task_arena arena(2);
  arena.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
  EXPECT_EQ(ran, 100);
}

TEST(WithoutRttiTest, HeadersCompileAndWork) {
  EXPECT_EQ(SumWithoutRtti(100), 4950);
  EXPECT_TRUE(ResourceEqualsItselfWithoutRtti());
}

}  // namespace

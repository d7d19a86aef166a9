#include "filch/pool/expect_work.h"

#include "filch/pool/arena_sources.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

using pool_internal::ArenaSources;
using pool_internal::CurrentSlot;

TEST(ExpectWorkTest, TheNextSearchHearsOfItOnce) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    ArenaSources sources(CurrentSlot(), {});
    EXPECT_FALSE(sources.ExpectsWork());
    ExpectWork();
    EXPECT_TRUE(sources.ExpectsWork());
    EXPECT_FALSE(sources.ExpectsWork());
  });
}

TEST(ExpectWorkTest, WhoComesToTheSlotLaterExpectsNothing) {
  Pool pool(OfThreads(1));
  const pool_internal::Slot* first = nullptr;
  pool.Execute([&] {
    first = &CurrentSlot();
    ExpectWork();
  });
  pool.Execute([&] {
    ASSERT_EQ(&CurrentSlot(), first);
    EXPECT_FALSE(ArenaSources(CurrentSlot(), {}).ExpectsWork());
  });
}

}  // namespace
}  // namespace filch

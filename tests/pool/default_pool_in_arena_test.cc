// The default pool is made by the main thread in an arena of another pool that binds it.  The only
// test of its process.
#include "filch/pool/arena_options.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

TEST(DefaultPoolInArenaTest, APoolHasTheCpusOutsideOfTheArena) {
  ASSERT_TRUE(IsMainThread());
  const CpuSet all = ThisThreadBinding().value();
  Pool pool(OfThreads(1));
  ArenaOptions options;
  options.cpus = {all.First()};
  Arena& arena = pool.AcquireArena(options);
  ExecuteIn(arena, [&] {
    EXPECT_EQ(ThisThreadBinding().value(), options.cpus);
    EXPECT_EQ(DefaultPool().cpus(), all);
    EXPECT_EQ(Pool(OfThreads(2)).cpus(), all);
  });
  pool.ReleaseArena(arena);
}

}  // namespace
}  // namespace filch

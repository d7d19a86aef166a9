#define TBB_PREVIEW_TASK_ARENA_CONSTRAINTS_EXTENSION 1
#include <sched.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace {

// This is about what the process may use, and not about what somebody wishes for.
const int without_wish = unsetenv("FILCH_NUM_THREADS");

int AllowedCpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}

TEST(InfoTest, TheDefaultIsWhatTheProcessMayUse) {
  ASSERT_EQ(without_wish, 0);
  const int concurrency = tbb::info::default_concurrency();
  EXPECT_GE(concurrency, 1);
  EXPECT_LE(concurrency, AllowedCpus());
  EXPECT_EQ(concurrency, tbb::task_arena().max_concurrency());
  EXPECT_EQ(tbb::info::default_concurrency(tbb::task_arena::automatic), concurrency);
}

TEST(InfoTest, NodesShareTheCpus) {
  const std::vector<tbb::numa_node_id> nodes = tbb::info::numa_nodes();
  ASSERT_FALSE(nodes.empty());
  EXPECT_EQ(std::set<int>(nodes.begin(), nodes.end()).size(), nodes.size());
  int sum = 0;
  for (const tbb::numa_node_id node : nodes) {
    const int here = tbb::info::default_concurrency(node);
    EXPECT_GE(here, 1);
    EXPECT_LE(here, tbb::info::default_concurrency());
    sum += here;
  }
  EXPECT_GE(sum, tbb::info::default_concurrency());
}

TEST(InfoTest, KindsOfCoresShareTheCpus) {
  const std::vector<tbb::core_type_id> kinds = tbb::info::core_types();
  ASSERT_FALSE(kinds.empty());
  int sum = 0;
  for (const tbb::core_type_id kind : kinds) {
    const int here =
        tbb::info::default_concurrency(tbb::task_arena::constraints{}.set_core_type(kind));
    EXPECT_GE(here, 1);
    sum += here;
  }
  EXPECT_GE(sum, tbb::info::default_concurrency());
}

TEST(InfoTest, ConstraintsAreSetOneByOne) {
  tbb::task_arena::constraints wanted;
  EXPECT_EQ(wanted.numa_id, -1);
  EXPECT_EQ(wanted.max_concurrency, -1);
  EXPECT_EQ(wanted.core_type, -1);
  EXPECT_EQ(wanted.max_threads_per_core, -1);
  wanted.set_numa_id(3).set_max_concurrency(5).set_core_type(1).set_max_threads_per_core(2);
  EXPECT_EQ(wanted.numa_id, 3);
  EXPECT_EQ(wanted.max_concurrency, 5);
  EXPECT_EQ(wanted.core_type, 1);
  EXPECT_EQ(wanted.max_threads_per_core, 2);
#if __cplusplus < 202002L
  const tbb::task_arena::constraints both(1, 2);
#else
  const tbb::task_arena::constraints both{.numa_id = 1, .max_concurrency = 2};
#endif
  EXPECT_EQ(both.numa_id, 1);
  EXPECT_EQ(both.max_concurrency, 2);
}

TEST(InfoTest, TheLibrarySaysHowManyThreadsShareACore) {
  tbb::task_arena::constraints wanted;
  EXPECT_EQ(tbb::detail::r1::constraints_threads_per_core(wanted), -1);
}

TEST(InfoTest, AMaximumComesBeforeTheDefault) {
  EXPECT_EQ(tbb::info::default_concurrency(tbb::task_arena::constraints{}.set_max_concurrency(7)),
            7);
}

TEST(InfoTest, FewerThreadsOnACoreAreNotMoreThreads) {
  const int one =
      tbb::info::default_concurrency(tbb::task_arena::constraints{}.set_max_threads_per_core(1));
  EXPECT_GE(one, 1);
  EXPECT_LE(one, tbb::info::default_concurrency());
}

TEST(InfoTest, AnArenaOnANodeWorks) {
  for (const tbb::numa_node_id node : tbb::info::numa_nodes()) {
    tbb::task_arena arena(tbb::task_arena::constraints{}.set_numa_id(node));
    EXPECT_EQ(arena.max_concurrency(), tbb::info::default_concurrency(node));
    std::atomic<int> ran{0};
    arena.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
    EXPECT_EQ(ran, 100);
  }
}

TEST(InfoTest, AnArenaWithAMaximumHasIt) {
  tbb::task_arena arena(tbb::task_arena::constraints{}.set_max_concurrency(3), 0,
                        tbb::task_arena::priority::high);
  EXPECT_EQ(arena.max_concurrency(), 3);
  EXPECT_EQ(arena.execute([] { return tbb::this_task_arena::max_concurrency(); }), 3);
  tbb::task_arena later;
  later.initialize(tbb::task_arena::constraints{}.set_max_concurrency(2));
  EXPECT_TRUE(later.is_active());
  EXPECT_EQ(later.max_concurrency(), 2);
}

TEST(InfoTest, TheCallerIsBoundAsBeforeAfterwards) {
  const int before = AllowedCpus();
  tbb::task_arena arena(tbb::task_arena::constraints{}.set_max_threads_per_core(1));
  arena.execute([&] { EXPECT_LE(AllowedCpus(), before); });
  EXPECT_EQ(AllowedCpus(), before);
}

}  // namespace

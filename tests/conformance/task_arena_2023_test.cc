#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include "gtest/gtest.h"

namespace {

static_assert(TBB_HAS_PARALLEL_PHASE == 202608);

int RunHundred(tbb::task_arena& arena) {
  std::atomic<int> ran{0};
  arena.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
  return ran;
}

TEST(TaskArena2023Test, EveryNodeGetsAnArena) {
  std::vector<tbb::task_arena> arenas = tbb::create_numa_task_arenas();
  EXPECT_EQ(arenas.size(), tbb::info::numa_nodes().size());
  for (tbb::task_arena& arena : arenas) EXPECT_EQ(RunHundred(arena), 100);
}

TEST(TaskArena2023Test, TheArenasOfNodesKeepTheOtherConstraints) {
  auto wanted = tbb::task_arena::constraints{}.set_max_concurrency(3);
  for (tbb::task_arena& arena : tbb::create_numa_task_arenas(wanted, 1)) {
    EXPECT_EQ(arena.max_concurrency(), 3);
    EXPECT_EQ(RunHundred(arena), 100);
  }
}

TEST(TaskArena2023Test, LeavingFastIsASetting) {
  using Policy = tbb::task_arena::leave_policy;
  tbb::task_arena fast(2, 1, tbb::task_arena::priority::normal, Policy::fast);
  EXPECT_EQ(RunHundred(fast), 100);
  tbb::task_arena copy(fast);
  EXPECT_EQ(RunHundred(copy), 100);
  tbb::task_arena later;
  later.initialize(2, 1, tbb::task_arena::priority::low, Policy::automatic);
  EXPECT_EQ(RunHundred(later), 100);
}

TEST(TaskArena2023Test, PhasesSurroundWork) {
  tbb::task_arena arena(2, 1, tbb::task_arena::priority::normal,
                        tbb::task_arena::leave_policy::fast);
  arena.start_parallel_phase();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(RunHundred(arena), 100);
  arena.end_parallel_phase();
  arena.start_parallel_phase();
  arena.end_parallel_phase(/*with_fast_leave=*/true);
  {
    const tbb::task_arena::parallel_phase phase(arena);
    EXPECT_EQ(RunHundred(arena), 100);
  }
  {
    const tbb::task_arena::scoped_parallel_phase phase(arena, /*with_fast_leave=*/true);
    EXPECT_EQ(RunHundred(arena), 100);
  }
  tbb::this_task_arena::start_parallel_phase();
  tbb::parallel_for(0, 100, [](int) {});
  tbb::this_task_arena::end_parallel_phase(true);
}

TEST(TaskArena2023Test, LeavingFastIsAlsoASettingOfAllArenas) {
  using Control = tbb::global_control;
  using Policy = tbb::task_arena::leave_policy;
  EXPECT_EQ(Control::active_value(Control::leave_policy), 0u);
  const Control fast(Control::leave_policy, Policy::fast);
  EXPECT_EQ(Control::active_value(Control::leave_policy), static_cast<std::size_t>(Policy::fast));
  tbb::task_arena arena(2);
  EXPECT_EQ(RunHundred(arena), 100);
}

}  // namespace

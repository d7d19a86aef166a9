// Files that include either root in one program, on one pool.
#include <tbb/collaborative_call_once.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/version.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

#include "classic_part.h"
#include "gtest/gtest.h"

namespace {

TEST(ClassicAndModernTest, EachSeesItsVersion) {
  EXPECT_EQ(TBB_runtime_interface_version(), 12200);
  EXPECT_EQ(TBB_INTERFACE_VERSION, 12200);
  EXPECT_EQ(ClassicInterfaceVersion(), 11103);
  EXPECT_EQ(ClassicRuntimeInterfaceVersion(), 11103);
}

TEST(ClassicAndModernTest, ShareThePool) {
  std::atomic<int> wrong{0};
  tbb::parallel_for(0, 50, [&](int i) {
    if (tbb::this_task_arena::current_thread_index() != ClassicThreadIndex()) ++wrong;
    if (SumWithTasks(0, 1000 * i) != std::int64_t{1000} * i * (1000 * i - 1) / 2) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

class FunctionTask : public tbb::task {
 public:
  explicit FunctionTask(std::function<void()> f) : f_(std::move(f)) {}

 private:
  tbb::task* execute() override {
    f_();
    return nullptr;
  }

  const std::function<void()> f_;
};

// A thread that executes something in its own arena, from within an isolated region, pops what lay
// below the region's tasks; what is pushed meanwhile lies there, and the region's waits find it.
TEST(ClassicAndModernTest, WhatIsPushedLowWhileTheRegionIsLeftIsFoundInTheRegion) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_arena arena(2, 2);
  enum Step { kNothing, kCalled, kPushed, kOver };
  std::atomic<int> step{kNothing};
  const auto await = [&step](Step wanted) {
    while (step < wanted) std::this_thread::yield();
  };
  int ran = 0;
  tbb::collaborative_once_flag flag;
  arena.execute([&] {
    tbb::task_group outside;
    tbb::task_group inside;
    for (int i = 0; i < 10; ++i) outside.run([] {});
    std::thread helper([&] {
      arena.execute([&] {
        await(kCalled);
        tbb::collaborative_call_once(flag, [] { FAIL(); });  // runs what is in the region
      });
    });
    tbb::collaborative_call_once(flag, [&] {
      step = kCalled;
      tbb::task& task = *new (tbb::task::allocate_root()) FunctionTask([&] {
        outside.run([&] { inside.run([&ran] { ++ran; }); });
        step = kPushed;
        await(kOver);
      });
      task.set_affinity(2);  // the helper's
      tbb::task::spawn(task);
      await(kPushed);
      arena.execute([&outside] { outside.wait(); });
      inside.wait();
      step = kOver;
    });
    helper.join();
  });
  EXPECT_EQ(ran, 1);
}

// What a classic program sees from within a task of the other layer.
class Surrounding : public tbb::detail::d1::task {
 public:
  explicit Surrounding(tbb::detail::d1::wait_context& done) : done_(done) {}

  bool stays_itself = false;

 private:
  tbb::detail::d1::task* execute(tbb::detail::d1::execution_data&) override {
    tbb::task* const before = &tbb::task::self();
    tbb::task& idle = *new (tbb::task::allocate_root()) tbb::empty_task;
    tbb::task_group_context other;
    tbb::task_group_context* const context = tbb::detail::d1::current_context();
    idle.change_group(other);
    stays_itself = &tbb::task::self() == before && before != &idle &&
                   tbb::detail::d1::current_context() == context;
    tbb::task::destroy(idle);
    done_.release();
    return nullptr;
  }
  tbb::detail::d1::task* cancel(tbb::detail::d1::execution_data&) override { return nullptr; }

  tbb::detail::d1::wait_context& done_;
};

TEST(ClassicAndModernTest, AnIdleTaskIsNotTheOneThatRuns) {
  tbb::task_arena arena(2);
  for (const bool as_critical : {false, true}) {
    arena.execute([&] {
      tbb::task_group_context context;
      tbb::detail::d1::wait_context done{1};
      Surrounding surrounding(done);
      submit(surrounding, arena, context, as_critical);
      tbb::detail::d1::wait(done, context);
      EXPECT_TRUE(surrounding.stays_itself);
    });
  }
}

TEST(ClassicAndModernTest, WhatIsLeftInAnArenaRunsForAWaitElsewhere) {
  for (const std::size_t limit : {1, 2}) {
    tbb::global_control control(tbb::global_control::max_allowed_parallelism, limit);
    tbb::task_arena arena(2);
    tbb::task& root = *new (tbb::task::allocate_root()) tbb::empty_task;
    root.set_ref_count(2);
    arena.execute([&] { tbb::task::spawn(*new (root.allocate_child()) tbb::empty_task); });
    root.wait_for_all();
    tbb::task::destroy(root);
  }
}

TEST(ClassicAndModernTest, ACancelledGroupReachesTheClassicTasksBelowIt) {
  tbb::task_group group;
  std::int64_t sum = 0;
  group.run_and_wait([&] {
    group.cancel();
    sum = SumWithTasks(0, 100000);
  });
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(SumWithTasks(0, 1000), 499500);
}

}  // namespace

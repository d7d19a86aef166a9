// What a program that breaks a contract of the TBB facade is told.
#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

#include <stdexcept>
#include <thread>
#include <utility>

#include "gtest/gtest.h"

namespace {

class TbbMisuseDeathTest : public testing::Test {
 protected:
  // Each check runs in a process of its own, since this one may have workers.
  TbbMisuseDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(TbbMisuseDeathTest, AnEmptyHandleIsNoTask) {
  EXPECT_DEATH(
      {
        tbb::task_group group;
        group.run(tbb::task_handle());
      },
      "an empty task_handle was run");
  EXPECT_DEATH(
      {
        tbb::task_arena arena;
        arena.enqueue(tbb::task_handle());
      },
      "an empty task_handle was enqueued");
}

TEST_F(TbbMisuseDeathTest, AnEmptyHandleHasNoPlaceInAnOrder) {
  EXPECT_DEATH(
      {
        tbb::task_group group;
        tbb::task_handle task = group.defer([] {});
        tbb::task_handle empty;
        tbb::task_group::set_task_order(task, empty);
      },
      "the order of an empty task_handle was set");
  EXPECT_DEATH(
      {
        tbb::task_group group;
        tbb::task_handle task = group.defer([] {});
        tbb::task_completion_handle empty;
        tbb::task_group::set_task_order(empty, task);
      },
      "the order of an empty task_completion_handle was set");
  EXPECT_DEATH(tbb::task_completion_handle completion{tbb::task_handle()},
               "the completion of an empty task_handle was asked for");
  EXPECT_DEATH(
      {
        tbb::task_handle empty;
        tbb::task_group::transfer_this_task_completion_to(empty);
      },
      "a completion was transferred to an empty task_handle");
}

TEST_F(TbbMisuseDeathTest, ATaskHasAPossibleReferenceCount) {
  const char* const sentence = "the number of predecessors is negative, or 2\\^30 or more";
  tbb::task& root = *new (tbb::task::allocate_root()) tbb::empty_task;
  EXPECT_DEATH(root.set_ref_count(-1), sentence);
  EXPECT_DEATH(root.set_ref_count(1 << 30), sentence);
  root.set_ref_count(1);
  EXPECT_DEATH(root.add_ref_count(1 << 30), sentence);
  root.set_ref_count(0);
  tbb::task::destroy(root);
}

TEST_F(TbbMisuseDeathTest, NobodyWaitsForNoTask) {
  const tbb::task_completion_handle empty;
  EXPECT_DEATH(tbb::task_group().wait_for_task(empty),
               "an empty task_completion_handle was waited for");
  EXPECT_DEATH(tbb::task_group().get_status_of(empty),
               "the status of an empty task_completion_handle was asked for");
  EXPECT_DEATH(tbb::task_group().run_and_wait_for_task(tbb::task_handle()),
               "the completion of an empty task_handle was asked for");
}

TEST_F(TbbMisuseDeathTest, ConstraintsNameWhatThereIs) {
  EXPECT_DEATH(tbb::task_arena(tbb::task_arena::constraints{}.set_numa_id(4711)).initialize(),
               "tbb: constraints: there is no NUMA node 4711.");
  EXPECT_DEATH(tbb::task_arena(tbb::task_arena::constraints{}.set_core_type(99)).initialize(),
               "tbb: constraints: there is no kind of cores 99.");
  EXPECT_DEATH(static_cast<void>(tbb::info::default_concurrency(4711)),
               "there is no NUMA node 4711");
}

TEST_F(TbbMisuseDeathTest, ObserversThrowNothing) {
  class Thrower : public tbb::task_scheduler_observer {
   public:
    explicit Thrower(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) { observe(); }
    ~Thrower() override { observe(false); }
    void on_scheduler_entry(bool) override { throw std::runtime_error("from the observer"); }
  };
  EXPECT_DEATH(
      {
        tbb::task_arena arena(2);
        Thrower thrower(arena);
        arena.execute([] {});
      },
      "from the observer");
}

TEST_F(TbbMisuseDeathTest, ParallelismCannotBeForbidden) {
  EXPECT_DEATH(tbb::global_control(tbb::global_control::max_allowed_parallelism, 0),
               "max_allowed_parallelism must be positive");
}

TEST_F(TbbMisuseDeathTest, NobodyCanCatchWhatAnEnqueuedFunctionThrows) {
  EXPECT_DEATH(
      {
        tbb::task_arena arena(2);
        arena.enqueue([] { throw std::runtime_error("nobody waits for this"); });
        for (;;) std::this_thread::yield();
      },
      "terminate called");
}

TEST_F(TbbMisuseDeathTest, TerminateOnExceptionIsForTheSchedulersOwnToo) {
  EXPECT_DEATH(
      {
        const tbb::global_control terminate(tbb::global_control::terminate_on_exception, 1);
        tbb::parallel_for(0, 1, -1, [](int) {});
      },
      "the step must be positive");
}

TEST_F(TbbMisuseDeathTest, TerminateOnExceptionTerminates) {
  const auto loop = [] {
    const tbb::global_control terminate(tbb::global_control::terminate_on_exception, 1);
    try {
      // One index only: of two threads that terminate at once neither names its exception.
      tbb::parallel_for(0, 10, [](int i) {
        if (i == 7) throw std::runtime_error("from the loop");
      });
    } catch (...) {
    }
  };
  EXPECT_DEATH(loop(), "from the loop");
  const auto group = [] {
    const tbb::global_control terminate(tbb::global_control::terminate_on_exception, 1);
    try {
      tbb::task_group tasks;
      tasks.run([] { throw std::runtime_error("from the group"); });
      tasks.wait();
    } catch (...) {
    }
  };
  EXPECT_DEATH(group(), "from the group");
}

// A task below the algorithms whose functions throw what they are told to.
class ThrowingTask : public tbb::detail::d1::task {
 public:
  void ExecuteAndWait() {
    tbb::task_group_context context;
    tbb::detail::d1::execute_and_wait(*this, context, done_, context);
  }
  void CancelAndWait() {
    tbb::task_group_context context;
    context.cancel_group_execution();
    tbb::detail::d1::execute_and_wait(*this, context, done_, context);
  }

 private:
  task* execute(tbb::detail::d1::execution_data&) override {
    throw std::runtime_error("from the task");
  }
  task* cancel(tbb::detail::d1::execution_data&) override {
    throw std::runtime_error("from the end of the task");
  }

  tbb::detail::d1::wait_context done_{1};
};

TEST_F(TbbMisuseDeathTest, ALowLevelTaskMustNotThrowWhenItIsCancelled) {
  EXPECT_DEATH(ThrowingTask().CancelAndWait(), "from the end of the task");
}

TEST_F(TbbMisuseDeathTest, TerminateOnExceptionTerminatesInALowLevelTask) {
  const auto run = [] {
    const tbb::global_control terminate(tbb::global_control::terminate_on_exception, 1);
    ThrowingTask().ExecuteAndWait();
  };
  EXPECT_DEATH(run(), "from the task");
}

}  // namespace

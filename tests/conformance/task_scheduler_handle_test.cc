#include <sys/wait.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

using Handle = tbb::task_scheduler_handle;

static_assert(!std::is_copy_constructible_v<Handle>);
static_assert(std::is_nothrow_move_constructible_v<Handle>);
static_assert(std::is_nothrow_move_assignable_v<Handle>);

std::ptrdiff_t Threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(tasks, std::filesystem::directory_iterator());
}

// Returns when there are no more than `count`: a thread that has been joined is in the
// list for a moment still.
void AwaitThreads(std::ptrdiff_t count) {
  while (Threads() > count) std::this_thread::yield();
}

// Work for several threads.
void Work() {
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 1000, [&](int) { ++ran; });
  EXPECT_EQ(ran, 1000);
}

// A process that allows four threads, none of which the scheduler has started yet.
class TaskSchedulerHandleTest : public testing::Test {
 protected:
  TaskSchedulerHandleTest() {
    // A sanitizer starts a thread of its own with the program's first one.
    std::thread([] {}).join();
    std::ptrdiff_t listed = Threads();
    // The joined one may be in the list for a moment still.
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::yield();
      listed = std::min(listed, Threads());
    }
    before_ = listed;
  }
  std::ptrdiff_t before() const { return before_; }

 private:
  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, 4};
  std::ptrdiff_t before_ = 0;
};

TEST_F(TaskSchedulerHandleTest, IsEmptyOrAttached) {
  Handle empty;
  EXPECT_FALSE(empty);
  EXPECT_TRUE(tbb::finalize(empty, std::nothrow));
  EXPECT_NO_THROW(tbb::finalize(empty));
  Handle handle{tbb::attach{}};
  EXPECT_TRUE(handle);
  Handle moved(std::move(handle));
  EXPECT_TRUE(moved);
  empty = std::move(moved);
  EXPECT_TRUE(empty);
  empty.release();
  EXPECT_FALSE(empty);
  const Handle converted = tbb::attach();
  EXPECT_TRUE(converted);
}

TEST_F(TaskSchedulerHandleTest, FinalizeEndsTheThreadsAndOthersCome) {
  for (int round = 0; round < 5; ++round) {
    Handle handle{tbb::attach{}};
    Work();
    {
      // An enqueued task has a worker for sure.
      tbb::task_arena arena(4);
      std::atomic<bool> ran{false};
      arena.enqueue([&] { ran = true; });
      while (!ran.load()) std::this_thread::yield();
      EXPECT_GT(Threads(), before());
    }
    EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
    EXPECT_FALSE(handle);
    AwaitThreads(before());
  }
}

TEST_F(TaskSchedulerHandleTest, TheLastHandleFinalizes) {
  Handle one{tbb::attach{}};
  Handle two{tbb::attach{}};
  Work();
  EXPECT_FALSE(tbb::finalize(one, std::nothrow));
  EXPECT_FALSE(one);
  EXPECT_NO_THROW(tbb::finalize(two));
  AwaitThreads(before());
}

TEST_F(TaskSchedulerHandleTest, CannotBeDoneFromInside) {
  if (kOnOneTbb) GTEST_SKIP() << "crashes now and then in version 2021.8";
  Handle handle{tbb::attach{}};
  bool done = true;
  tbb::parallel_for(0, 1, [&](int) { done = tbb::finalize(handle, std::nothrow); });
  EXPECT_FALSE(done);
  EXPECT_FALSE(handle);
  handle = Handle{tbb::attach{}};
  tbb::parallel_for(0, 1, [&](int) { EXPECT_THROW(tbb::finalize(handle), tbb::unsafe_wait); });
  EXPECT_FALSE(handle);
  handle = Handle{tbb::attach{}};
  tbb::parallel_for(0, 1, [&](int) {
    tbb::task_arena here{tbb::task_arena::attach()};
    done = here.execute([&handle] { return tbb::finalize(handle, std::nothrow); });
  });
  EXPECT_FALSE(done);
  handle = Handle{tbb::attach{}};
  tbb::task_arena arena(2);
  arena.execute([&] { EXPECT_FALSE(tbb::finalize(handle, std::nothrow)); });
  arena.terminate();
  handle = Handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
}

TEST_F(TaskSchedulerHandleTest, CannotBeDoneWhileOthersUseTheScheduler) {
  Handle handle{tbb::attach{}};
  std::atomic<bool> uses{false};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    Work();
    uses = true;
    while (!stop.load()) std::this_thread::yield();
  });
  while (!uses.load()) std::this_thread::yield();
  EXPECT_FALSE(tbb::finalize(handle, std::nothrow));
  stop = true;
  other.join();
  {
    tbb::task_arena arena(2);
    arena.execute([] { Work(); });
    handle = Handle{tbb::attach{}};
    EXPECT_FALSE(tbb::finalize(handle, std::nothrow));
  }
  handle = Handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
}

TEST_F(TaskSchedulerHandleTest, AHandleMayBeMadeOnAnotherThread) {
  Handle handle;
  std::thread([&handle] {
    handle = Handle{tbb::attach{}};
    Work();
  }).join();
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  AwaitThreads(before());
}

TEST_F(TaskSchedulerHandleTest, WhoHasFinalizedDoesNotHinderOthers) {
  Work();
  Handle handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  EXPECT_EQ(tbb::this_task_arena::current_thread_index(), int{tbb::task_arena::not_initialized});
  handle = Handle{tbb::attach{}};
  bool done = false;
  std::thread([&] {
    Work();
    done = tbb::finalize(handle, std::nothrow);
  }).join();
  EXPECT_TRUE(done);
  AwaitThreads(before());
}

TEST_F(TaskSchedulerHandleTest, WhatNobodyUsedIsFinalizedAtOnce) {
  Handle one{tbb::attach{}};
  Handle two{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(one, std::nothrow));
  EXPECT_TRUE(tbb::finalize(two, std::nothrow));
  Handle three{tbb::attach{}};
  Work();
  EXPECT_TRUE(tbb::finalize(three, std::nothrow));
  // And again, because nobody has used it since.
  one = Handle{tbb::attach{}};
  two = Handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(one, std::nothrow));
  EXPECT_TRUE(tbb::finalize(two, std::nothrow));
}

TEST_F(TaskSchedulerHandleTest, OfThreadsThatFinalizeTheLastOneDoes) {
  constexpr int kUsers = 4;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ready{0};
    std::atomic<int> over{0};
    std::atomic<int> finalized{0};
    std::vector<std::thread> users;
    for (int i = 0; i < kUsers; ++i) {
      users.emplace_back([&] {
        Handle handle{tbb::attach{}};
        Work();
        ++ready;
        while (ready.load() < kUsers) std::this_thread::yield();
        finalized += tbb::finalize(handle, std::nothrow);
        // Who has finalized is in nobody's way, although the thread goes on.
        ++over;
        while (over.load() < kUsers) std::this_thread::yield();
      });
    }
    for (std::thread& user : users) user.join();
    EXPECT_EQ(finalized, 1) << round;
  }
  AwaitThreads(before());
}

TEST_F(TaskSchedulerHandleTest, AThreadThatHasFinalizedMayWorkAgain) {
  Handle one{tbb::attach{}};
  Handle two{tbb::attach{}};
  Work();
  EXPECT_GE(tbb::this_task_arena::current_thread_index(), 0);
  EXPECT_FALSE(tbb::finalize(one, std::nothrow));
  EXPECT_EQ(tbb::this_task_arena::current_thread_index(), -2);  // not_initialized
  Work();
  EXPECT_EQ(tbb::this_task_arena::current_thread_index(), 0);
  EXPECT_TRUE(tbb::finalize(two, std::nothrow));
}

// 0 if loops run and workers come, and can be sent away.
int UseTheSchedulerInAChild() {
  alarm(20);  // far more than any child needs
  Handle handle{tbb::attach{}};
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 1000, [&](int) { ++ran; });
  {
    tbb::task_arena arena(4);
    std::atomic<bool> enqueued_ran{false};
    arena.enqueue([&] { enqueued_ran = true; });
    while (!enqueued_ran.load()) std::this_thread::yield();
  }
  if (ran != 1000) return 1;
  return tbb::finalize(handle, std::nothrow) ? 0 : 2;
}

TEST_F(TaskSchedulerHandleTest, AChildThatIsForkedAfterwardsUsesTheScheduler) {
  for (int round = 0; round < 3; ++round) {
    Handle handle{tbb::attach{}};
    Work();
    ASSERT_TRUE(tbb::finalize(handle, std::nothrow));
    const pid_t child = fork();
    if (child == 0) _exit(UseTheSchedulerInAChild());
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

// A place for the group is no reason that it may not.
TEST_F(TaskSchedulerHandleTest, AChildThatIsForkedAfterAGroupWasMadeUsesTheScheduler) {
  Handle handle{tbb::attach{}};
  Work();
  ASSERT_TRUE(tbb::finalize(handle, std::nothrow));
  int ran = 0;
  tbb::task_group group;
  const pid_t child = fork();
  if (child == 0) {
    group.run([&] { ++ran; });
    group.wait();
    _exit(ran == 1 ? UseTheSchedulerInAChild() : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  handle = Handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  group.run([&] { ++ran; });
  group.wait();
  EXPECT_EQ(ran, 1);
  handle = Handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
}

// What programs do that start the threads early: nobody waits for the group before the fork.
TEST_F(TaskSchedulerHandleTest, WhatNobodyWaitedForRunsBeforeTheEnd) {
  if (kOnOneTbb && tbb::info::default_concurrency() == 1) {
    GTEST_SKIP() << "has no worker there, and leaves it undone";
  }
  for (int round = 0; round < 20; ++round) {
    Handle handle{tbb::attach{}};
    std::atomic<int> ran{0};
    tbb::task_group group;
    for (int i = 0; i < 100; ++i) {
      group.run([&] {
        ++ran;
        group.run([&] { ++ran; });
      });
    }
    ASSERT_TRUE(tbb::finalize(handle, std::nothrow)) << round;
    EXPECT_EQ(ran, 200);
    AwaitThreads(before());
    const pid_t child = fork();
    if (child == 0) _exit(UseTheSchedulerInAChild());
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(group.wait(), tbb::task_group_status::complete);
  }
}

TEST_F(TaskSchedulerHandleTest, WhatNobodyWaitedForRunsWithoutWorkersToo) {
  if (kOnOneTbb) GTEST_SKIP() << "does not run it, and its group waits for ever";
  const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  Handle handle{tbb::attach{}};
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  EXPECT_EQ(ran, 100);
  EXPECT_EQ(group.wait(), tbb::task_group_status::complete);
}

TEST_F(TaskSchedulerHandleTest, WhatRunsBeforeTheEndLeavesTheRoundingModeAlone) {
  if (kOnOneTbb) GTEST_SKIP() << "does not run it, and its group waits for ever";
  const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  Handle handle{tbb::attach{}};
  tbb::task_group group;
  group.run_and_wait([] {});  // the arena has the settings of now
  std::fesetround(FE_UPWARD);
  group.run([] { std::fesetround(FE_TOWARDZERO); });
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  group.wait();
}

TEST_F(TaskSchedulerHandleTest, AChildLeavesTheTasksToItsParent) {
  if (kOnOneTbb) GTEST_SKIP() << "does not run it, and its group waits for ever";
  const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  Handle handle{tbb::attach{}};
  int ran = 0;
  tbb::task_group group;
  group.run([&] { ++ran; });
  const pid_t child = fork();
  if (child == 0) _exit(!tbb::finalize(handle, std::nothrow) && ran == 0 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  EXPECT_EQ(ran, 1);
  group.wait();
}

TEST_F(TaskSchedulerHandleTest, CannotBeDoneFromAnIsolatedRegion) {
  if (kOnOneTbb) GTEST_SKIP() << "ends the scheduler while the region is still running";
  Work();
  Handle handle{tbb::attach{}};
  bool done = true;
  tbb::this_task_arena::isolate([&] { done = tbb::finalize(handle, std::nothrow); });
  EXPECT_FALSE(done);
  handle = Handle{tbb::attach{}};
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
}

// Whether the scheduler's thread that has ended last has finalized another handle meanwhile.
std::atomic<bool> ended_thread_has_finalized{false};

struct FinalizesAtEndOfThread {
  ~FinalizesAtEndOfThread() {
    Handle handle{tbb::attach{}};
    ended_thread_has_finalized = tbb::finalize(handle, std::nothrow);
  }
};

TEST_F(TaskSchedulerHandleTest, CannotBeDoneFromTheEndOfOneOfItsThreads) {
  Handle handle{tbb::attach{}};
  {
    tbb::task_arena arena(4);
    std::atomic<bool> ran{false};
    arena.enqueue([&] {
      thread_local const FinalizesAtEndOfThread end;
      ran = true;
    });
    while (!ran.load()) std::this_thread::yield();
  }
  ended_thread_has_finalized = true;
  EXPECT_TRUE(tbb::finalize(handle, std::nothrow));
  // oneTBB says that it is done, though the thread that asks is one of those.
  EXPECT_EQ(ended_thread_has_finalized, kOnOneTbb);
  AwaitThreads(before());
}

TEST_F(TaskSchedulerHandleTest, SaysWhetherThereIsOne) {
  if (kOnOneTbb) GTEST_SKIP() << "active_value(scheduler_handle) reads memory that is not there";
  const auto what = tbb::global_control::scheduler_handle;
  EXPECT_EQ(tbb::global_control::active_value(what), 0u);
  const Handle handle{tbb::attach{}};
  EXPECT_EQ(tbb::global_control::active_value(what), 1u);
}

}  // namespace

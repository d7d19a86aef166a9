// Waiting for one task of a group, a preview of oneTBB newer than the system's.
#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#define TBB_PREVIEW_ISOLATED_TASK_GROUP 1

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(TBB_HAS_TASK_GROUP_WAIT_FOR_SINGLE_TASK >= 202603);
static_assert(std::is_same_v<decltype(tbb::task_complete), tbb::task_group_status>);
static_assert(tbb::task_group_status::task_complete != tbb::complete);

using WaitForTaskTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, WaitForTaskTest, kLimits);

// The message of what `f()` throws.
template <typename F>
std::string Thrown(const F& f) {
  try {
    f();
  } catch (const std::exception& exception) {
    return exception.what();
  }
  return "nothing";
}

TEST_P(WaitForTaskTest, AThreadMayWaitInAnArena) {
  tbb::task_arena arena(2);
  tbb::task_group group;
  int ran = 0;
  const auto start = [&](auto&& f) {
    tbb::task_handle task = group.defer(f);
    const tbb::task_completion_handle completion = task;
    arena.enqueue(std::move(task));
    return completion;
  };
  EXPECT_EQ(arena.wait_for(start([&ran] { ++ran; })), tbb::task_complete);
  EXPECT_EQ(ran, 1);
  const auto fails = [] { throw std::runtime_error("in the task"); };
  EXPECT_EQ(Thrown([&] { arena.wait_for(start(fails)); }), "in the task");
  EXPECT_THROW(group.wait(), std::runtime_error);
  group.cancel();
  EXPECT_EQ(arena.wait_for(start([&ran] { ++ran; })), tbb::canceled);
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(ran, 1);
}

TEST_P(WaitForTaskTest, OthersMayBeLeft) {
  tbb::task_group group;
  int ran = 0;
  bool other_ran = false;
  tbb::task_handle other = group.defer([&other_ran] { other_ran = true; });
  tbb::task_handle task = group.defer([&ran] { ++ran; });
  tbb::task_completion_handle completion = task;
  EXPECT_EQ(group.get_status_of(completion), tbb::not_complete);
  group.run(std::move(task));
  EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(group.get_status_of(completion), tbb::task_complete);
  EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);  // at once
  EXPECT_FALSE(other_ran);

  group.run(std::move(other));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_TRUE(other_ran);
  EXPECT_EQ(group.get_status_of(completion), tbb::task_complete);
}

TEST_P(WaitForTaskTest, RunsATaskAndWaitsForIt) {
  tbb::task_group group;
  tbb::task_handle never = group.defer([] {});
  long sum = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(group.run_and_wait_for_task(group.defer([&sum, i] { sum += i; })),
              tbb::task_complete);
    ASSERT_EQ(sum, (i + 1) * i / 2);
  }
  never = tbb::task_handle();
  EXPECT_EQ(group.wait(), tbb::complete);
}

// A task of a group may wait for another one, but not for all of them.
long Fib(tbb::task_group& group, int n) {
  if (n < 2) return n;
  long a = 0;
  tbb::task_handle task = group.defer([&] { a = Fib(group, n - 1); });
  const tbb::task_completion_handle completion = task;
  group.run(std::move(task));
  const long b = Fib(group, n - 2);
  EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);
  return a + b;
}

TEST_P(WaitForTaskTest, TasksWaitForTasksOfTheirGroup) {
  tbb::task_group group;
  EXPECT_EQ(Fib(group, 18), 2584);
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST_P(WaitForTaskTest, WhatATaskThrowsIsThrownByEveryWaitForIt) {
  tbb::task_group group;
  tbb::task_handle outer = group.defer([&group] {
    tbb::task_handle inner = group.defer([] { throw std::runtime_error("inner"); });
    const tbb::task_completion_handle completion = inner;
    EXPECT_EQ(Thrown([&] { group.run_and_wait_for_task(std::move(inner)); }), "inner");
    EXPECT_EQ(Thrown([&] { group.wait_for_task(completion); }), "inner");
    EXPECT_EQ(group.get_status_of(completion), tbb::canceled);
    throw std::runtime_error("outer");  // the group has one already
  });
  const tbb::task_completion_handle completion = outer;
  EXPECT_EQ(Thrown([&] { group.run_and_wait_for_task(std::move(outer)); }), "outer");
  EXPECT_EQ(Thrown([&] { group.wait_for_task(completion); }), "outer");
  EXPECT_EQ(Thrown([&] { group.wait(); }), "inner");
  // As new, and what is over stays so.
  EXPECT_EQ(group.run_and_wait_for_task(group.defer([] {})), tbb::task_complete);
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(Thrown([&] { group.wait_for_task(completion); }), "outer");
  EXPECT_EQ(group.get_status_of(completion), tbb::canceled);
}

TEST_P(WaitForTaskTest, WhatDoesNotRunForAnExceptionThrowsThatOne) {
  tbb::task_group group;
  int ran = 0;
  EXPECT_EQ(Thrown([&] {
              group.run_and_wait_for_task(group.defer([] { throw std::runtime_error("first"); }));
            }),
            "first");
  tbb::task_handle task = group.defer([&ran] { ++ran; });
  const tbb::task_completion_handle completion = task;
  EXPECT_EQ(Thrown([&] { group.run_and_wait_for_task(std::move(task)); }), "first");
  EXPECT_EQ(group.get_status_of(completion), tbb::canceled);
  EXPECT_EQ(Thrown([&] { group.wait(); }), "first");
  EXPECT_EQ(ran, 0);
}

TEST_P(WaitForTaskTest, WhatACancelledGroupDoesNotRunIsCancelled) {
  tbb::task_group group;
  int ran = 0;
  tbb::task_handle task = group.defer([&ran] { ++ran; });
  const tbb::task_completion_handle completion = task;
  group.cancel();
  EXPECT_EQ(group.get_status_of(completion), tbb::not_complete);
  EXPECT_EQ(group.run_and_wait_for_task(std::move(task)), tbb::canceled);
  EXPECT_EQ(group.get_status_of(completion), tbb::canceled);
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(ran, 0);
}

TEST_P(WaitForTaskTest, WhatRanToItsEndIsCompleteInACancelledGroup) {
  tbb::task_group group;
  EXPECT_EQ(group.run_and_wait_for_task(group.defer([&group] { group.cancel(); })),
            tbb::task_complete);
  EXPECT_EQ(group.wait(), tbb::canceled);
}

TEST_P(WaitForTaskTest, ADroppedTaskIsCancelled) {
  tbb::task_group group;
  tbb::task_handle task = group.defer([] {});
  const tbb::task_completion_handle completion = task;
  task = tbb::task_handle();
  EXPECT_EQ(group.get_status_of(completion), tbb::canceled);
  EXPECT_EQ(group.wait_for_task(completion), tbb::canceled);
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST_P(WaitForTaskTest, AnIsolatedGroupRunsNothingElse) {
  tbb::task_group others;
  tbb::isolated_task_group group;
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<bool> ran_here{false};
  tbb::task_handle task = group.defer([] {});
  const tbb::task_completion_handle completion = task;
  group.run(std::move(task));
  others.run([&] { ran_here = ran_here || std::this_thread::get_id() == here; });
  EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);
  others.run([&] { ran_here = ran_here || std::this_thread::get_id() == here; });
  EXPECT_EQ(group.run_and_wait_for_task(group.defer([] {})), tbb::task_complete);
  group.wait();
  EXPECT_FALSE(ran_here);
  others.wait();
}

TEST_P(WaitForTaskTest, ATaskInOrderIsWaitedFor) {
  tbb::task_group group;
  std::vector<int> order;
  tbb::task_handle first = group.defer([&order] { order.push_back(1); });
  tbb::task_handle second = group.defer([&order] { order.push_back(2); });
  tbb::task_group::set_task_order(first, second);
  const tbb::task_completion_handle completion = second;
  group.run(std::move(second));
  EXPECT_EQ(group.get_status_of(completion), tbb::not_complete);
  group.run(std::move(first));
  EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(group.wait(), tbb::complete);
}

// Counts to `n` by tasks of which each leaves its end to the next.
void Count(tbb::task_group& group, int& count, int n) {
  if (++count == n) return;
  tbb::task_handle next = group.defer([&group, &count, n] { Count(group, count, n); });
  tbb::task_group::transfer_this_task_completion_to(next);
  group.run(std::move(next));
}

TEST_P(WaitForTaskTest, WhoPassedItsCompletionOnIsOverWithItsHeir) {
  tbb::task_group group;
  for (int round = 0; round < 50; ++round) {
    int count = 0;
    EXPECT_EQ(group.run_and_wait_for_task(group.defer([&] { Count(group, count, 100); })),
              tbb::task_complete);
    EXPECT_EQ(count, 100);
  }
  tbb::task_handle failing = group.defer([&group] {
    tbb::task_handle heir = group.defer([] { throw std::runtime_error("heir"); });
    tbb::task_group::transfer_this_task_completion_to(heir);
    group.run(std::move(heir));
  });
  EXPECT_EQ(Thrown([&] { group.run_and_wait_for_task(std::move(failing)); }), "heir");
  EXPECT_EQ(Thrown([&] { group.wait(); }), "heir");
}

TEST_P(WaitForTaskTest, AnHeirIsWaitedForAsItself) {
  std::optional<tbb::task_group> first;
  first.emplace();
  tbb::task_group second;
  int ran = 0;
  tbb::task_handle heir;
  tbb::task_handle task = first->defer([&] {
    heir = second.defer([&ran] { ++ran; });
    tbb::task_group::transfer_this_task_completion_to(heir);
  });
  const tbb::task_completion_handle completion_of_task = task;
  first->run(std::move(task));
  EXPECT_EQ(first->wait(), tbb::complete);
  first.reset();

  const tbb::task_completion_handle completion = heir;
  EXPECT_NE(completion, completion_of_task);
  EXPECT_EQ(completion, tbb::task_completion_handle(heir));
  EXPECT_EQ(second.get_status_of(completion), tbb::not_complete);
  EXPECT_EQ(second.run_and_wait_for_task(std::move(heir)), tbb::task_complete);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(second.get_status_of(completion), tbb::task_complete);
  EXPECT_EQ(second.get_status_of(completion_of_task), tbb::task_complete);
  EXPECT_EQ(second.wait(), tbb::complete);
}

// With a limit of one nobody but the waiting thread can run it.
TEST_P(WaitForTaskTest, TheTaskMayBeInAnotherArena) {
  for (int round = 0; round < 20; ++round) {
    tbb::task_group group;
    tbb::task_handle never = group.defer([] {});
    tbb::task_handle here = group.defer([] {});
    tbb::task_handle there = group.defer([] {});
    const tbb::task_completion_handle completion = here;
    const tbb::task_completion_handle from_thread = there;
    tbb::task_arena arena(2);
    arena.execute([&] { group.run(std::move(here)); });
    std::thread([&] { group.run(std::move(there)); }).join();
    EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);
    EXPECT_EQ(group.wait_for_task(from_thread), tbb::task_complete);
    never = tbb::task_handle();
    EXPECT_EQ(group.wait(), tbb::complete);
  }
}

// The waiting thread may be asleep when the task goes where nobody works.
TEST_P(WaitForTaskTest, TheTaskMayComeLater) {
  tbb::task_arena arena(2);
  for (int round = 0; round < 200; ++round) {
    tbb::task_group group;
    tbb::task_handle task = group.defer([] {});
    const tbb::task_completion_handle completion = task;
    std::thread runner([&] {
      if (round % 3 == 0) {
        arena.execute([&] { group.run(std::move(task)); });
      } else if (round % 3 == 1) {
        group.run(std::move(task));
      } else {
        task = tbb::task_handle();
      }
    });
    EXPECT_EQ(group.wait_for_task(completion), round % 3 == 2 ? tbb::canceled : tbb::task_complete);
    runner.join();
    EXPECT_EQ(group.wait(), tbb::complete);
  }
}

TEST_P(WaitForTaskTest, SeveralThreadsWaitForSeveralTasks) {
  constexpr unsigned kTasks = 40;
  for (unsigned round = 0; round < 20; ++round) {
    tbb::task_group group;
    bool over[kTasks] = {};  // the waits are all that protects it
    std::vector<tbb::task_handle> tasks;
    std::vector<tbb::task_completion_handle> completions;
    for (unsigned i = 0; i < kTasks; ++i) {
      tasks.push_back(group.defer([&over, i] { over[i] = true; }));
      completions.push_back(tasks.back());
    }
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; ++t) {
      threads.emplace_back(
          [&, mine = completions, random = std::minstd_rand(round * 3 + t)]() mutable {
            for (unsigned i = 0; i < kTasks; ++i) {
              const unsigned one = static_cast<unsigned>(random() % kTasks);
              if (group.get_status_of(mine[one]) == tbb::not_complete) {
                EXPECT_EQ(group.wait_for_task(mine[one]), tbb::task_complete);
              }
              EXPECT_TRUE(over[one]);
            }
          });
    }
    for (tbb::task_handle& task : tasks) group.run(std::move(task));
    for (const tbb::task_completion_handle& completion : completions) {
      EXPECT_EQ(group.wait_for_task(completion), tbb::task_complete);
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(group.wait(), tbb::complete);
  }
}

}  // namespace

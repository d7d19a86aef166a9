#include "filch/pool/fork_join_task.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

class ForkJoinTaskTest : public PoolTest {};

class Fib final : public ForkJoinTask<std::int64_t> {
 public:
  explicit Fib(int n) : n_(n) {}
  std::int64_t Compute() override {
    if (n_ < 2) return n_;
    Fib a(n_ - 1);
    a.Fork();
    const std::int64_t b = Fib(n_ - 2).Compute();
    return a.Join() + b;
  }

 private:
  const int n_;
};

class FibOfAll final : public ForkJoinTask<std::int64_t> {
 public:
  explicit FibOfAll(int n) : n_(n) {}
  std::int64_t Compute() override {
    if (n_ < 2) return n_;
    FibOfAll a(n_ - 1);
    FibOfAll b(n_ - 2);
    InvokeAll(a, b);
    return a.Join() + b.Join();
  }

 private:
  const int n_;
};

// A task that calls a function.
template <typename F, typename R = decltype(std::declval<F&>()())>
class Calls final : public ForkJoinTask<R> {
 public:
  explicit Calls(F f) : f_(std::move(f)) {}
  R Compute() override { return f_(); }

 private:
  F f_;
};

TEST_P(ForkJoinTaskTest, RecursionGivesTheSerialAnswer) {
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(pool_.Execute([] { return Fib(18).Invoke(); }), 2584);
    EXPECT_EQ(pool_.Execute([] { return FibOfAll(18).Invoke(); }), 2584);
  }
}

TEST_P(ForkJoinTaskTest, ResultsOfAnyKindArrive) {
  pool_.Execute([] {
    int target = 7;
    bool called = false;
    Calls unique([] { return std::make_unique<int>(5); });
    Calls reference([&]() -> int& { return target; });
    Calls nothing([&] { called = true; });
    Calls text([] { return std::string("a text that is too long to be stored in place"); });
    unique.Fork();
    reference.Fork();
    nothing.Fork();
    text.Fork();
    EXPECT_EQ(text.Join().size(), 45u);
    nothing.Join();
    EXPECT_TRUE(called);
    EXPECT_EQ(&reference.Join(), &target);
    EXPECT_EQ(*unique.Join(), 5);
  });
}

TEST_P(ForkJoinTaskTest, TasksMayBeJoinedInAnyOrder) {
  pool_.Execute([] {
    constexpr int kTasks = 100;
    std::vector<std::unique_ptr<Fib>> tasks;
    for (int i = 0; i < kTasks; ++i) tasks.push_back(std::make_unique<Fib>(i % 10));
    std::int64_t fib[10];
    for (int i = 0; i < 10; ++i) fib[i] = Fib(i).Invoke();
    for (int step : {1, 3, 7, 99}) {  // without common factors with the number of tasks
      for (const auto& task : tasks) task->Fork();
      for (int i = 0, k = 0; i < kTasks; ++i, k = (k + step) % kTasks) {
        EXPECT_EQ(tasks[static_cast<std::size_t>(k)]->Join(), fib[k % 10]);
      }
    }
  });
}

TEST_P(ForkJoinTaskTest, AGroupsWaitMayRunAForkedTask) {
  pool_.Execute([] {
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> runs{0};
      Calls task([&] { return ++runs; });
      TaskGroup group;
      group.Run([] {});
      task.Fork();
      group.Wait();
      EXPECT_EQ(task.Join(), 1);
      EXPECT_EQ(runs.load(), 1);
    }
  });
}

TEST_P(ForkJoinTaskTest, JoinThrowsWhatComputeThrew) {
  pool_.Execute([] {
    for (int round = 0; round < 50; ++round) {
      Calls task([]() -> int { throw std::runtime_error("from the task"); });
      task.Fork();
      if (round % 2 == 0) std::this_thread::yield();  // leaves time for a thief
      EXPECT_THROW(task.Join(), std::runtime_error);
      // It may be forked again.
      task.Fork();
      EXPECT_THROW(task.Join(), std::runtime_error);
    }
  });
}

TEST_P(ForkJoinTaskTest, InvokeAllThrowsTheFirstExceptionWhenAllIsOver) {
  pool_.Execute([] {
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> inside{0};
      const auto enter = [&](const char* error) {
        ++inside;
        std::this_thread::yield();
        --inside;
        if (error != nullptr) throw std::runtime_error(error);
        return 1;
      };
      Calls good([&] { return enter(nullptr); });
      Calls bad([&] { return enter("first"); });
      Calls worse([&] { return enter("second"); });
      try {
        InvokeAll(good, bad, worse);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "first");
      }
      EXPECT_EQ(inside.load(), 0);
      // All are as new.
      good.Fork();
      EXPECT_EQ(good.Join(), 1);
    }
  });
}

TEST_P(ForkJoinTaskTest, InvokeAllTakesTasksOfDifferentKinds) {
  pool_.Execute([] {
    bool called = false;
    Calls number([] { return 1; });
    Calls nothing([&] { called = true; });
    Calls unique([] { return std::make_unique<int>(2); });
    InvokeAll(number, nothing, unique);
    EXPECT_TRUE(called);
    nothing.Join();
    EXPECT_EQ(number.Join() + *unique.Join(), 3);
  });
}

TEST_P(ForkJoinTaskTest, ACancelledTaskStillHasAResult) {
  pool_.Execute([] {
    TaskGroup group;
    std::int64_t fib = 0;
    group.Run([&] {
      group.Cancel();
      fib = Fib(12).Invoke();
    });
    EXPECT_TRUE(group.Wait());
    EXPECT_EQ(fib, 144);
  });
}

TEST_P(ForkJoinTaskTest, AnotherThreadMayJoin) {
  Arena& arena = pool_.AcquireArena({1, 1, Priority::kNormal});
  for (int round = 0; round < 20; ++round) {
    Fib task(10);
    std::atomic<bool> forked{false};
    std::atomic<bool> joined{false};
    std::thread owner([&] {
      ExecuteIn(arena, [&] {
        task.Fork();
        forked = true;
        // This thread does not help, and stays where the task is.
        while (round % 2 == 0 && !joined.load()) std::this_thread::yield();
      });
    });
    while (!forked.load()) std::this_thread::yield();
    EXPECT_EQ(pool_.Execute([&] { return task.Join(); }), 55);
    joined = true;
    owner.join();
  }
  pool_.ReleaseArena(arena);
}

// Nobody else can take the task out of the thread's own deque, and there is no other slot.
TEST_P(ForkJoinTaskTest, AJoinInAnotherArenaFindsWhatItsThreadHasForked) {
  Arena& home = pool_.AcquireArena({2, 2, Priority::kNormal});
  Arena& there = pool_.AcquireArena({1, 1, Priority::kNormal});
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  std::thread other([&] {
    ExecuteIn(home, [&] {
      inside = true;
      YieldUntil(over);
    });
  });
  YieldUntil(inside);
  ExecuteIn(home, [&] {
    Calls task([] { return 7; });
    task.Fork();
    ExecuteIn(there, [&] { EXPECT_EQ(task.Join(), 7); });
  });
  over = true;
  other.join();
  pool_.ReleaseArena(home);
  pool_.ReleaseArena(there);
}

TEST_P(ForkJoinTaskTest, AThiefsResultIsThereWhenItIsDone) {
  if (GetParam().concurrency < 2) return;
  pool_.Execute([] {
    for (int round = 0; round < 50; ++round) {
      int plain = 0;
      Calls task([&] { return plain = 1; });
      task.Fork();
      while (!task.IsDone()) std::this_thread::yield();
      EXPECT_EQ(plain, 1);
      EXPECT_EQ(task.Join(), 1);
    }
  });
}

TEST_P(ForkJoinTaskTest, EveryTaskIsCountedOnce) {
  const std::int64_t before = pool_.Stats().tasks;
  pool_.Execute([] {
    Calls task([] {});
    for (int i = 0; i < 100; ++i) {
      task.Fork();
      task.Join();
    }
  });
  EXPECT_EQ(pool_.Stats().tasks - before, 100);
}

FILCH_INSTANTIATE_POOL_TEST(ForkJoinTaskTest);

class ForkJoinTaskDeathTest : public testing::Test {
 protected:
  ForkJoinTaskDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

// In a pool of one thread: a task that is destroyed while a worker runs it is a
// data race before it is a sentence.
void RunAlone(const std::function<void()>& mistake) {
  PoolOptions options;
  options.concurrency = 1;
  Pool(options).Execute(mistake);
}

TEST_F(ForkJoinTaskDeathTest, MistakesEndWithASentence) {
  EXPECT_DEATH(RunAlone([] {
                 Fib task(3);
                 task.Fork();
               }),
               "a task was destroyed between Fork and Join");
  EXPECT_DEATH(RunAlone([] {
                 Fib task(3);
                 task.Fork();
                 task.Fork();
               }),
               "a task was forked twice");
  EXPECT_DEATH(RunAlone([] {
                 Fib task(3);
                 task.Join();
               }),
               "a task was joined that had not been forked");
  EXPECT_DEATH(RunAlone([] {
                 Fib task(3);
                 task.Fork();
                 InvokeAll(task);
               }),
               "a task that is forked was given to InvokeAll");
}

}  // namespace
}  // namespace filch

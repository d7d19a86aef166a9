#include "filch/pool/join.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/wait_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class JoinTest : public PoolTest {};

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

TEST_P(JoinTest, RunsBothFunctions) {
  pool_.Execute([] {
    int a = 0;
    int b = 0;
    Join([&] { a = 1; }, [&] { b = 2; });
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, 2);
  });
}

TEST_P(JoinTest, RunsManyFunctions) {
  pool_.Execute([] {
    int done[7] = {};
    Join([&] { ++done[0]; }, [&] { ++done[1]; }, [&] { ++done[2]; }, [&] { ++done[3]; },
         [&] { ++done[4]; }, [&] { ++done[5]; }, [&] { ++done[6]; });
    EXPECT_EQ(std::accumulate(std::begin(done), std::end(done), 0), 7);
    for (const int count : done) EXPECT_EQ(count, 1);
  });
}

TEST_P(JoinTest, RecursionGivesTheSerialAnswer) {
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(pool_.Execute([] { return Fib(20); }), 6765);
  }
}

TEST_P(JoinTest, FunctionsThatNeedEachOtherRunAtTheSameTime) {
  if (GetParam().concurrency < 2) return;
  for (int round = 0; round < 50; ++round) {
    pool_.Execute([] {
      std::atomic<bool> second{false};
      Join(
          [&] {
            while (!second.load()) std::this_thread::yield();
          },
          [&] { second.store(true); });
      EXPECT_TRUE(second.load());
    });
  }
}

TEST_P(JoinTest, AThiefSharesUnaskedWhatItSpawnsFirst) {
  // With more threads another one may have asked, or take it.
  if (GetParam().concurrency != 2) return;
  pool_.Execute([] {
    const auto is_shared = [] { return pool_internal::CurrentSlot().deque.HasShared(); };
    std::atomic<bool> second{false};
    bool first_is_shared = false;
    bool next_is_shared = true;
    Join(
        [&] {
          while (!second.load()) std::this_thread::yield();
        },
        [&] {
          Join([&] { first_is_shared = is_shared(); }, [] {});
          Join([&] { next_is_shared = is_shared(); }, [] {});
          second.store(true);
        });
    EXPECT_TRUE(first_is_shared);
    EXPECT_FALSE(next_is_shared);
  });
}

TEST_P(JoinTest, TheFirstFunctionsExceptionArrives) {
  pool_.Execute([] {
    for (int round = 0; round < 100; ++round) {
      EXPECT_THROW(Join([] { throw std::runtime_error("first"); }, [] {}), std::runtime_error);
    }
  });
}

TEST_P(JoinTest, TheSecondFunctionsExceptionArrives) {
  pool_.Execute([] {
    for (int round = 0; round < 100; ++round) {
      try {
        Join([] { Fib(5); }, [] { throw std::runtime_error("second"); });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()), "second");
      }
    }
  });
}

TEST_P(JoinTest, IfBothThrowTheFirstCounts) {
  pool_.Execute([] {
    for (int round = 0; round < 100; ++round) {
      try {
        Join([] { throw std::runtime_error("first"); }, [] { throw std::runtime_error("second"); });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()), "first");
      }
    }
  });
}

TEST_P(JoinTest, ThrowingDeepInsideLeavesNothingRunning) {
  pool_.Execute([] {
    for (int round = 0; round < 30; ++round) {
      std::atomic<int> inside{0};
      struct Counted {
        explicit Counted(std::atomic<int>& counter) : count(counter) { ++count; }
        ~Counted() { --count; }
        std::atomic<int>& count;
      };
      struct Tree {
        static void Walk(std::atomic<int>& count, int depth) {
          const Counted counted(count);
          if (depth == 0) throw std::logic_error("leaf");
          Join([&] { Walk(count, depth - 1); }, [&] { Walk(count, depth - 1); });
        }
      };
      EXPECT_THROW(Tree::Walk(inside, 6), std::logic_error);
      EXPECT_EQ(inside.load(), 0);
    }
  });
}

// In the first function of a join, a wait that has the second one run, which leaves a task
// where the second one was in the deque.
class SecondInAWaitOfTheFirst {
 public:
  SecondInAWaitOfTheFirst() { awaited_.Add(); }
  void First() { awaited_.WaitForTasks(); }
  void Second() {
    if (++seconds_ > 1) return;
    left_.Run([this] { ++lefts_; });
    awaited_.Withdraw();
  }
  void ExpectEachOnce() {
    ASSERT_EQ(seconds_, 1);
    left_.WaitForTasks();
    EXPECT_EQ(lefts_, 1);
  }

 private:
  Context context_;
  WaitGroup left_{context_};
  WaitGroup awaited_{context_};
  std::atomic<int> seconds_{0};
  std::atomic<int> lefts_{0};
};

TEST_P(JoinTest, WhatAWaitInTheFirstFunctionHasRunIsNotRunAgain) {
  pool_.Execute([] {
    SecondInAWaitOfTheFirst shape;
    Join([&] { shape.First(); }, [&] { shape.Second(); });
    shape.ExpectEachOnce();
  });
}

TEST_P(JoinTest, WhatAWaitInTheFirstFunctionHasLeftIsNotDroppedWithTheSecond) {
  pool_.Execute([] {
    SecondInAWaitOfTheFirst shape;
    EXPECT_THROW(Join(
                     [&] {
                       shape.First();
                       throw std::runtime_error("first");
                     },
                     [&] { shape.Second(); }),
                 std::runtime_error);
    shape.ExpectEachOnce();
  });
}

TEST_P(JoinTest, WhatAWaitInAUnitHasRunIsNotRunAgain) {
  if (GetParam().concurrency < 2) return;  // the units of a loop have no second thread
  pool_.Execute([] {
    for (int round = 0; round < 100; ++round) {
      SecondInAWaitOfTheFirst shape;
      ParallelFor(0, 2, [&](int i) { i == 0 ? shape.First() : shape.Second(); });
      shape.ExpectEachOnce();
    }
  });
}

TEST_P(JoinTest, ManyOutsideThreadsJoinAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        if (pool_.Execute([] { return Fib(16); }) == 987) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right.load(), 30);
}

// Of two threads, which look for work for long.
TEST(JoinOfManyTest, WhoAsksForMoreGetsItBetweenFunctions) {
  PoolOptions options;
  options.concurrency = 2;
  options.spin = std::chrono::milliseconds(100);
  Pool pool(options);
  pool.Execute([] {
    const auto& deque = pool_internal::CurrentSlot().deque;
    std::atomic<bool> last_has_run{false};
    const auto asked = [&] { return deque.exposure_requested() || deque.private_size() < 4; };
    Join(
        [&] {
          while (!last_has_run.load() || !asked()) std::this_thread::yield();
        },
        // Of the three after it, one at least.
        [&] { EXPECT_LT(deque.private_size(), 3); }, [] {}, [] {}, [] {},
        [&] { last_has_run.store(true); });
  });
}

FILCH_INSTANTIATE_POOL_TEST(JoinTest);

}  // namespace
}  // namespace filch

#include <tbb/blocked_range.h>
#include <tbb/collaborative_call_once.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"
#include "tests/executed_instructions.h"
#include "tests/yield_for_a_while.h"

namespace {

using CollaborativeCallOnceTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, CollaborativeCallOnceTest, kLimits);

TEST_P(CollaborativeCallOnceTest, CallsOnceAndForwardsArguments) {
  tbb::collaborative_once_flag flag;
  int result = 0;
  const auto add = [&](std::unique_ptr<int> a, int b) { result += *a + b; };
  for (int i = 0; i < 3; ++i) {
    tbb::collaborative_call_once(flag, add, std::make_unique<int>(4), 5);
  }
  EXPECT_EQ(result, 9);
}

TEST_P(CollaborativeCallOnceTest, EveryCallerSeesTheResult) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    tbb::collaborative_once_flag flag;
    int value = 0;
    std::atomic<int> calls{0};
    tbb::parallel_for(0, 100, [&](int) {
      tbb::collaborative_call_once(flag, [&] {
        ++calls;
        std::atomic<int> sum{0};
        tbb::parallel_for(0, 64, [&](int i) { sum += i; });
        value = sum;
      });
      ASSERT_EQ(value, 2016);
    });
    ASSERT_EQ(calls, 1);
  }
}

TEST_P(CollaborativeCallOnceTest, IsNotCutShortWhereTheCallerIsCancelled) {
  tbb::collaborative_once_flag flag;
  std::atomic<int> calls{0};
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        context.cancel_group_execution();
        tbb::collaborative_call_once(flag,
                                     [&] { tbb::parallel_for(0, 1000, [&](int) { ++calls; }); });
      },
      context);
  EXPECT_EQ(calls, 1000);
}

TEST_P(CollaborativeCallOnceTest, ManyThreadsOfTheProgram) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    tbb::collaborative_once_flag flag;
    std::atomic<int> calls{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        tbb::collaborative_call_once(flag, [&] {
          tbb::parallel_for(0, 64, [&](int) {});
          ++calls;
        });
        EXPECT_EQ(calls, 1);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_P(CollaborativeCallOnceTest, AnExceptionLeavesTheFlagUnset) {
  tbb::collaborative_once_flag flag;
  std::atomic<int> tries{0};
  std::atomic<int> thrown{0};
  tbb::parallel_for(0, 20, [&](int) {
    try {
      tbb::collaborative_call_once(flag, [&] {
        if (++tries <= 3) throw 1;
      });
    } catch (int) {
      ++thrown;
    }
  });
  EXPECT_EQ(tries, 4);
  EXPECT_EQ(thrown, 3);
}

TEST_P(CollaborativeCallOnceTest, FlagsNest) {
  tbb::collaborative_once_flag outer;
  tbb::collaborative_once_flag inner;
  int value = 0;
  tbb::parallel_for(0, 50, [&](int) {
    tbb::collaborative_call_once(outer, [&] {
      tbb::collaborative_call_once(inner, [&] { value = 1; });
      ++value;
    });
    ASSERT_EQ(value, 2);
  });
}

// Runs a function where it is to run.
using Where = std::function<void(const std::function<void()>&)>;

// A thread that is in the call of a flag, and there, when somebody waits for it, does something
// more before it returns.
class OtherCaller {
 public:
  OtherCaller(const Where& where, const std::function<void()>& at_last)
      : thread_([=] {
          where([&] {
            tbb::collaborative_call_once(flag_, [&] {
              is_called_ = true;
              while (!is_awaited_) std::this_thread::yield();
              at_last();
            });
          });
        }) {
    while (!is_called_) std::this_thread::yield();
  }
  ~OtherCaller() { thread_.join(); }

  // Calls the flag, too.
  void Await() {
    is_awaited_ = true;
    tbb::collaborative_call_once(flag_, [] { FAIL() << "it is called twice"; });
  }

 private:
  tbb::collaborative_once_flag flag_;
  std::atomic<bool> is_called_{false};
  std::atomic<bool> is_awaited_{false};
  std::thread thread_;
};

// A thread that holds a lock comes to wait for another one's call, and has a task that would
// take the lock. `first` and `second` run what the two threads do where they are to do it.
void ExpectWaitRunsNoOwnTask(const Where& first, const Where& second) {
  static thread_local bool holds_lock = false;
  std::atomic<bool> ran_under_lock{false};
  OtherCaller other(first, [] {
    // Time for the other one to look for tasks, among which are some of this call.
    filch::YieldForAWhile([] {
      tbb::parallel_for(0, 64, [](int) {});
      return false;
    });
  });
  second([&] {
    tbb::task_group group;
    for (int i = 0; i < 5; ++i) {
      group.run([&] {
        if (holds_lock) ran_under_lock = true;
      });
    }
    holds_lock = true;
    other.Await();
    holds_lock = false;
    group.wait();
  });
  EXPECT_FALSE(ran_under_lock);
}

TEST_P(CollaborativeCallOnceTest, TheFunctionMayCancelItsOwnGroup) {
  tbb::collaborative_once_flag flag;
  int ran = 0;
  bool caller_is_cancelled = true;
  tbb::parallel_for(0, 1, [&](int) {
    tbb::collaborative_call_once(flag, [&] {
      tbb::task::current_context()->cancel_group_execution();
      tbb::parallel_for(0, 1000, [&](int) { ++ran; });
    });
    caller_is_cancelled = tbb::is_current_task_group_canceling();
  });
  EXPECT_EQ(ran, 0);
  EXPECT_FALSE(caller_is_cancelled);
}

TEST_P(CollaborativeCallOnceTest, WhoWaitsRunsNothingButWhatBelongsToTheCall) {
  // Without workers, which would take the tasks away.
  tbb::task_arena two(2, 2);
  tbb::task_arena full(1, 1);
  const Where outside = [](const std::function<void()>& f) { f(); };
  const Where in_two = [&](const std::function<void()>& f) { two.execute(f); };
  const Where in_full = [&](const std::function<void()>& f) { full.execute(f); };
  for (int repeat = 0; repeat < 5; ++repeat) {
    ExpectWaitRunsNoOwnTask(in_two, in_two);
    ExpectWaitRunsNoOwnTask(in_two, outside);
    ExpectWaitRunsNoOwnTask(outside, in_two);
    ExpectWaitRunsNoOwnTask(outside, outside);
    ExpectWaitRunsNoOwnTask(in_full, outside);
    ExpectWaitRunsNoOwnTask(in_full, in_two);
  }
}

// The same where the tasks are in the arena of the call, from which the waiting thread went on.
TEST_P(CollaborativeCallOnceTest, NorDoesWhoHasComeFromTheArenaOfTheCall) {
  static thread_local bool holds_lock = false;
  tbb::task_arena inner(1, 1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    // With oneTBB a thread that would need another place in its arena, which is full, may
    // wait for ever.
    const int places = kOnOneTbb ? 3 : 2 + repeat % 2;
    tbb::task_arena outer(places, static_cast<unsigned>(places));
    std::atomic<bool> ran_under_lock{false};
    OtherCaller other([&](const std::function<void()>& f) { outer.execute(f); },
                      [] { filch::YieldForAWhile(); });
    outer.execute([&] {
      tbb::task_group group;
      group.run([&] {
        if (holds_lock) ran_under_lock = true;
      });
      inner.execute([&] {
        holds_lock = true;
        other.Await();
        holds_lock = false;
      });
      group.wait();
    });
    EXPECT_FALSE(ran_under_lock);
  }
}

// Who returns may destroy the flag, though the caller whose function was called has not returned
// yet: it would find other bytes in its place, and call its function once more, or fail. It takes
// long to return, because the processor stops after each of its instructions.
TEST(CollaborativeCallOnceFlagTest, WhoReturnsMayDestroyTheFlag) {
  constexpr int kFlags = 40;
  alignas(tbb::collaborative_once_flag) unsigned char memory[sizeof(tbb::collaborative_once_flag)];
  std::atomic<tbb::collaborative_once_flag*> next{nullptr};
  std::atomic<int> calls{0};
  std::atomic<int> awaited{0};
  std::atomic<int> returned{0};
  std::thread first([&] {
    for (int i = 0; i < kFlags; ++i) {
      tbb::collaborative_once_flag* flag = nullptr;
      while ((flag = next.exchange(nullptr)) == nullptr) std::this_thread::yield();
      filch::ExecutedInstructions slow;
      tbb::collaborative_call_once(*flag, [&] {
        ++calls;
        while (awaited == i) std::this_thread::yield();
        slow.Start();
      });
      slow.Stop();
      ++returned;
    }
  });
  for (int i = 0; i < kFlags; ++i) {
    auto* const flag = ::new (static_cast<void*>(memory)) tbb::collaborative_once_flag;
    next = flag;
    while (calls == i) std::this_thread::yield();
    ++awaited;
    // Of each two the first one waits in the call, the other one comes at any time.
    for (volatile int spins = i % 2 * i * 1000; spins > 0; spins = spins - 1) {
    }
    tbb::collaborative_call_once(*flag, [] { FAIL() << "it is called twice"; });
    flag->~collaborative_once_flag();
    std::memset(memory, i % 2 == 0 ? 0 : 0xff, sizeof(memory));
    while (returned == i) std::this_thread::yield();
  }
  first.join();
  EXPECT_EQ(calls, kFlags);
}

// Somebody comes in addition for the call of a flag, when one of its threads cannot help: what it
// runs there may be any loop.
TEST(CollaborativeCallOnceInFullArenaTest, LoopsOfWhoComesInAdditionRunOnce) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena full(2, 2);
  tbb::task_arena elsewhere(1);
  std::atomic<bool> over{false};
  std::atomic<bool> is_full{false};
  std::thread second([&] {
    full.execute([&] {
      is_full = true;
      while (!over) std::this_thread::yield();
    });
  });
  while (!is_full) std::this_thread::yield();
  const auto loop = [](auto& partitioner) {
    std::vector<std::atomic<int>> ran(320);
    tbb::parallel_for(
        tbb::blocked_range<int>(0, 320),
        [&](const tbb::blocked_range<int>& range) {
          for (int i = range.begin(); i != range.end(); ++i) ++ran[static_cast<std::size_t>(i)];
          std::this_thread::yield();
        },
        partitioner);
    for (const std::atomic<int>& count : ran) ASSERT_EQ(count, 1);
  };
  std::atomic<bool> begun{false};
  OtherCaller other([&](const std::function<void()>& f) { full.execute(f); },
                    [&] {
                      tbb::task_group group;
                      group.run([&] {
                        begun = true;
                        tbb::affinity_partitioner affinity;
                        for (int i = 0; i < 50; ++i) loop(affinity);
                        const tbb::static_partitioner in_equal_parts;
                        for (int i = 0; i < 50; ++i) loop(in_equal_parts);
                      });
                      // With oneTBB it is this thread that runs it.
                      while (!begun && !kOnOneTbb) std::this_thread::yield();
                      group.wait();
                      over = true;
                    });
  elsewhere.execute([&] { other.Await(); });
  second.join();
}

}  // namespace

// The shapes in which schedulers are known to hang: somebody waits, the work is
// there, and nobody runs it.  Every test ends, or it has found such a hang; no
// time-out in the scheduler could hide it.
//
//   hang_shapes_stress_test                    a few seconds
//   hang_shapes_stress_test --rounds=100000    so many rounds of each shape
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/helping.h"
#include "filch/pool/isolate.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

int rounds = 60;

struct Setting {
  int concurrency;
  int spin_microseconds;
  bool one_cpu;

  friend std::ostream& operator<<(std::ostream& out, const Setting& setting) {
    return out << setting.concurrency << " threads, spin " << setting.spin_microseconds
               << " us, one cpu: " << setting.one_cpu;
  }
};

class HangShapesTest : public testing::TestWithParam<Setting> {
 public:
  static std::string Name(const testing::TestParamInfo<Setting>& info) {
    return std::to_string(info.param.concurrency) + "Threads" +
           (info.param.spin_microseconds == 0 ? "NoSpin" : "") +
           (info.param.one_cpu ? "OneCpu" : "");
  }

 protected:
  // Threads inherit the cpus of the one that starts them.
  void SetUp() override {
    sched_getaffinity(0, sizeof(cpus_), &cpus_);
    if (!GetParam().one_cpu) return;
    int first = 0;
    while (!CPU_ISSET(first, &cpus_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof(one), &one);
  }
  void TearDown() override { sched_setaffinity(0, sizeof(cpus_), &cpus_); }

  static PoolOptions Options() {
    PoolOptions options;
    options.concurrency = GetParam().concurrency;
    options.spin = std::chrono::microseconds(GetParam().spin_microseconds);
    return options;
  }

 private:
  cpu_set_t cpus_;
};

// `parties` threads meet: each waits until all have come.
class Meeting {
 public:
  explicit Meeting(int parties) : missing_(parties) {}
  void Come() {
    missing_.fetch_sub(1, std::memory_order_acq_rel);
    YieldUntil([this] { return missing_.load(std::memory_order_acquire) == 0; });
  }

 private:
  std::atomic<int> missing_;
};

// --- work of one thread, awaited by another

TEST_P(HangShapesTest, TheSubmitterIsBlockedUntilTheTaskHasRun) {
  Pool pool(Options());
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  for (int round = 0; round < rounds; ++round) {
    pool.Execute([&] {
      TaskGroup group;
      Meeting submitted(2);
      std::atomic<bool> ran{false};
      std::thread submitter([&] {
        ExecuteIn(arena, [&] {
          group.Run([&] { ran = true; });
          submitted.Come();
          YieldUntil([&] { return ran.load(); });
        });
      });
      submitted.Come();
      group.Wait();
      EXPECT_TRUE(ran.load());
      submitter.join();
    });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, TheSubmittersAreGone) {
  Pool pool(Options());
  std::vector<Arena*> arenas;
  for (int i = 0; i < 3; ++i) arenas.push_back(&pool.AcquireArena({2, 1, Priority::kNormal}));
  for (int round = 0; round < rounds; ++round) {
    pool.Execute([&] {
      TaskGroup group;
      std::atomic<int> runs{0};
      std::vector<std::thread> submitters;
      for (Arena* const arena : arenas) {
        submitters.emplace_back([&, arena] {
          ExecuteIn(*arena, [&] {
            for (int i = 0; i < 3; ++i) group.Run([&] { ++runs; });
          });
        });
      }
      for (std::thread& submitter : submitters) submitter.join();
      group.Wait();
      EXPECT_EQ(runs.load(), 9);
    });
  }
  for (Arena* const arena : arenas) pool.ReleaseArena(*arena);
}

TEST_P(HangShapesTest, AttachedThreadsComeAndGoAndLeaveTasks) {
  // These threads are in arenas of the default pool.
  for (int round = 0; round < rounds; ++round) {
    TaskGroup group;
    std::atomic<int> runs{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        group.Run([&] { ++runs; });
        Join([&] { ++runs; }, [&] { ++runs; });
        if (i % 2 == 0) group.WaitForTasks();
      });
    }
    group.WaitForTasks();
    for (std::thread& thread : threads) thread.join();
    group.Wait();
    EXPECT_EQ(runs.load(), 12);
  }
}

TEST_P(HangShapesTest, AThreadAttachesWhereAnotherOneHelps) {
  for (int round = 0; round < rounds; ++round) {
    TaskGroup group;
    std::atomic<bool> started{false};
    std::atomic<bool> over{false};
    std::thread([&] {
      group.Run([&] {
        started = true;
        YieldUntil([&] { return over.load(); });
      });
    }).join();
    // This thread goes to the arena of the one that is gone, and a third one may
    // be given that arena meanwhile.
    std::thread newcomer([&] {
      YieldUntil([&] { return started.load(); });
      std::thread([] { Join([] {}, [] {}); }).join();
      over = true;
    });
    group.Wait();
    newcomer.join();
  }
}

// --- the shared queue

TEST_P(HangShapesTest, AnArenaOfSizeOneGetsEnqueuedAndSpawnedWorkAtOnce) {
  for (int round = 0; round < rounds; ++round) {
    // Nobody has slept there yet: the first task of either kind calls somebody.
    Pool pool(Options());
    Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
    Meeting start(2);
    std::atomic<bool> ran{false};
    std::thread enqueuer([&] {
      start.Come();
      Enqueue(arena, [&] { ran = true; });
    });
    ExecuteIn(arena, [&] {
      TaskGroup group;
      start.Come();
      group.Run([] {});
      YieldUntil([&] { return ran.load(); });  // this thread does not help
      group.Wait();
    });
    enqueuer.join();
  }
}

TEST_P(HangShapesTest, EnqueueRacesWithTheLastWorkerGoingToSleep) {
  Pool pool(Options());
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  for (int round = 0; round < 10 * rounds; ++round) {
    std::atomic<bool> ran{false};
    Enqueue(arena, [&] { ran = true; });
    YieldUntil([&] { return ran.load(); });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, AWaiterTakesWhatTheMandatoryWorkerWasCalledFor) {
  Pool pool(Options());
  pool.SetWorkerLimit(0);
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  for (int round = 0; round < rounds; ++round) {
    std::atomic<int> runs{0};
    ExecuteIn(arena, [&] {
      // An outermost wait serves the queue too, and may be faster.
      for (int i = 0; i < 4; ++i) {
        TaskGroup group;
        group.Add();
        Enqueue(arena, [&] {
          ++runs;
          group.Withdraw();
        });
        group.Wait();
      }
    });
    Enqueue(arena, [&] { ++runs; });
    YieldUntil([&] { return runs.load() == 5; });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, TheLimitIsLoweredWhileWorkIsQueued) {
  Pool pool(Options());
  const int limit = GetParam().concurrency;
  Arena& arena = pool.AcquireArena({4, 1, Priority::kNormal});
  for (int round = 0; round < rounds; ++round) {
    pool.SetWorkerLimit(limit);
    std::atomic<int> runs{0};
    for (int i = 0; i < 4; ++i) Enqueue(arena, [&] { ++runs; });
    ExecuteIn(arena, [&] {
      TaskGroup group;
      for (int i = 0; i < 4; ++i) group.Run([&] { ++runs; });
      pool.SetWorkerLimit(0);
      YieldUntil([&] { return runs.load() >= 4; });
      group.Wait();
    });
    for (int i = 0; i < 4; ++i) Enqueue(arena, [&] { ++runs; });
    YieldUntil([&] { return runs.load() == 12; });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, TheLimitIsLoweredBeforeTheCalledWorkerArrives) {
  Pool pool(Options());
  Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
  for (int round = 0; round < rounds; ++round) {
    pool.SetWorkerLimit(1);
    std::atomic<bool> ran{false};
    ExecuteIn(arena, [&] {
      TaskGroup group;
      group.Run([] {});
      pool.SetWorkerLimit(0);
      group.Wait();
    });
    Enqueue(arena, [&] { ran = true; });
    YieldUntil([&] { return ran.load(); });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, TheLimitIsRaisedWhileWorkArrives) {
  for (int round = 0; round < rounds; ++round) {
    Pool pool(Options());
    pool.SetWorkerLimit(0);
    Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
    Meeting start(2);
    std::atomic<bool> ran{false};
    std::thread raiser([&] {
      start.Come();
      pool.SetWorkerLimit(1);
    });
    ExecuteIn(arena, [&] {
      TaskGroup group;
      start.Come();
      group.Run([&] { ran = true; });
      YieldUntil([&] { return ran.load(); });  // this thread does not help
      group.Wait();
    });
    raiser.join();
  }
}

// --- several arenas

TEST_P(HangShapesTest, TwoArenasWhoseTasksMeet) {
  // Each call has to reach a worker of its own.
  Pool pool(Options());
  pool.SetWorkerLimit(2);
  Arena& a = pool.AcquireArena({2, 0, Priority::kNormal});
  Arena& b = pool.AcquireArena({2, 0, Priority::kNormal});
  for (int round = 0; round < 4 * rounds; ++round) {
    Meeting meeting(2);
    Meeting start(2);
    std::atomic<int> runs{0};
    const auto task = [&] {
      meeting.Come();
      ++runs;
    };
    std::thread other([&] {
      start.Come();
      Enqueue(b, task);
    });
    start.Come();
    Enqueue(a, task);
    other.join();
    YieldUntil([&] { return runs.load() == 2; });
  }
  pool.ReleaseArena(a);
  pool.ReleaseArena(b);
}

TEST_P(HangShapesTest, NestedArenasExhaustEachOther) {
  Pool pool(Options());
  for (const int slots : {1, 2}) {
    Arena& a = pool.AcquireArena({slots, slots, Priority::kNormal});
    Arena& b = pool.AcquireArena({slots, 1, Priority::kHigh});
    for (int round = 0; round < rounds; ++round) {
      std::atomic<int> runs{0};
      const auto cross = [&](Arena& first, Arena& second) {
        ExecuteIn(first,
                  [&] { ExecuteIn(second, [&] { Join([&] { ++runs; }, [&] { ++runs; }); }); });
      };
      std::vector<std::thread> others;
      for (int t = 1; t < 2 * slots; ++t) {
        others.emplace_back([&, t] { cross(t % 2 == 0 ? a : b, t % 2 == 0 ? b : a); });
      }
      cross(a, b);
      for (std::thread& other : others) other.join();
      EXPECT_EQ(runs.load(), 4 * slots);
    }
    pool.ReleaseArena(a);
    pool.ReleaseArena(b);
  }
}

TEST_P(HangShapesTest, AllThreadsOfAFullArenaSleepInNestedWaits) {
  // For what somebody enqueues meanwhile, which such waits leave alone.
  Pool pool(Options());
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  for (int round = 0; round < rounds; ++round) {
    const auto awaited = ExecuteIn(arena, [] { return std::make_unique<TaskGroup>(); });
    awaited->Add();
    Meeting inside(3);
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        ExecuteIn(arena, [&] {
          inside.Come();
          TaskGroup outer;
          outer.Run([&] { awaited->Wait(); });
          outer.Wait();
        });
      });
    }
    inside.Come();
    Enqueue(arena, [&] { awaited->Withdraw(); });
    for (std::thread& thread : threads) thread.join();
  }
  pool.ReleaseArena(arena);
}

// --- who may take what

TEST_P(HangShapesTest, WaitersAreCalledOneAfterTheOther) {
  // Without workers; three threads wait, and three tasks meet.
  Pool pool(Options());
  pool.SetWorkerLimit(0);
  Arena& arena = pool.AcquireArena({3, 3, Priority::kNormal});
  for (int round = 0; round < rounds; ++round) {
    ExecuteIn(arena, [&] {
      TaskGroup done;
      Meeting ready(3);
      Meeting meeting(3);
      done.Add();  // keeps the others waiting
      std::vector<std::thread> waiters;
      for (int i = 0; i < 2; ++i) {
        waiters.emplace_back([&] {
          ExecuteIn(arena, [&] {
            ready.Come();
            done.WaitForTasks();
          });
        });
      }
      ready.Come();
      TaskGroup group;
      for (int i = 0; i < 3; ++i) group.Run([&] { meeting.Come(); });
      group.Wait();
      done.Withdraw();
      for (std::thread& waiter : waiters) waiter.join();
    });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, AnIsolatedWaitLeavesForeignTasksToOthers) {
  Pool pool(Options());
  // One worker may take the region's own task, then another one is needed.
  pool.SetWorkerLimit(2);
  Arena& arena = pool.AcquireArena({3, 1, Priority::kNormal});
  for (int round = 0; round < 4 * rounds; ++round) {
    ExecuteIn(arena, [&] {
      TaskGroup foreign;
      std::atomic<bool> ran{false};
      Isolate([&] {
        TaskGroup own;
        own.Run([&] { YieldUntil([&] { return ran.load(); }); });
        Isolate([&] { foreign.Run([&] { ran = true; }); });
        own.Wait();
      });
      foreign.Wait();
    });
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, AWaitThatDoesNotHelpGetsAWorkerAtLimitZero) {
  // Another thread spawns what is waited for, before or after the wait begins, and
  // neither runs it nor leaves.
  Pool pool(Options());
  pool.SetWorkerLimit(0);
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  for (int round = 0; round < 4 * rounds; ++round) {
    Meeting start(2);
    std::atomic<int> runs{0};
    std::atomic<bool> over{false};
    TaskGroup group;
    group.Add();
    std::thread other([&] {
      ExecuteIn(arena, [&] {
        start.Come();
        for (int i = 0; i < 2; ++i) group.Run([&] { ++runs; });
        group.Withdraw();
        YieldUntil([&] { return over.load(); });
      });
    });
    start.Come();
    ExecuteIn(arena, [&] { group.Wait(Helping::kOwnTasks); });
    EXPECT_EQ(runs.load(), 2);
    over = true;
    other.join();
  }
  pool.ReleaseArena(arena);
}

TEST_P(HangShapesTest, PoolsComeAndGoWithWorkInThem) {
  std::atomic<int> runs{0};
  for (int round = 0; round < rounds; ++round) {
    Pool pool(Options());
    Arena& low = pool.AcquireArena({1, 1, Priority::kLow});
    Arena& high = pool.AcquireArena({1, 1, Priority::kHigh});
    // What one arena's last task enqueues in the other runs as well.
    Enqueue(low, [&] {
      Enqueue(high, [&] {
        Enqueue(low, [&runs] { ++runs; });
        ++runs;
      });
      ++runs;
    });
  }
  EXPECT_EQ(runs.load(), 3 * rounds);
}

INSTANTIATE_TEST_SUITE_P(Settings, HangShapesTest,
                         testing::Values(Setting{1, 0, false}, Setting{1, 50, false},
                                         Setting{2, 0, false}, Setting{2, 50, false},
                                         Setting{2, 0, true}, Setting{16, 0, true},
                                         Setting{16, 50, false}),
                         HangShapesTest::Name);

}  // namespace
}  // namespace filch

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr char kRounds[] = "--rounds=";
  if (argc > 1 && std::strncmp(argv[1], kRounds, sizeof kRounds - 1) == 0) {
    filch::rounds = std::atoi(argv[1] + sizeof kRounds - 1);
  }
  return RUN_ALL_TESTS();
}

#include "filch/pool/arena.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/isolate.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/thread_name.h"
#include "tests/pool/yield_until.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace {

class ArenaTest : public PoolTest {
 protected:
  // An arena for the length of a test.
  class Borrowed {
   public:
    Borrowed(Pool& pool, const ArenaOptions& options)
        : pool_(pool), arena_(pool.AcquireArena(options)) {}
    ~Borrowed() { pool_.ReleaseArena(arena_); }
    Arena& operator*() const { return arena_; }

   private:
    Pool& pool_;
    Arena& arena_;
  };
};

TEST_P(ArenaTest, ExecuteReturnsValuesAndReferences) {
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  int value = 5;
  EXPECT_EQ(ExecuteIn(*arena, [&] { return value + 1; }), 6);
  int& reference = ExecuteIn(*arena, [&]() -> int& { return value; });
  EXPECT_EQ(&reference, &value);
  EXPECT_EQ(*ExecuteIn(*arena, [] { return std::make_unique<int>(3); }), 3);
}

TEST_P(ArenaTest, ExecuteCarriesExceptions) {
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  EXPECT_THROW(ExecuteIn(*arena, [] { throw std::runtime_error("inside"); }), std::runtime_error);
}

// Nobody has to ask, or to force it: the thread that could answer is gone.
TEST(LeftArenaTest, WhatIsLeftBehindIsThereToBeStolen) {
  constexpr int kTasks = 5;
  Pool pool(OfThreads(1));
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  TaskGroup group;
  int runs = 0;
  ExecuteIn(arena, [&] {
    for (int i = 0; i < kTasks; ++i) group.Run([&] { ++runs; });
  });
  EXPECT_EQ(arena.slots()[0].deque.private_size(), 0);
  EXPECT_EQ(arena.slots()[0].deque.ApproximateSizes().shared, kTasks);
  ExecuteIn(arena, [&] { group.Wait(); });
  EXPECT_EQ(runs, kTasks);
  pool.ReleaseArena(arena);
}

TEST_P(ArenaTest, SlotNumbersAreWithinTheConcurrencyAndStay) {
  const Borrowed arena(pool_, {3, 1, Priority::kNormal});
  ExecuteIn(*arena, [&] {
    const int index = CurrentSlotIndex();
    EXPECT_GE(index, 0);
    EXPECT_LT(index, 3);
    const Borrowed other(pool_, {2, 1, Priority::kNormal});
    ExecuteIn(*other, [&] { EXPECT_EQ(&CurrentArena(), &*other); });
    EXPECT_EQ(&CurrentArena(), &*arena);
    EXPECT_EQ(CurrentSlotIndex(), index);
    EXPECT_EQ(pool_internal::CurrentSlot().concurrency, 3);
  });
}

TEST_P(ArenaTest, ExecuteOnAFullArenaGetsThroughWhenASlotIsFree) {
  const Borrowed arena(pool_, {1, 1, Priority::kNormal});
  std::atomic<bool> inside{false};
  std::atomic<bool> leave{false};
  std::thread occupant([&] {
    ExecuteIn(*arena, [&] {
      inside = true;
      YieldUntil(leave);
    });
  });
  YieldUntil(inside);
  std::atomic<int> runs{0};
  std::vector<std::thread> seekers;
  for (int i = 0; i < 4; ++i) {
    seekers.emplace_back([&] { runs += ExecuteIn(*arena, [] { return 1; }); });
  }
  leave = true;
  for (std::thread& seeker : seekers) seeker.join();
  occupant.join();
  EXPECT_EQ(runs.load(), 4);
}

TEST_P(ArenaTest, ExecuteOnAFullArenaCarriesResultsAndExceptions) {
  const Borrowed arena(pool_, {1, 1, Priority::kNormal});
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        try {
          right += ExecuteIn(*arena, [i]() -> std::string {
                     if (i == 3) throw std::runtime_error("three");
                     return std::to_string(i);
                   }) == std::to_string(i);
        } catch (const std::runtime_error& error) {
          right += error.what() == std::string("three");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right.load(), 4);
  }
}

TEST_P(ArenaTest, EnqueuedFunctionsRunEvenIfNobodyWaits) {
  for (const ArenaOptions& options :
       {ArenaOptions{1, 1, Priority::kNormal}, ArenaOptions{2, 1, Priority::kLow},
        ArenaOptions{2, 0, Priority::kHigh}}) {
    const Borrowed arena(pool_, options);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> runs{0};
      for (int i = 0; i < 10; ++i) Enqueue(*arena, [&] { ++runs; });
      while (runs.load() < 10) std::this_thread::yield();
    }
  }
}

TEST_P(ArenaTest, AnEnqueuedFunctionRunsWhileTheArenaIsFullOfBlockedThreads) {
  const Borrowed arena(pool_, {1, 1, Priority::kNormal});
  ExecuteIn(*arena, [&] {
    std::atomic<bool> ran{false};
    Enqueue(*arena, [&] { ran = true; });
    YieldUntil(ran);
  });
}

TEST_P(ArenaTest, NoMoreThreadsThanSlotsAreAwakeInAFullArena) {
  // Whoever has a table with a place for each of them may use it by their numbers.
  for (const ArenaOptions& options :
       {ArenaOptions{2, 0, Priority::kNormal}, ArenaOptions{2, 1, Priority::kNormal},
        ArenaOptions{2, 2, Priority::kNormal}, ArenaOptions{3, 1, Priority::kNormal}}) {
    const Borrowed arena(pool_, options);
    std::vector<std::atomic<bool>> taken(static_cast<std::size_t>(options.slots));
    std::atomic<int> clashes{0};
    std::atomic<int> runs{0};
    const auto use_place = [&] {
      const auto place = static_cast<std::size_t>(CurrentSlotIndex());
      if (place >= taken.size() || taken[place].exchange(true)) {
        ++clashes;
      } else {
        std::this_thread::yield();
        taken[place] = false;
      }
      ++runs;
    };
    constexpr int kRounds = 20;
    const int threads = 2 * options.slots;
    std::vector<std::thread> outside;
    for (int t = 0; t < threads; ++t) {
      outside.emplace_back([&] {
        for (int i = 0; i < kRounds; ++i) {
          Enqueue(*arena, use_place);
          ExecuteIn(*arena, [&] {
            use_place();
            TaskGroup group;
            for (int k = 0; k < 3; ++k) group.Run(use_place);
            group.Wait();
          });
        }
      });
    }
    for (std::thread& thread : outside) thread.join();
    while (runs.load() < threads * kRounds * 5) std::this_thread::yield();
    EXPECT_EQ(clashes.load(), 0) << options.slots << " slots, " << options.reserved << " reserved";
  }
}

TEST_P(ArenaTest, FullArenasWhoseThreadsWaitForEachOtherEnd) {
  const Borrowed a(pool_, {2, 2, Priority::kNormal});
  const Borrowed b(pool_, {2, 1, Priority::kNormal});
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> inside{0};
    std::atomic<int> runs{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        ExecuteIn(t < 2 ? *a : *b, [&] {
          ++inside;
          while (inside.load() < 4) std::this_thread::yield();
          ExecuteIn(t < 2 ? *b : *a, [&] { ++runs; });
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(runs.load(), 4);
  }
}

TEST_P(ArenaTest, AThreadComesBackToAnArenaThatItFillsItself) {
  const Borrowed a(pool_, {1, 1, Priority::kNormal});
  const Borrowed b(pool_, {1, 1, Priority::kNormal});
  const Borrowed busy(pool_, {1, 1, Priority::kNormal});
  // A worker, perhaps the only one, is elsewhere all the time.
  std::atomic<bool> started{false};
  std::atomic<bool> over{false};
  std::atomic<bool> left{false};
  Enqueue(*busy, [&] {
    started = true;
    YieldUntil(over);
    left = true;
  });
  YieldUntil(started);
  const int value =
      ExecuteIn(*a, [&] { return ExecuteIn(*b, [&] { return ExecuteIn(*a, [] { return 7; }); }); });
  EXPECT_EQ(value, 7);
  over = true;
  YieldUntil(left);
}

TEST_P(ArenaTest, AnEnqueuedFunctionRunsWhileTheArenaIsFullOfNestedWaits) {
  // Such waits leave enqueued functions alone, also the one that would end them.
  const Borrowed arena(pool_, {2, 2, Priority::kNormal});
  for (const bool after_they_sleep : {false, true}) {
    const std::int64_t parks = pool_.Stats().parks;
    const auto awaited = ExecuteIn(*arena, [] { return std::make_unique<TaskGroup>(); });
    awaited->Add();
    std::atomic<int> inside{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        ExecuteIn(*arena, [&] {
          ++inside;
          while (inside.load() < 2) std::this_thread::yield();
          TaskGroup outer;
          outer.Run([&] { awaited->Wait(); });
          outer.Wait();
        });
      });
    }
    while (inside.load() < 2 || (after_they_sleep && pool_.Stats().parks < parks + 2)) {
      std::this_thread::yield();
    }
    Enqueue(*arena, [&] { awaited->Withdraw(); });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_P(ArenaTest, AnEnqueuedFunctionRunsWhileTheOnlyWorkerOfTheArenaWaitsInside) {
  if (pool_.concurrency() < 3) GTEST_SKIP() << "There is no other worker.";
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> over{false};
    HeldWait wait;
    Enqueue(*arena, [&] {
      wait.Begin();
      over = true;
    });
    wait.UntilBegun();
    Enqueue(*arena, [&] { wait.End(); });
    YieldUntil(over);
  }
}

TEST_P(ArenaTest, TheThreadInTheExtraSlotLeavesItWhenOthersAreBack) {
  if (pool_.concurrency() < 3) GTEST_SKIP() << "There is no other worker.";
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  const std::atomic<bool>& extra_is_taken = (*arena).slots()[2].occupied;
  int rounds_with_extra = 0;
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> back{false};
    std::atomic<bool> ran{false};
    std::atomic<bool> gone{false};
    HeldWait wait;
    int waker = -1;
    bool waker_is_guard = false;
    int next = -1;
    Enqueue(*arena, [&] {
      wait.Begin();
      back = true;
      while (extra_is_taken && !ran) std::this_thread::yield();
      gone = true;
    });
    wait.UntilBegun();
    Enqueue(*arena, [&] {
      waker = pool_internal::CurrentSlot().index;
      waker_is_guard = NameOfThisThread() == "filch/extra";
      wait.End();
      YieldUntil(back);
      Enqueue(*arena, [&] {
        next = pool_internal::CurrentSlot().index;
        ran = true;
      });
    });
    YieldUntil(ran);
    YieldUntil(gone);
    if (waker != 2) continue;  // The one that waits has it, if it is left from before.
    ++rounds_with_extra;
    // On a busy machine the queue may have waited too long, and its guard leaves nothing behind.
    if (!waker_is_guard) {
      EXPECT_EQ(next, 1);
    }
  }
  EXPECT_GT(rounds_with_extra, 0);
}

TEST_P(ArenaTest, NobodyHasANumberBeyondTheSlotsOnceSomebodyHasAskedForOne) {
  if (pool_.concurrency() < 3) GTEST_SKIP() << "There is no other worker.";
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  // In whatever arena.
  pool_.Execute([] { return CurrentSlotIndex(); });
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> ran{false};
    int number = -1;
    HeldWait wait;
    // The only worker of the arena waits inside, and its other slot is for nobody.
    Enqueue(*arena, [&] { wait.Begin(); });
    wait.UntilBegun();
    Enqueue(*arena, [&] {
      number = CurrentSlotIndex();
      ran = true;
    });
    // A while in which one too many would come.
    YieldForAWhile([&] { return ran.load(); });
    wait.End();
    YieldUntil(ran);
    EXPECT_EQ(number, 1);
  }
}

TEST_P(ArenaTest, AThreadComesBackToItsOwnSlotInAFullArena) {
  const Borrowed a(pool_, {2, 2, Priority::kNormal});
  const Borrowed b(pool_, {2, 2, Priority::kNormal});
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  // The others in the arena are busy until it has been back.
  std::thread other([&] {
    ExecuteIn(*a, [&] {
      inside = true;
      YieldUntil(over);
    });
  });
  YieldUntil(inside);
  ExecuteIn(*a, [&] {
    const int number = CurrentSlotIndex();
    ExecuteIn(*b, [&] {
      EXPECT_EQ(ExecuteIn(*a, [] { return CurrentSlotIndex(); }), number);
      EXPECT_EQ(&CurrentArena(), &*b);
    });
    EXPECT_EQ(CurrentSlotIndex(), number);
  });
  over = true;
  other.join();
}

TEST_P(ArenaTest, AWaitThatSleepsElsewhereTakesWhatIsEnqueuedWhereItBegan) {
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  const Borrowed home(pool_, {2, 2, Priority::kNormal});
  ExecuteIn(*arena, [] { return CurrentSlotIndex(); });
  for (const bool after_they_sleep : {false, true}) {
    const std::int64_t parks = pool_.Stats().parks;
    // One thread waits inside a task, and takes nothing.
    HeldWait nested;
    std::thread first([&] {
      ExecuteIn(*arena, [&] {
        TaskGroup outer;
        outer.Run([&] { nested.Begin(); });
        outer.Wait();
      });
    });
    nested.UntilBegun();
    // The other one waits for a group that it has made elsewhere, and sleeps there.
    std::atomic<TaskGroup*> awaited{nullptr};
    std::thread second([&] {
      ExecuteIn(*home, [&] {
        TaskGroup group;
        group.Add();
        ExecuteIn(*arena, [&] {
          awaited = &group;
          group.Wait();
        });
      });
    });
    while (awaited.load() == nullptr || (after_they_sleep && pool_.Stats().parks < parks + 2)) {
      std::this_thread::yield();
    }
    Enqueue(*arena, [&] { awaited.load()->Withdraw(); });
    second.join();
    nested.End();
    first.join();
  }
}

// A thread in a slot that sleeps and cannot be called, so that the extra slot may be opened.
class AwayThread {
 public:
  explicit AwayThread(Arena& arena) : slot_(*arena.slots().OccupyFromOutside()) {
    slot_.away = true;
  }
  ~AwayThread() {
    slot_.away = false;
    slot_.arena->Vacate(slot_);
  }

 private:
  pool_internal::Slot& slot_;
};

TEST(ReusedArenaTest, ItsExtraSlotOpensAsThatOfANewOne) {
  Pool pool(OfThreads(1));
  const ArenaOptions options{2, 2, Priority::kNormal};
  Arena& arena = pool.AcquireArena(options);
  arena.CountOnOwnSlots();
  {
    const AwayThread away(arena);
    EXPECT_FALSE(arena.slots().ExtraIsOpen());
  }
  pool.ReleaseArena(arena);
  ASSERT_EQ(&pool.AcquireArena(options), &arena);
  {
    const AwayThread away(arena);
    EXPECT_TRUE(arena.slots().ExtraIsOpen());
  }
  pool.ReleaseArena(arena);
}

TEST(ReusedArenaTest, IsOneThatNobodyIsIn) {
  Pool pool(OfThreads(2));
  const ArenaOptions options{2, 2, Priority::kNormal};
  Arena& arena = pool.AcquireArena(options);
  {
    const AwayThread away(arena);
    pool.ReleaseArena(arena);
    EXPECT_NE(&pool.AcquireArena(options), &arena);
  }
  EXPECT_EQ(&pool.AcquireArena(options), &arena);
}

TEST(ReusedArenaTest, IsOneThatNothingWasLeftIn) {
  Pool pool(OfThreads(1));
  const ArenaOptions options{1, 0, Priority::kNormal};
  Arena& arena = pool.AcquireArena(options);
  TaskGroup group;
  int runs = 0;
  ExecuteIn(arena, [&] {
    group.Run([&runs] { ++runs; });
    pool.SetWorkerLimit(0);
  });
  pool.ReleaseArena(arena);
  EXPECT_NE(&pool.AcquireArena(options), &arena);
  group.Wait();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(&pool.AcquireArena(options), &arena);
}

// A worker is in one arena at a time, so no more than one for each of them is not reused.
TEST(ReusedArenaTest, ThoseThatAreReusedAreFew) {
  constexpr int kThreads = 4;
  Pool pool(OfThreads(kThreads));
  std::set<const Arena*> arenas;
  for (int round = 0; round < 500; ++round) {
    Arena& arena = pool.AcquireArena({kThreads, 1, Priority::kNormal});
    arenas.insert(&arena);
    std::atomic<int> ran{0};
    ExecuteIn(arena, [&ran] {
      TaskGroup group;
      for (int i = 0; i < 20; ++i) group.Run([&ran] { ++ran; });
      group.Wait();
    });
    EXPECT_EQ(ran, 20);
    pool.ReleaseArena(arena);
  }
  EXPECT_LE(arenas.size(), static_cast<std::size_t>(kThreads));
}

TEST(ReusedArenaTest, AnEnqueuedFunctionRunsWhileAllThreadsAreAway) {
  Pool pool(OfThreads(2));
  const ArenaOptions options{2, 2, Priority::kNormal};
  Arena& arena = pool.AcquireArena(options);
  arena.CountOnOwnSlots();
  pool.ReleaseArena(arena);
  ASSERT_EQ(&pool.AcquireArena(options), &arena);
  HeldWait waits[2];
  std::thread threads[2];
  for (int i = 0; i < 2; ++i) {
    threads[i] = std::thread(
        [&arena, &wait = waits[i]] { ExecuteIn(arena, [&] { Isolate([&] { wait.Begin(); }); }); });
  }
  for (const HeldWait& wait : waits) wait.UntilBegun();
  std::atomic<bool> ran{false};
  Enqueue(arena, [&] { ran = true; });
  YieldUntil(ran);
  for (HeldWait& wait : waits) wait.End();
  for (std::thread& thread : threads) thread.join();
  pool.ReleaseArena(arena);
}

// Who waits for the only place does not make it two.
TEST(ArenaConcurrencyTest, DelegatedCallsAreNoReasonForAnotherPlace) {
  class Call final : public Task {
   public:
    Call() : Task(&Call::Run, nullptr) {}
    std::atomic<bool> ran{false};

   private:
    static Task* Run(Task& task, Execution&) noexcept {
      static_cast<Call&>(task).ran = true;
      return nullptr;
    }
  };
  Pool pool(OfThreads(1));
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  pool_internal::Slot* const slot = arena.slots().OccupyFromOutside();
  Call call;
  arena.Delegate(call);
  EXPECT_EQ(arena.concurrency_now(), 1);
  if (!arena.TakeBackDelegated(call)) YieldUntil(call.ran);  // a worker has come for it
  EXPECT_EQ(arena.concurrency_now(), 1);
  arena.Vacate(*slot);
}

TEST_P(ArenaTest, WaitsInDelegatedFunctionsRunWhatIsDelegatedNext) {
  // Every thread waits for what a later one does, so each has to be let in, or its function
  // to be called in the wait of another one.
  constexpr int kThreads = 9;
  for (const int slots : {1, 2}) {
    const Borrowed arena(pool_, {slots, 1, Priority::kNormal});
    HeldWait waits[kThreads];
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        ExecuteIn(*arena, [&, i] {
          if (i + 1 < kThreads) return waits[i].Begin();
          // The last one waits for nobody.
          for (int k = 0; k + 1 < kThreads; ++k) waits[k].End();
        });
      });
      // The later ones are further in, so nobody waits for something that is below.
      if (i + 1 < kThreads) waits[i].UntilBegun();
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_P(ArenaTest, EnqueuedFunctionsMayUseTheWholeApi) {
  const Borrowed arena(pool_, {2, 1, Priority::kNormal});
  std::atomic<bool> over{false};
  int a = 0;
  int b = 0;
  Enqueue(*arena, [&] {
    Join([&] { a = 1; }, [&] { b = 2; });
    TaskGroup group;
    group.Run([&] { ++a; });
    group.Wait();
    over = true;
  });
  YieldUntil(over);
  EXPECT_EQ(a, 2);
  EXPECT_EQ(b, 2);
}

TEST_P(ArenaTest, PostedTasksRunOnceWhetherOrNotTheSlotIsUsed) {
  const Borrowed arena(pool_, {4, 1, Priority::kNormal});
  ExecuteIn(*arena, [&] {
    struct Posted : Task {
      Posted(TaskGroup& group_of_task, std::atomic<int>& counter)
          : Task(
                [](Task& task, Execution& execution) noexcept -> Task* {
                  auto& self = static_cast<Posted&>(task);
                  ++self.runs;
                  self.group.Done(execution);
                  return nullptr;
                },
                nullptr),
            group(group_of_task),
            runs(counter) {}
      TaskGroup& group;
      std::atomic<int>& runs;
    };
    for (int round = 0; round < 20; ++round) {
      TaskGroup group;
      std::atomic<int> runs{0};
      std::vector<std::unique_ptr<Posted>> tasks;
      for (int slot = 0; slot < 4; ++slot) {
        tasks.push_back(std::make_unique<Posted>(group, runs));
        group.Add();
        (*arena).Post(*tasks.back(), slot, 0);
      }
      group.Wait();
      EXPECT_EQ(runs.load(), 4);
    }
  });
}

TEST_P(ArenaTest, IsolatedWaitsRunNothingFromOutside) {
  pool_.Execute([] {
    for (int round = 0; round < 20; ++round) {
      TaskGroup outer;
      static thread_local bool locked = false;
      std::atomic<int> intruders{0};
      for (int i = 0; i < 8; ++i) {
        outer.Run([&] {
          if (locked) ++intruders;
          locked = true;
          Isolate([] {
            TaskGroup inner;
            for (int j = 0; j < 8; ++j) inner.Run([] { Join([] {}, [] {}); });
            inner.Wait();
          });
          locked = false;
        });
      }
      outer.Wait();
      EXPECT_EQ(intruders.load(), 0);
    }
  });
}

TEST_P(ArenaTest, IsolatedWaitsSeeTheirOwnTasksBelowForeignOnes) {
  pool_.Execute([] {
    TaskGroup foreign;
    std::atomic<int> foreign_runs{0};
    bool own_ran = false;
    foreign.Run([&] { ++foreign_runs; });
    Isolate([&] {
      TaskGroup own;
      own.Run([&] { own_ran = true; });
      // Tasks of an inner region that nobody has waited for lie above.
      Isolate([&] {
        for (int i = 0; i < 5; ++i) foreign.Run([&] { ++foreign_runs; });
      });
      own.Wait();
      EXPECT_TRUE(own_ran);
    });
    foreign.Wait();
    EXPECT_EQ(foreign_runs.load(), 6);
  });
}

TEST_P(ArenaTest, ArenasThatExhaustEachOthersSlotsEnd) {
  const Borrowed a(pool_, {1, 1, Priority::kNormal});
  const Borrowed b(pool_, {1, 1, Priority::kNormal});
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> runs{0};
    std::thread first([&] { ExecuteIn(*a, [&] { ++runs; }), ExecuteIn(*b, [&] { ++runs; }); });
    std::thread second([&] { ExecuteIn(*b, [&] { ++runs; }), ExecuteIn(*a, [&] { ++runs; }); });
    first.join();
    second.join();
    EXPECT_EQ(runs.load(), 4);
  }
}

TEST_P(ArenaTest, ThreadsAreBoundToTheArenasCpusWhileTheyAreInIt) {
  const absl::StatusOr<CpuSet> before = ThisThreadBinding();
  ASSERT_TRUE(before.ok()) << before.status();
  ArenaOptions options;
  options.slots = 2;
  options.cpus = {before->First()};
  const Borrowed arena(pool_, options);
  const Borrowed free_arena(pool_, {2, 1, Priority::kNormal});
  const auto binding = [] { return ThisThreadBinding().value_or(CpuSet()); };
  ExecuteIn(*arena, [&] {
    EXPECT_EQ(binding(), options.cpus);
    ExecuteIn(*free_arena, [&] { EXPECT_EQ(binding(), options.cpus); });
    std::atomic<bool> done{false};
    Enqueue(*arena, [&] {
      EXPECT_EQ(binding(), options.cpus);
      done = true;
    });
    YieldUntil(done);
  });
  EXPECT_EQ(binding(), *before);
  std::atomic<bool> done{false};
  Enqueue(*free_arena, [&] {
    EXPECT_EQ(binding(), *before);
    done = true;
  });
  YieldUntil(done);
}

TEST_P(ArenaTest, AWaitThatComesBackToAnArenaIsBoundToItsCpus) {
  const absl::StatusOr<CpuSet> before = ThisThreadBinding();
  ASSERT_TRUE(before.ok()) << before.status();
  if (before->size() < 2) GTEST_SKIP() << "There is one cpu.";
  ArenaOptions options;
  options.slots = 2;
  options.cpus = {before->First()};
  ArenaOptions other_options = options;
  other_options.cpus = {before->Last()};
  const Borrowed arena(pool_, options);
  const Borrowed other_arena(pool_, other_options);
  const auto binding = [] { return ThisThreadBinding().value_or(CpuSet()); };
  ExecuteIn(*arena, [&] {
    TaskGroup group;
    for (int i = 0; i < 10; ++i) group.Run([&] { EXPECT_EQ(binding(), options.cpus); });
    ExecuteIn(*other_arena, [&] {
      group.Wait();
      EXPECT_EQ(binding(), other_options.cpus);
    });
    EXPECT_EQ(binding(), options.cpus);
  });
  EXPECT_EQ(binding(), *before);
}

TEST_P(ArenaTest, OnlyPhasesKeepThreadsThatShallLeaveFast) {
  ArenaOptions options;
  options.leave_fast = true;
  const Borrowed fast(pool_, options);
  const Borrowed usual(pool_, ArenaOptions());
  EXPECT_EQ((*usual).spin(), GetParam().spin);
  EXPECT_EQ((*fast).spin().count(), 0);
  (*fast).phases().Start();
  (*fast).phases().Start();
  (*fast).phases().End();
  EXPECT_EQ((*fast).spin(), GetParam().spin);
  (*fast).phases().End();
  EXPECT_EQ((*fast).spin().count(), 0);
  // Once, until a worker comes again.
  (*usual).phases().Start();
  EXPECT_EQ((*usual).spin(), GetParam().spin);
  (*usual).phases().End(/*leave_fast=*/true);
  EXPECT_EQ((*usual).spin().count(), 0);
  (*usual).phases().Start();
  (*usual).phases().End();
  EXPECT_EQ((*usual).spin(), GetParam().spin);
}

TEST_P(ArenaTest, WhatPhasesLeftBehindIsNotTheNextOwners) {
  ArenaOptions fast_options;
  fast_options.leave_fast = true;
  const Arena* last = nullptr;
  {
    const Borrowed fast(pool_, fast_options);
    (*fast).phases().Start();
    last = &*fast;
  }
  const Borrowed fast(pool_, fast_options);
  EXPECT_EQ(&*fast, last);
  EXPECT_EQ((*fast).spin().count(), 0);
  {
    const Borrowed usual(pool_, ArenaOptions());
    (*usual).phases().Start();
    (*usual).phases().End(/*leave_fast=*/true);
    last = &*usual;
  }
  const Borrowed usual(pool_, ArenaOptions());
  EXPECT_EQ(&*usual, last);
  EXPECT_EQ((*usual).spin(), GetParam().spin);
}

FILCH_INSTANTIATE_POOL_TEST(ArenaTest);

TEST(ArenaPriorityTest, AWorkerThatBecomesFreeGoesWhereItMattersMost) {
  Pool pool(OfThreads(2));
  Arena& busy = pool.AcquireArena({1, 0, Priority::kNormal});
  std::atomic<bool> at_work{false};
  std::atomic<bool> free{false};
  Enqueue(busy, [&] {
    at_work = true;
    YieldUntil(free);
  });
  YieldUntil(at_work);
  // In each arena a thread has a task for the worker, and does not wait for it.
  std::vector<Priority> order;
  std::atomic<int> ready{0};
  std::vector<Arena*> arenas;
  std::vector<std::thread> threads;
  for (const Priority priority : {Priority::kLow, Priority::kHigh, Priority::kNormal}) {
    Arena* const arena = arenas.emplace_back(&pool.AcquireArena({2, 1, priority}));
    threads.emplace_back([&, arena, priority] {
      ExecuteIn(*arena, [&] {
        TaskGroup group;
        std::atomic<bool> ran{false};
        group.Run([&] {
          order.push_back(priority);
          ran = true;
        });
        ++ready;
        YieldUntil(ran);
        group.Wait();
      });
    });
  }
  while (ready.load() < 3) std::this_thread::yield();
  free = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<Priority>{Priority::kHigh, Priority::kNormal, Priority::kLow}));
  for (Arena* const arena : arenas) pool.ReleaseArena(*arena);
  pool.ReleaseArena(busy);
}

TEST(ArenaPriorityTest, AWorkerLeavesForAnArenaThatMattersMore) {
  Pool pool(OfThreads(2));
  Arena& low = pool.AcquireArena({2, 0, Priority::kLow});
  Arena& normal = pool.AcquireArena({2, 0, Priority::kNormal});
  Arena& high = pool.AcquireArena({2, 0, Priority::kHigh});
  std::atomic<bool> at_work{false};
  std::atomic<bool> more{false};
  std::vector<Priority> order;  // of what the only worker runs
  std::atomic<int> left{30};
  const auto leave_tasks = [&](Arena& arena, TaskGroup& group, Priority priority) {
    ExecuteIn(arena, [&] {
      for (int i = 0; i < 10; ++i) {
        group.Run([&, priority] {
          at_work = true;
          YieldUntil(more);
          order.push_back(priority);
          --left;
        });
      }
    });
  };
  TaskGroup groups[3];
  leave_tasks(low, groups[0], Priority::kLow);
  YieldUntil(at_work);
  leave_tasks(normal, groups[1], Priority::kNormal);
  leave_tasks(high, groups[2], Priority::kHigh);
  more = true;
  while (left.load() > 0) std::this_thread::yield();
  ASSERT_EQ(order.size(), 30u);
  EXPECT_EQ(order.front(), Priority::kLow);
  // It leaves between two tasks, and works in one arena while that has any.
  std::vector<Priority> rest(order.begin() + 1, order.end());
  EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end(), std::greater<>())) << "not by priority";
  for (TaskGroup& group : groups) group.Wait();
  pool.ReleaseArena(low);
  pool.ReleaseArena(normal);
  pool.ReleaseArena(high);
}

TEST(ArenaPriorityTest, AWorkerLeavesForEachArenaThatMattersMore) {
  for (const Priority second : {Priority::kNormal, Priority::kHigh}) {
    std::atomic<int> at_work{0};
    std::atomic<int> met{0};
    std::atomic<int> left{2};
    Pool pool(OfThreads(3));
    Arena& low = pool.AcquireArena({3, 1, Priority::kLow});
    Arena& above = pool.AcquireArena({2, 1, second});
    Arena& high = pool.AcquireArena({2, 1, Priority::kHigh});
    // The workers have something to do there until they are no more needed.
    std::function<void()> go_on = [&] {
      if (met.load() < 2) {
        Enqueue(low, go_on);
      } else {
        --left;
      }
    };
    for (int i = 0; i < 2; ++i) {
      Enqueue(low, [&] {
        ++at_work;
        while (at_work.load() < 2) std::this_thread::yield();
        go_on();
      });
    }
    while (at_work.load() < 2) std::this_thread::yield();
    // One worker alone could not run these.
    const auto meet = [&] {
      ++met;
      while (met.load() < 2) std::this_thread::yield();
    };
    Enqueue(above, meet);
    Enqueue(high, meet);
    while (left.load() > 0) std::this_thread::yield();
    EXPECT_EQ(met.load(), 2);
    pool.ReleaseArena(low);
    pool.ReleaseArena(above);
    pool.ReleaseArena(high);
  }
}

TEST(ArenaPriorityTest, AWorkerLeavesForATaskWhereAllSlotsAreReserved) {
  Pool pool(OfThreads(2));
  Arena& low = pool.AcquireArena({2, 0, Priority::kLow});
  for (const int slots : {1, 2}) {
    Arena& high = pool.AcquireArena({slots, slots, Priority::kHigh});
    std::atomic<bool> busy{false};
    std::atomic<bool> ran{false};
    // The only worker never runs out of work here.
    TaskGroup endless;
    std::function<void()> go_on = [&] {
      busy = true;
      if (!ran.load()) endless.Run([&] { go_on(); });
    };
    ExecuteIn(low, [&] { endless.Run([&] { go_on(); }); });
    YieldUntil(busy);
    Enqueue(high, [&] { ran = true; });
    YieldUntil(ran);
    endless.Wait();
    pool.ReleaseArena(high);
  }
  pool.ReleaseArena(low);
}

TEST(ArenaDeathTest, NonsenseStopsWithASentence) {
  Pool pool;
  EXPECT_DEATH(pool.AcquireArena({0, 0, Priority::kNormal}), "at least one slot");
  EXPECT_DEATH(pool.AcquireArena({2, -1, Priority::kNormal}), "negative");
}

}  // namespace
}  // namespace filch

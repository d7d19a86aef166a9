#include "filch/pool/arena_hook.h"

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace {

// How deep the thread is in stays that some hook was told of.
thread_local int stays = 0;

class Counter final : public ArenaHook {
 public:
  Counter() = default;
  ~Counter() { Remove(); }

  int entered() const { return entered_; }
  int left() const { return left_; }
  int workers() const { return workers_; }

  bool is_added = false;  // as far as the test says so

 private:
  void OnEnter(bool worker) noexcept override {
    ++entered_;
    ++stays;
    workers_ += worker ? 1 : 0;
  }
  void OnLeave(bool worker) noexcept override {
    --stays;
    EXPECT_GE(stays, 0);
    workers_ -= worker ? 1 : 0;
    ++left_;
  }

  std::atomic<int> entered_{0};
  std::atomic<int> left_{0};
  std::atomic<int> workers_{0};
};

class CallingHook final : public ArenaHook {
 public:
  explicit CallingHook(
      std::function<void()> enter, std::function<void()> leave = [] {})
      : enter_(std::move(enter)), leave_(std::move(leave)) {}
  ~CallingHook() { Remove(); }

 private:
  void OnEnter(bool) noexcept override { enter_(); }
  void OnLeave(bool) noexcept override { leave_(); }

  const std::function<void()> enter_;
  const std::function<void()> leave_;
};

class ArenaHookTest : public PoolTest {
 protected:
  Arena& NewArena(int slots) { return pool_.AcquireArena({slots, 1, Priority::kNormal}); }
};

TEST_P(ArenaHookTest, HearsOfAStayOnceAndInPairs) {
  Arena& arena = NewArena(2);
  Counter counter;
  counter.Add(&arena);
  EXPECT_EQ(counter.entered(), 0);
  for (int i = 1; i <= 3; ++i) {
    ExecuteIn(arena, [&] {
      EXPECT_EQ(counter.entered(), counter.left() + 1 + counter.workers());
      EXPECT_EQ(stays, 1);
      ExecuteIn(arena, [] { EXPECT_EQ(stays, 1); });
    });
    EXPECT_EQ(stays, 0);
  }
  EXPECT_GE(counter.entered(), 3);
}

TEST_P(ArenaHookTest, NestedArenasNest) {
  Arena& outer = NewArena(2);
  Arena& inner = NewArena(2);
  Counter of_outer;
  Counter of_inner;
  of_outer.Add(&outer);
  of_inner.Add(&inner);
  ExecuteIn(outer, [&] {
    ExecuteIn(inner, [&] {
      EXPECT_EQ(stays, 2);
      ExecuteIn(outer, [] { EXPECT_EQ(stays, 3); });
    });
    EXPECT_EQ(stays, 1);
  });
  EXPECT_EQ(stays, 0);
}

TEST_P(ArenaHookTest, EveryTaskRunsInsideAStay) {
  Arena& arena = NewArena(pool_.concurrency());
  std::atomic<int> outside{0};
  {
    Counter counter;
    counter.Add(&arena);
    for (int round = 0; round < 20; ++round) {
      ExecuteIn(arena, [&] {
        ParallelFor(0, 200, [&](int) {
          if (stays == 0) ++outside;
        });
      });
      std::atomic<int> ran{0};
      for (int i = 0; i < 10; ++i) {
        Enqueue(arena, [&] {
          if (stays == 0) ++outside;
          ++ran;
        });
      }
      while (ran.load() != 10) std::this_thread::yield();
    }
    // All leave when there is nothing to do.
    while (counter.entered() != counter.left()) std::this_thread::yield();
    EXPECT_EQ(counter.workers(), 0);
  }
  EXPECT_EQ(outside, 0);
}

TEST_P(ArenaHookTest, AHookForAllHearsOfEveryArena) {
  Arena& one = NewArena(1);
  Arena& two = NewArena(1);
  std::set<const Arena*> seen;
  thread_local bool counts = false;
  CallingHook hook([&seen] {
    if (counts) seen.insert(&CurrentArena());
  });
  hook.Add(nullptr);
  // On a thread of its own, which is in no arena of the default pool.
  std::thread([&] {
    counts = true;
    ExecuteIn(one, [] {});
    ExecuteIn(two, [] {});
    hook.Remove();
    ExecuteIn(NewArena(1), [] {});
  }).join();
  EXPECT_EQ(seen, (std::set<const Arena*>{&one, &two}));
}

TEST_P(ArenaHookTest, AHookForAllHearsOfAThreadOnceThatIsInSeveralArenas) {
  Arena& one = NewArena(1);
  Arena& two = NewArena(1);
  thread_local bool counts = false;
  int calls = 0;
  CallingHook hook([&calls] { calls += counts ? 1 : 0; });
  hook.Add(nullptr);
  std::thread([&] {
    counts = true;
    ExecuteIn(one, [&] {
      ExecuteIn(two, [&] { EXPECT_EQ(calls, 1); });
      EXPECT_EQ(calls, 1);
    });
    EXPECT_EQ(calls, 1);
    ExecuteIn(two, [] {});
    EXPECT_EQ(calls, 2);
  }).join();
  hook.Remove();
}

// The thread leaves one arena, and comes back to the other meanwhile.
TEST_P(ArenaHookTest, OneThatIsAddedWhileAThreadLeavesHearsOfPairs) {
  Arena& outer = NewArena(1);
  Arena& inner = NewArena(2);
  Counter late;
  ExecuteIn(outer, [&] {
    TaskGroup group;
    group.Run([] {});
    std::atomic<bool> added{false};
    CallingHook hook([] {},
                     [&] {
                       if (added.exchange(true)) return;  // a worker has been there, too
                       late.Add(nullptr);
                       group.Wait();
                     });
    hook.Add(&inner);
    ExecuteIn(inner, [] {});
    EXPECT_GE(late.entered(), late.left());
  });
  EXPECT_GE(late.entered(), late.left());
  late.Remove();
}

TEST_P(ArenaHookTest, OneThatIsAddedInsideHearsOfItsOwnThreadAtOnce) {
  Arena& arena = NewArena(1);
  Counter counter;
  ExecuteIn(arena, [&] {
    EXPECT_EQ(counter.entered(), 0);
    counter.Add(&arena);
    EXPECT_EQ(counter.entered(), 1);
    counter.Remove();
    counter.Add(&arena);
    EXPECT_EQ(counter.entered(), 2);
  });
  EXPECT_EQ(counter.left(), 1);
  stays = 0;  // the first stay was not told to its end
}

TEST_P(ArenaHookTest, HearsNothingAfterRemove) {
  Arena& arena = NewArena(pool_.concurrency());
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop.load()) {
      ExecuteIn(arena, [] { ParallelFor(0, 20, [](int) {}); });
    }
  });
  for (int i = 0; i < 200; ++i) {
    auto alive = std::make_unique<std::atomic<bool>>(true);
    std::atomic<bool>& flag = *alive;
    CallingHook hook([&flag] { EXPECT_TRUE(flag); }, [&flag] { EXPECT_TRUE(flag); });
    hook.Add(&arena);
    std::this_thread::yield();
    hook.Remove();
    flag = false;
  }
  stop = true;
  other.join();
}

TEST_P(ArenaHookTest, ThoseThatStayHearWhatTheyHeardBefore) {
  Arena& first = NewArena(1);
  Arena& second = NewArena(1);
  Counter of_first;
  Counter of_second;
  Counter of_all;
  // Each of them goes and comes again, whoever is the newest.
  for (Counter* const goes : {&of_first, &of_second, &of_all, &of_first, &of_all, &of_second}) {
    goes->Remove();
    for (Counter* const comes : {&of_first, &of_second, &of_all}) {
      if (comes == goes || comes->is_added) continue;
      comes->Add(comes == &of_all ? nullptr : comes == &of_first ? &first : &second);
      comes->is_added = true;
    }
    goes->is_added = false;
    const int before[] = {of_first.entered(), of_second.entered(), of_all.entered()};
    // Who is in an arena already tells a hook for all of no other one.
    std::thread([&] {
      ExecuteIn(first, [] {});
      ExecuteIn(second, [] {});
    }).join();
    EXPECT_EQ(of_first.entered() - before[0], of_first.is_added ? 1 : 0);
    EXPECT_EQ(of_second.entered() - before[1], of_second.is_added ? 1 : 0);
    EXPECT_EQ(of_all.entered() > before[2], of_all.is_added);
  }
  of_first.Remove();
  of_second.Remove();
  of_all.Remove();
  pool_.ReleaseArena(first);
  pool_.ReleaseArena(second);
}

TEST_P(ArenaHookTest, AHookMayRemoveItself) {
  Arena& arena = NewArena(1);
  int calls = 0;
  std::unique_ptr<CallingHook> hook;
  hook = std::make_unique<CallingHook>([&] {
    ++calls;
    hook->Remove();
  });
  hook->Add(&arena);
  ExecuteIn(arena, [] {});
  ExecuteIn(arena, [] {});
  EXPECT_EQ(calls, 1);
}

TEST_P(ArenaHookTest, AHookMayEndItself) {
  class Mayfly final : public ArenaHook {
   public:
    explicit Mayfly(int& calls) : calls_(calls) {}

   private:
    void OnEnter(bool) noexcept override {
      ++calls_;
      Remove();
      delete this;
    }
    void OnLeave(bool) noexcept override { ++calls_; }

    int& calls_;
  };
  Arena& arena = NewArena(1);
  int calls = 0;
  Counter counter;
  (new Mayfly(calls))->Add(&arena);
  counter.Add(&arena);
  ExecuteIn(arena, [] {});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(counter.left(), 1);
}

TEST_P(ArenaHookTest, OneThatRemovedItselfMayBeAddedInTheSameCall) {
  Arena& arena = NewArena(1);
  int calls = 0;
  std::unique_ptr<CallingHook> hook;
  hook = std::make_unique<CallingHook>([&] {
    if (++calls > 1) return;
    hook->Remove();
    hook->Add(&arena);
  });
  hook->Add(&arena);
  ExecuteIn(arena, [] {});
  ExecuteIn(arena, [] {});
  hook->Remove();
  // Of the first stay twice, as one that is added inside.
  EXPECT_EQ(calls, 3);
}

TEST_P(ArenaHookTest, TwoThreadsMayRemoveOneThatBothAreIn) {
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  std::atomic<int> inside{0};
  std::unique_ptr<CallingHook> hook;
  hook = std::make_unique<CallingHook>([&] {
    ++inside;
    while (inside.load() < 2) std::this_thread::yield();
    hook->Remove();
  });
  hook->Add(&arena);
  std::thread other([&] { ExecuteIn(arena, [] {}); });
  ExecuteIn(arena, [] {});
  other.join();
  ExecuteIn(arena, [] {});
  EXPECT_EQ(inside, 2);
}

TEST_P(ArenaHookTest, AHookMayRemoveItselfWhileAnotherThreadDoes) {
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  std::unique_ptr<CallingHook> hook;
  hook = std::make_unique<CallingHook>([&] {
    inside = true;
    // It goes from the list in one step with the beginning of the other one's wait.
    while (pool_internal::ArenaHasHook(arena)) std::this_thread::yield();
    hook->Remove();
    over = true;
  });
  hook->Add(&arena);
  std::thread other([&] { ExecuteIn(arena, [] {}); });
  while (!inside.load()) std::this_thread::yield();
  hook->Remove();
  EXPECT_TRUE(over);
  other.join();
}

TEST_P(ArenaHookTest, ACallThatRemovedAndAddedItsHookIsWaitedFor) {
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  std::atomic<bool> added{false};
  std::atomic<bool> removed{false};
  std::atomic<bool> over{false};
  int calls = 0;
  std::unique_ptr<CallingHook> hook;
  hook = std::make_unique<CallingHook>([&] {
    if (++calls > 1) return;
    hook->Remove();
    hook->Add(&arena);
    added = true;
    while (pool_internal::ArenaHasHook(arena)) std::this_thread::yield();
    // Time for a Remove that does not wait to return.
    YieldForAWhile([&] { return removed.load(); });
    over = true;
  });
  hook->Add(&arena);
  std::thread other([&] { ExecuteIn(arena, [] {}); });
  while (!added.load()) std::this_thread::yield();
  hook->Remove();
  EXPECT_TRUE(over);
  removed = true;
  other.join();
  EXPECT_EQ(calls, 2);
}

TEST_P(ArenaHookTest, AHookMayWorkItself) {
  Arena& arena = NewArena(2);
  std::atomic<int> ran{0};
  Counter counter;
  CallingHook hook([&] { ParallelFor(0, 10, [&](int) { ++ran; }); },
                   [&] { ParallelFor(0, 10, [&](int) { ++ran; }); });
  hook.Add(&arena);
  counter.Add(&arena);
  ExecuteIn(arena, [] {});
  hook.Remove();
  EXPECT_GE(ran, 20);
}

TEST_P(ArenaHookTest, ALateHookHearsOfAWorkerThatRanOutOfWork) {
  Arena& arena = NewArena(1);
  Counter counter;
  std::atomic<bool> started{false};
  std::atomic<bool> added{false};
  Enqueue(arena, [&] {
    started = true;
    while (!added.load()) std::this_thread::yield();
    EXPECT_EQ(stays, 0);
  });
  while (!started.load()) std::this_thread::yield();
  counter.Add(&arena);
  added = true;
  std::atomic<bool> told{false};
  while (!told.load()) {
    std::atomic<bool> done{false};
    Enqueue(arena, [&] {
      if (stays == 1) told = true;
      done = true;
    });
    while (!done.load()) std::this_thread::yield();
  }
  while (counter.entered() != counter.left()) std::this_thread::yield();
}

TEST_P(ArenaHookTest, AnArenaWithAHookGetsNoOtherOwner) {
  const ArenaOptions options{7, 1, Priority::kNormal};
  Arena& arena = pool_.AcquireArena(options);
  Counter counter;
  counter.Add(&arena);
  pool_.ReleaseArena(arena);
  Arena& other = pool_.AcquireArena(options);
  EXPECT_NE(&arena, &other);
  counter.Remove();
  EXPECT_EQ(&pool_.AcquireArena(options), &arena);
}

FILCH_INSTANTIATE_POOL_TEST(ArenaHookTest);

TEST(ArenaHookDeathTest, IsAddedOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Counter counter;
        counter.Add(nullptr);
        counter.Add(nullptr);
      },
      "the hook has been added already");
}

}  // namespace
}  // namespace filch

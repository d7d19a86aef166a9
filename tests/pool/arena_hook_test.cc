#include "filch/pool/arena_hook.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/newest_hook.h"
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

// Two of the pool's arenas, or more, in which the hooks for one share a number with those for
// the others.
std::vector<Arena*> ArenasThatShare(Pool& pool, std::size_t count) {
  std::map<std::size_t, std::vector<Arena*>> by_number;
  for (;;) {
    Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
    std::vector<Arena*>& sharing = by_number[pool_internal::HookIndexOf(&arena)];
    sharing.push_back(&arena);
    if (sharing.size() == count) return sharing;
  }
}

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

// Back in the outer arena, the thread is in the inner one still, of which the hook has heard.
TEST_P(ArenaHookTest, AHookForAllThatIsAddedInTheInnerArenaHearsOfTheEndOfTheOuterOne) {
  Arena& outer = pool_.AcquireArena({2, 2, Priority::kNormal});
  Arena& inner = NewArena(1);
  thread_local bool counts = false;
  int inside = 0;
  CallingHook hook([&inside] { inside += counts ? 1 : 0; },
                   [&inside] { inside -= counts ? 1 : 0; });
  std::thread([&] {
    counts = true;
    ExecuteIn(outer, [&] {
      TaskGroup group;
      std::atomic<bool> spawned{false};
      std::atomic<bool> ran{false};
      std::thread other([&] {
        ExecuteIn(outer, [&] {
          group.Run([&ran] { ran = true; });
          spawned = true;
          while (!ran.load()) std::this_thread::yield();
        });
      });
      while (!spawned.load()) std::this_thread::yield();
      ExecuteIn(inner, [&] {
        hook.Add(nullptr);
        EXPECT_EQ(inside, 1);
        group.Wait();
      });
      EXPECT_EQ(inside, 1);
      other.join();
    });
    EXPECT_EQ(inside, 0);
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

TEST_P(ArenaHookTest, ArenasThatShareANumberHaveTheirOwnHooks) {
  const std::vector<Arena*> arenas = ArenasThatShare(pool_, 3);
  Counter of_first;
  Counter of_second;
  Counter of_all;
  of_second.Add(arenas[1]);
  of_first.Add(arenas[0]);
  of_all.Add(nullptr);
  std::thread([&] {
    for (Arena* const arena : arenas) {
      // The second time there is nothing new.
      for (int i = 0; i < 2; ++i) ExecuteIn(*arena, [] {});
    }
    EXPECT_EQ(stays, 0);
  }).join();
  of_all.Remove();
  EXPECT_EQ(of_first.entered(), 2);
  EXPECT_EQ(of_second.entered(), 2);
  EXPECT_EQ(of_first.left(), 2);
  EXPECT_EQ(of_second.left(), 2);
  EXPECT_GE(of_all.entered(), 6);
  EXPECT_FALSE(pool_internal::ArenaHasHook(*arenas[2]));
  EXPECT_TRUE(pool_internal::ArenaHasHook(*arenas[0]));
  of_first.Remove();
  EXPECT_FALSE(pool_internal::ArenaHasHook(*arenas[0]));
  EXPECT_TRUE(pool_internal::ArenaHasHook(*arenas[1]));
}

TEST_P(ArenaHookTest, ManyAreToldInTheOrderInWhichTheyWereAdded) {
  const std::vector<Arena*> arenas = ArenasThatShare(pool_, 2);
  Arena& arena = *arenas[0];
  thread_local bool counts = false;
  std::vector<int> told;
  std::vector<std::unique_ptr<CallingHook>> hooks;
  for (int i = 0; i < 300; ++i) {
    const auto note = [&told, i] {
      if (counts) told.push_back(i);
    };
    hooks.push_back(std::make_unique<CallingHook>(note, note));
    const Arena* const where[] = {&arena, nullptr, arenas[1]};
    hooks.back()->Add(where[i % 3]);
  }
  std::vector<int> once;
  for (int i = 0; i < 300; ++i) {
    if (i % 3 != 2) once.push_back(i);
  }
  std::vector<int> expected = once;
  expected.insert(expected.end(), once.begin(), once.end());
  std::thread([&] {
    counts = true;
    ExecuteIn(arena, [] {});
    counts = false;
  }).join();
  EXPECT_EQ(told, expected);
}

// While the first one is called: itself, its neighbours, and all others.
TEST_P(ArenaHookTest, ACallMayRemoveAnyHooks) {
  Arena& arena = NewArena(1);
  for (const bool enters : {true, false}) {
    for (int from = 0; from < 4; ++from) {
      for (int to = from; to <= 6; ++to) {
        std::vector<int> told;
        std::vector<std::unique_ptr<CallingHook>> hooks;
        for (int i = 0; i < 6; ++i) {
          const std::function<void()> call = [&, i] {
            told.push_back(i);
            if (i != 1) return;
            for (int k = from; k < to; ++k) hooks[static_cast<std::size_t>(k)]->Remove();
          };
          hooks.push_back(enters ? std::make_unique<CallingHook>(call)
                                 : std::make_unique<CallingHook>([] {}, call));
        }
        for (int i = 0; i < 6; ++i) {
          // Two lists.
          hooks[static_cast<std::size_t>(i)]->Add(i % 3 == 2 ? nullptr : &arena);
        }
        std::vector<int> expected = {0, 1};
        for (int i = 2; i < 6; ++i) {
          if (i < from || i >= to) expected.push_back(i);
        }
        told.clear();  // what this thread has said of another arena
        // On a thread that is in no other arena.
        std::thread([&] { ExecuteIn(arena, [] {}); }).join();
        EXPECT_EQ(told, expected) << from << " to " << to;
      }
    }
  }
}

TEST_P(ArenaHookTest, ManyMayRemoveThemselvesAndAddOthers) {
  Arena& arena = NewArena(1);
  int calls = 0;
  std::vector<std::unique_ptr<CallingHook>> hooks;
  std::vector<std::unique_ptr<CallingHook>> others;
  for (std::size_t i = 0; i < 200; ++i) {
    others.push_back(std::make_unique<CallingHook>([&calls] { calls += 1000; }));
    hooks.push_back(std::make_unique<CallingHook>([&, i] {
      ++calls;
      hooks[i]->Remove();
      if (i % 50 == 0) others[i]->Add(&arena);
    }));
    hooks.back()->Add(&arena);
  }
  ExecuteIn(arena, [] {});
  EXPECT_EQ(calls, 4200);
  ExecuteIn(arena, [] {});
  EXPECT_EQ(calls, 8200);
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

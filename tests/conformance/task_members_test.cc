#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#if !defined(FILCH_TBB_CLASSIC) && !defined(CONFORMANCE_ON_TBB_2020)
#include <tbb/collaborative_call_once.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "counted_task.h"
#include "deep_in_stack.h"
#include "gtest/gtest.h"
#include "parallelism_fixture.h"

namespace {

class TaskMembersTest : public ParallelismTest {
 protected:
  ~TaskMembersTest() override { EXPECT_EQ(CountedTask::live(), 0); }
};

// Runs f(task) as a root, with nothing around it.
template <typename F>
void RunRoot(F f) {
  tbb::task::spawn_root_and_wait(Make(tbb::task::allocate_root(), f));
}

TEST_P(TaskMembersTest, BypassRunsTheReturnedTaskNextOnTheSameThread) {
  std::vector<int> order;
  std::thread::id thread;
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(3);
    thread = std::this_thread::get_id();
    tbb::task& second = Make(root.allocate_child(), [&](tbb::task&) -> tbb::task* {
      order.push_back(2);
      EXPECT_EQ(std::this_thread::get_id(), thread);
      return nullptr;
    });
    tbb::task& first = Make(root.allocate_child(), [&](tbb::task&) -> tbb::task* {
      order.push_back(1);
      thread = std::this_thread::get_id();
      return &second;
    });
    root.spawn_and_wait_for_all(first);
    EXPECT_EQ(root.ref_count(), 0);
    return nullptr;
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_P(TaskMembersTest, AContinuationRunsAfterAllChildrenAndCompletesForTheParent) {
  std::atomic<int> done{0};
  int seen = -1;
  RunRoot([&](tbb::task& root) -> tbb::task* {
    tbb::task& c = Make(root.allocate_continuation(), [&](tbb::task&) -> tbb::task* {
      seen = done;
      return nullptr;
    });
    EXPECT_EQ(root.parent(), nullptr);
    EXPECT_NE(c.parent(), nullptr);
    c.set_ref_count(10);
    for (int i = 0; i < 10; ++i) {
      tbb::task::spawn(Make(c.allocate_child(), [&](tbb::task&) -> tbb::task* {
        ++done;
        return nullptr;
      }));
    }
    return nullptr;
  });
  EXPECT_EQ(seen, 10);
}

// The newest task of the thread is no predecessor of what waits for the one before, twice.
TEST_P(TaskMembersTest, PredecessorsOfTwoContinuationsTakeTurns) {
  std::vector<char> order;
  std::atomic<int> done{0};
  RunRoot([&](tbb::task& root) -> tbb::task* {
    const auto writes = [&](char name, int before) {
      return [&, name, before](tbb::task&) -> tbb::task* {
        EXPECT_GE(done, before);
        if (limit() == 1) order.push_back(name);
        ++done;
        return nullptr;
      };
    };
    tbb::task& last = Make(root.allocate_continuation(), writes('l', 4));
    tbb::task& middle = Make(last.allocate_child(), writes('m', 2));
    last.set_ref_count(2);
    middle.set_ref_count(2);
    tbb::task& other = Make(last.allocate_child(), writes('o', 0));
    tbb::task& first = Make(middle.allocate_child(), writes('1', 0));
    tbb::task::spawn(Make(middle.allocate_child(), writes('2', 0)));
    tbb::task::spawn(other);
    return &first;
  });
  EXPECT_EQ(done, 5);
  if (limit() == 1) {
    EXPECT_EQ(order, (std::vector<char>{'1', 'o', '2', 'm', 'l'}));
  }
}

TEST_P(TaskMembersTest, ASafeContinuationRunsAgainAfterItsChildren) {
  std::atomic<int> done{0};
  int runs = 0;
  RunRoot([&](tbb::task& root) -> tbb::task* {
    if (++runs == 2) {
      EXPECT_EQ(done, 4);
      return nullptr;
    }
    root.recycle_as_safe_continuation();
    root.set_ref_count(4 + 1);
    for (int i = 0; i < 4; ++i) {
      tbb::task::spawn(Make(root.allocate_child(), [&](tbb::task&) -> tbb::task* {
        ++done;
        return nullptr;
      }));
    }
    return nullptr;
  });
  EXPECT_EQ(runs, 2);
}

// Another thread may execute it again while this one runs the returned task.
TEST_P(TaskMembersTest, ReexecutesBesideTheReturnedTask) {
  std::atomic<int> executions{0};
  std::atomic<int> others{0};
  RunRoot([&](tbb::task& root) -> tbb::task* {
    if (executions.fetch_add(1) != 0) return nullptr;
    root.recycle_to_reexecute();
    return &Make(tbb::task::allocate_root(), [&](tbb::task&) -> tbb::task* {
      ++others;
      return nullptr;
    });
  });
  EXPECT_EQ(executions, 2);
  EXPECT_EQ(others, 1);
}

TEST_P(TaskMembersTest, DestroyingAnUnspawnedChildCountsForItsParent) {
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(3);
    tbb::task& unwanted = Make(root.allocate_child(), [](tbb::task&) -> tbb::task* {
      ADD_FAILURE() << "it was never spawned";
      return nullptr;
    });
    tbb::task& wanted =
        Make(root.allocate_child(), [](tbb::task&) -> tbb::task* { return nullptr; });
    tbb::task::destroy(unwanted);
    EXPECT_EQ(root.ref_count(), 2);
    root.spawn_and_wait_for_all(wanted);
    return nullptr;
  });
}

TEST_P(TaskMembersTest, AChildWhoseConstructorThrowsLeavesNothing) {
  struct Throwing : CountedTask {
    Throwing() { throw std::runtime_error("no"); }
    tbb::task* execute() override { return nullptr; }
  };
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(1);
    EXPECT_THROW(new (tbb::task::allocate_additional_child_of(root)) Throwing, std::runtime_error);
    EXPECT_THROW(new (root.allocate_child()) Throwing, std::runtime_error);
    EXPECT_EQ(root.ref_count(), 1);
    root.wait_for_all();
    return nullptr;
  });
}

TEST_P(TaskMembersTest, AContinuationWhoseConstructorThrowsLeavesTheTaskItsParent) {
  struct Throwing : CountedTask {
    Throwing() { throw std::runtime_error("no"); }
    tbb::task* execute() override { return nullptr; }
  };
  tbb::task_group_context context;
  tbb::task& root = Make(tbb::task::allocate_root(context), [](tbb::task& whole) -> tbb::task* {
    whole.set_ref_count(2);
    whole.spawn_and_wait_for_all(Make(whole.allocate_child(), [&](tbb::task& child) -> tbb::task* {
      EXPECT_THROW(new (child.allocate_continuation()) Throwing, std::runtime_error);
      EXPECT_EQ(child.parent(), &whole);
      return nullptr;
    }));
    EXPECT_THROW(new (whole.allocate_continuation()) Throwing, std::runtime_error);
    return nullptr;
  });
  tbb::task::spawn_root_and_wait(root);
}

TEST_P(TaskMembersTest, CountsUpAndDown) {
  tbb::task& t = *new (tbb::task::allocate_root()) tbb::empty_task;
  EXPECT_EQ(t.state(), tbb::task::allocated);
  EXPECT_EQ(t.ref_count(), 0);
  t.set_ref_count(5);
  t.increment_ref_count();
  EXPECT_EQ(t.ref_count(), 6);
  EXPECT_EQ(t.add_ref_count(4), 10);
  EXPECT_EQ(t.decrement_ref_count(), 9);
  t.set_ref_count(0);
  tbb::task::destroy(t);
}

TEST_P(TaskMembersTest, ATaskListIsSpawnedFirstOneFirst) {
  std::vector<int> order;
  std::atomic<int> count{0};
  RunRoot([&](tbb::task& root) -> tbb::task* {
    tbb::task_list list;
    EXPECT_TRUE(list.empty());
    for (int i = 0; i < 5; ++i) {
      list.push_back(Make(root.allocate_child(), [&, i](tbb::task&) -> tbb::task* {
        if (limit() == 1) order.push_back(i);
        ++count;
        return nullptr;
      }));
    }
    root.set_ref_count(6);
    root.spawn_and_wait_for_all(list);
    EXPECT_TRUE(list.empty());
    return nullptr;
  });
  EXPECT_EQ(count, 5);
  if (limit() == 1) {
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  }
}

TEST_P(TaskMembersTest, WaitsForSeveralRoots) {
  std::atomic<int> count{0};
  tbb::task_list list;
  for (int i = 0; i < 7; ++i) {
    list.push_back(Make(tbb::task::allocate_root(), [&](tbb::task&) -> tbb::task* {
      ++count;
      return nullptr;
    }));
  }
  tbb::task::spawn_root_and_wait(list);
  EXPECT_EQ(count, 7);
}

TEST_P(TaskMembersTest, SelfIsTheRunningTaskAndOutsideAStandIn) {
  tbb::task& outside = tbb::task::self();
  EXPECT_EQ(outside.parent(), nullptr);
  EXPECT_EQ(outside.ref_count(), 1);
  EXPECT_EQ(outside.affinity(), 0);
  EXPECT_NE(outside.group(), nullptr);
  EXPECT_FALSE(outside.is_cancelled());
  RunRoot([&](tbb::task& root) -> tbb::task* {
    EXPECT_EQ(&tbb::task::self(), &root);
    EXPECT_EQ(root.state(), tbb::task::executing);
    root.set_ref_count(2);
    tbb::task& child = Make(root.allocate_child(), [&](tbb::task& self) -> tbb::task* {
      EXPECT_EQ(&tbb::task::self(), &self);
      EXPECT_EQ(self.parent(), &root);
      return nullptr;
    });
    root.spawn_and_wait_for_all(child);
    EXPECT_EQ(&tbb::task::self(), &root);
    return nullptr;
  });
  EXPECT_EQ(&tbb::task::self(), &outside);
}

TEST_P(TaskMembersTest, WhatAThreadHasCancelledEndsWithIt) {
  std::thread([] { EXPECT_TRUE(tbb::task::self().cancel_group_execution()); }).join();
  std::atomic<int> runs{0};
  std::thread([&] {
    EXPECT_FALSE(tbb::task::self().is_cancelled());
    RunRoot([&](tbb::task&) -> tbb::task* {
      ++runs;
      return nullptr;
    });
  }).join();
  EXPECT_EQ(runs, 1);
}

TEST_P(TaskMembersTest, ThreadLocalObjectsMayUseTasksWhenTheyAreDestroyed) {
  static std::atomic<int> runs;
  static std::atomic<int> shared;
  runs = 0;
  shared = 0;
  struct UsesTasks {
    UsesTasks() = default;
    ~UsesTasks() {
      RunRoot([](tbb::task&) -> tbb::task* {
        ++runs;
        return nullptr;
      });
      // The stand-in is the thread's own still.
      tbb::task* const own = &tbb::task::self();
      std::thread([own] { shared += &tbb::task::self() == own ? 1 : 0; }).join();
    }
  };
  for (int i = 0; i < 5; ++i) {
    std::thread([] {
      static thread_local const UsesTasks older;
      static_cast<void>(&older);
      tbb::task::self();
    }).join();
  }
  EXPECT_EQ(runs, 5);
  EXPECT_EQ(shared, 0);
}

TEST_P(TaskMembersTest, EnqueuedTasksRunAndKnowIt) {
  std::atomic<bool> ran{false};
  std::atomic<bool> knew{false};
  tbb::task::enqueue(Make(tbb::task::allocate_root(), [&](tbb::task& self) -> tbb::task* {
    knew = self.is_enqueued_task();
    ran = true;
    return nullptr;
  }));
  while (!ran) std::this_thread::yield();
  EXPECT_TRUE(knew);
  // The object is destroyed a little later than its execute() ends.
  while (CountedTask::live() != 0) std::this_thread::yield();
}

TEST_P(TaskMembersTest, EnqueuedTasksOfHigherPriorityStartFirst) {
  tbb::task_arena arena(1);
  std::vector<int> order;
  std::atomic<int> left{3};
  const auto task = [&](int number) -> tbb::task& {
    return Make(tbb::task::allocate_root(), [&, number](tbb::task&) -> tbb::task* {
      order.push_back(number);
      --left;
      return nullptr;
    });
  };
  // The first one holds the only place until the others are in the queue.
  std::atomic<bool> go{false};
  std::atomic<bool> holds{false};
  tbb::task::enqueue(Make(tbb::task::allocate_root(),
                          [&](tbb::task&) -> tbb::task* {
                            holds = true;
                            while (!go) std::this_thread::yield();
                            return nullptr;
                          }),
                     arena);
  while (!holds) std::this_thread::yield();
  tbb::task::enqueue(task(1), arena, tbb::priority_low);
  tbb::task::enqueue(task(2), arena);
  tbb::task::enqueue(task(3), arena, tbb::priority_high);
  go = true;
  while (left != 0 || CountedTask::live() != 0) std::this_thread::yield();
  EXPECT_EQ(order, (std::vector<int>{3, 2, 1}));
}

TEST_P(TaskMembersTest, AnExceptionReachesTheWaitAndCancelsTheRest) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran{0};
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::task& root = *new (tbb::task::allocate_root(context)) tbb::empty_task;
    root.set_ref_count(101);
    for (int i = 0; i < 100; ++i) {
      tbb::task::spawn(Make(root.allocate_child(), [&, i](tbb::task& self) -> tbb::task* {
        ++ran;
        if (i == 90) throw std::runtime_error("ninety");
        EXPECT_EQ(self.group(), &context);
        return nullptr;
      }));
    }
    EXPECT_THROW(root.wait_for_all(), std::runtime_error);
    EXPECT_TRUE(root.is_cancelled());
    EXPECT_EQ(root.ref_count(), 0);
    EXPECT_EQ(CountedTask::live(), 0);
    tbb::task::destroy(root);
    if (limit() == 1) {
      EXPECT_LT(ran, 100);
    }
  }
}

TEST_P(TaskMembersTest, AnExceptionGoesUpThroughContinuations) {
  for (int round = 0; round < 20; ++round) {
    bool continued = false;
    EXPECT_THROW(RunRoot([&](tbb::task& root) -> tbb::task* {
                   tbb::task& c = Make(root.allocate_continuation(), [&](tbb::task&) -> tbb::task* {
                     continued = true;
                     return nullptr;
                   });
                   c.set_ref_count(2);
                   tbb::task::spawn(
                       Make(c.allocate_child(), [](tbb::task&) -> tbb::task* { return nullptr; }));
                   return &Make(c.allocate_child(),
                                [](tbb::task&) -> tbb::task* { throw std::runtime_error("up"); });
                 }),
                 std::runtime_error);
    EXPECT_FALSE(continued);
    EXPECT_EQ(CountedTask::live(), 0);
    // The next outermost tasks of the thread are not cancelled by that.
    bool ran = false;
    RunRoot([&](tbb::task&) -> tbb::task* {
      ran = true;
      return nullptr;
    });
    EXPECT_TRUE(ran);
  }
}

#ifndef CONFORMANCE_ON_TBB_2020  // makes the outermost group as new in the nested wait
TEST_P(TaskMembersTest, ANestedWaitThrowsWhatAChildThrew) {
  EXPECT_THROW(RunRoot([&](tbb::task& root) -> tbb::task* {
                 root.set_ref_count(2);
                 tbb::task& child =
                     Make(root.allocate_child(), [](tbb::task&) -> tbb::task* { throw 5; });
                 EXPECT_THROW(root.spawn_and_wait_for_all(child), int);
                 EXPECT_TRUE(tbb::task::self().is_cancelled());
                 return nullptr;
               }),
               int);
}
#endif

#ifndef CONFORMANCE_ON_TBB_2020  // throws what an earlier test's outermost group threw once more
TEST_P(TaskMembersTest, CancellationStopsWhatHasNotStarted) {
  std::atomic<int> ran{0};
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(51);
    EXPECT_TRUE(root.cancel_group_execution());
    EXPECT_FALSE(root.cancel_group_execution());
    for (int i = 0; i < 50; ++i) {
      tbb::task::spawn(Make(root.allocate_child(), [&](tbb::task&) -> tbb::task* {
        ++ran;
        return nullptr;
      }));
    }
    root.wait_for_all();
    return nullptr;
  });
  EXPECT_EQ(ran, 0);
}
#endif

#ifndef CONFORMANCE_ON_TBB_2020  // throws what an earlier test's outermost group threw once more
// An arena's outermost tasks are of another group than the outermost tasks around it.
TEST_P(TaskMembersTest, WhatGoesWrongInAnArenaIsNotTheBusinessOfTheTaskAround) {
  bool went_on = false;
  RunRoot([&](tbb::task& root) -> tbb::task* {
    tbb::task_arena arena(1);
    EXPECT_THROW(arena.execute([] { RunRoot([](tbb::task&) -> tbb::task* { throw 5; }); }), int);
    EXPECT_FALSE(root.is_cancelled());
    root.cancel_group_execution();
    arena.execute([&] {
      RunRoot([&](tbb::task&) -> tbb::task* {
        went_on = true;
        return nullptr;
      });
    });
    EXPECT_TRUE(root.is_cancelled());
    return nullptr;
  });
  EXPECT_TRUE(went_on);
}
#endif

#ifndef CONFORMANCE_ON_TBB_2020  // throws what an earlier test's outermost group threw once more
void Throw() {
  RunRoot([](tbb::task&) -> tbb::task* { throw 5; });
}

// What the thread's own arena executes is of another group than the task around it, too, and it
// is over with what that has thrown.
TEST_P(TaskMembersTest, WhatIsExecutedInATaskThrowsOnce) {
  int went_on = 0;
  const auto go_on = [&went_on] {
    RunRoot([&](tbb::task&) -> tbb::task* {
      ++went_on;
      return nullptr;
    });
  };
  tbb::task_group group;
  group.run([&] {
    tbb::task_arena here{tbb::task_arena::attach()};
    EXPECT_THROW(here.execute(Throw), int);
    here.execute(go_on);
    here.execute([&] {
      RunRoot([&](tbb::task& root) -> tbb::task* {
        EXPECT_THROW(here.execute(Throw), int);
        EXPECT_FALSE(root.is_cancelled());
        root.cancel_group_execution();
        here.execute(go_on);
        EXPECT_TRUE(root.is_cancelled());
        return nullptr;
      });
      go_on();
    });
  });
  group.wait();
  EXPECT_EQ(went_on, 3);
}

TEST_P(TaskMembersTest, WhatAThreadIsHandedThrowsOnce) {
  tbb::task_arena arena(1);
  std::atomic<tbb::task*> last{nullptr};
  std::atomic<int> went_on{0};
  const auto go_on = [&went_on] {
    RunRoot([&](tbb::task&) -> tbb::task* {
      ++went_on;
      return nullptr;
    });
  };
  std::thread inside([&] {
    arena.execute([&] {
      tbb::task& root = *new (tbb::task::allocate_root()) tbb::empty_task;
      root.set_ref_count(2);
      last = new (root.allocate_child()) tbb::empty_task;
      root.wait_for_all();
      EXPECT_FALSE(root.is_cancelled());
      tbb::task::destroy(root);
      go_on();
    });
  });
  while (last == nullptr) std::this_thread::yield();
  // The only place is taken, so the thread there executes it, or a worker that comes.
  EXPECT_THROW(arena.execute(Throw), int);
  arena.execute(go_on);
  arena.execute([&last] { tbb::task::spawn(*last); });
  inside.join();
  EXPECT_EQ(went_on, 2);
}
#endif

// Of two chains, the one in the cancelled group ends where it is, with all that hangs
// below it, and the other one goes on.
struct ChainLink : CountedTask {
  ChainLink(int links, int cancels, std::atomic<int>& links_run)
      : left(links), cancels_at(cancels), ran(links_run) {}
  tbb::task* execute() override {
    ++ran;
    if (left == cancels_at) cancel_group_execution();
    if (left == 0) return nullptr;
    tbb::task& both = *new (allocate_continuation()) ChainLink(0, -1, ran);
    both.set_ref_count(2);
    spawn(*new (both.allocate_child()) ChainLink(left - 1, cancels_at, ran));
    return &Make(both.allocate_child(), [](tbb::task&) -> tbb::task* { return nullptr; });
  }
  const int left;
  const int cancels_at;
  std::atomic<int>& ran;
};

// Nobody waits for it in the loop.
TEST_P(TaskMembersTest, ARootWithAContextThatLastsMayRunWhenWhatMadeItIsOver) {
  tbb::task_group_context elsewhere;
  elsewhere.cancel_group_execution();  // now contexts are looked at
  tbb::task_group_context lasting;
  alignas(tbb::task_group_context) unsigned char memory[sizeof(tbb::task_group_context)];
  auto* const over = new (memory) tbb::task_group_context;
  tbb::task* root = nullptr;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 1,
      [&](int) {
        root = &Make(tbb::task::allocate_root(lasting), [&](tbb::task&) -> tbb::task* {
          ++ran;
          return nullptr;
        });
      },
      *over);
  over->~task_group_context();
  std::fill(std::begin(memory), std::end(memory), static_cast<unsigned char>(0xff));
  tbb::task::enqueue(*root);
  while (CountedTask::live() != 0) std::this_thread::yield();
  EXPECT_EQ(ran, 1);
  EXPECT_FALSE(lasting.is_group_execution_cancelled());
}

TEST_P(TaskMembersTest, AWaitElsewhereLeavesTheGroupOfItsTasksWhereItIs) {
  tbb::task_group_context outer;
  int ran = 0;
  const auto wait_elsewhere = [&](int) {
    tbb::task& root = *new (tbb::task::allocate_root()) tbb::empty_task;
    root.set_ref_count(2);
    tbb::task_group_context elsewhere(tbb::task_group_context::isolated);
    const auto wait = [&](int) {
      elsewhere.cancel_group_execution();
      root.spawn_and_wait_for_all(Make(root.allocate_child(), [&ran](tbb::task&) -> tbb::task* {
        ++ran;
        return nullptr;
      }));
    };
    tbb::parallel_for(0, 1, wait, elsewhere);
    EXPECT_FALSE(root.is_cancelled());
    outer.cancel_group_execution();
    EXPECT_TRUE(root.is_cancelled());
    tbb::task::destroy(root);
  };
  // The loop in the middle has a context of its own.
  tbb::parallel_for(
      0, 1, [&](int) { tbb::parallel_for(0, 1, wait_elsewhere); }, outer);
  EXPECT_EQ(ran, 1);
}

#ifndef CONFORMANCE_ON_TBB_2020  // throws what an arena's outermost group threw in later functions
// Makes a root that goes on when the calling function is over, and throws.
template <typename F>
void LeaveBehind(F f) {
  tbb::task& root = Make(tbb::task::allocate_root(), [f](tbb::task& self) -> tbb::task* {
    EXPECT_FALSE(self.is_cancelled());
    f();
    throw 5;
  });
  EXPECT_EQ(tbb::task::self().group(), root.group());
  EXPECT_EQ(tbb::task::current_context(), root.group());
  EXPECT_FALSE(root.is_cancelled());
  // Not in the frames of the functions that end now.
  const auto frame = reinterpret_cast<std::intptr_t>(__builtin_frame_address(0));
  const auto group = reinterpret_cast<std::intptr_t>(root.group());
  EXPECT_GT(std::abs(frame - group), std::intptr_t{1} << 16);
  tbb::task::enqueue(root);
}

TEST_P(TaskMembersTest, WhatAFunctionOfNoGroupLeavesBehindHasAGroupThatLasts) {
  tbb::task_group_context elsewhere;
  elsewhere.cancel_group_execution();  // now contexts are looked at
  std::atomic<int> ran{0};
  std::atomic<int> calls{0};
  const auto await_calls = [&calls](int number) {
    while (calls != number || CountedTask::live() != 0) std::this_thread::yield();
  };
  for (int i = 1; i <= 5; ++i) {
    tbb::task_arena arena(1);
    arena.enqueue([&] {
      LeaveBehind([&ran] { ++ran; });
      ++calls;
    });
    await_calls(i);
  }
  EXPECT_EQ(ran, 5);
}

#ifndef FILCH_TBB_CLASSIC  // has no collaborative_call_once
TEST_P(TaskMembersTest, WhatIsCalledOnceLeavesBehindHasAGroupThatLasts) {
  std::atomic<int> ran{0};
  RunRoot([&](tbb::task& root) -> tbb::task* {
    tbb::collaborative_once_flag flag;
    tbb::collaborative_call_once(flag, [&ran] { LeaveBehind([&ran] { ++ran; }); });
    while (ran == 0) std::this_thread::yield();
    EXPECT_FALSE(root.is_cancelled());
    return nullptr;
  });
  while (CountedTask::live() != 0) std::this_thread::yield();
  EXPECT_EQ(ran, 1);
}
#endif

// Its own group is that of its roots.
TEST_P(TaskMembersTest, WhoCancelsTheGroupOfAFunctionCancelsItsRoots) {
  tbb::task_arena arena(1);
  std::atomic<int> ran{0};
  std::atomic<bool> done{false};
  const auto run = [&ran] {
    RunRoot([&ran](tbb::task&) -> tbb::task* {
      ++ran;
      return nullptr;
    });
  };
  for (const bool cancels_first : {true, false}) {
    done = false;
    arena.enqueue([&] {
      if (cancels_first) tbb::task::current_context()->cancel_group_execution();
      EXPECT_EQ(tbb::task::self().is_cancelled(), cancels_first);
      run();
      tbb::task::self().cancel_group_execution();
      EXPECT_TRUE(tbb::task::current_context()->is_group_execution_cancelled());
      run();
      done = true;
    });
    while (!done) std::this_thread::yield();
  }
  EXPECT_EQ(ran, 1);
}
#endif

TEST_P(TaskMembersTest, CancellationEndsAChainOfContinuations) {
  constexpr int kLinks = 300;
  std::atomic<int> cancelled{0};
  std::atomic<int> whole{0};
  tbb::task_group_context mine(tbb::task_group_context::isolated);
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root(mine))
                                     ChainLink(kLinks, kLinks - 100, cancelled));
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) ChainLink(kLinks, -1, whole));
  EXPECT_TRUE(mine.is_group_execution_cancelled());
  EXPECT_EQ(cancelled, 101);
  EXPECT_EQ(whole, kLinks + 1 + kLinks);  // the links, and their continuations
}

TEST_P(TaskMembersTest, ATaskMayGetAWishWhileItRuns) {
  struct Changing : CountedTask {
    tbb::task* execute() override {
      EXPECT_TRUE(is_owned_by_current_thread());
      // Sometimes it is destroyed with a wish, sometimes it runs again with one or
      // without.
      set_affinity(static_cast<affinity_id>(runs_left % 3));
      if (runs_left-- > 0) recycle_to_reexecute();
      return nullptr;
    }
    int runs_left = 5;
  };
  struct LargeChanging : Changing {
    std::array<char, 3000> data{};
  };
  for (int i = 0; i < 20; ++i) {
    RunRoot([&](tbb::task& root) -> tbb::task* {
      root.set_ref_count(13);
      for (int j = 0; j < 6; ++j) {
        Changing& small = *new (root.allocate_child()) Changing;
        small.runs_left = j;
        tbb::task::spawn(small);
        LargeChanging& large = *new (root.allocate_child()) LargeChanging;
        large.runs_left = j;
        tbb::task::spawn(large);
      }
      root.wait_for_all();
      return nullptr;
    });
  }
}

TEST_P(TaskMembersTest, ChangesItsGroup) {
  tbb::task_group_context mine(tbb::task_group_context::isolated);
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.change_group(mine);
    EXPECT_EQ(root.group(), &mine);
    EXPECT_EQ(tbb::task::self().group(), &mine);
    tbb::task& inherits = *new (tbb::task::allocate_root()) tbb::empty_task;
    EXPECT_EQ(inherits.group(), &mine);
    tbb::task::destroy(inherits);
    root.set_group_priority(tbb::priority_high);
    EXPECT_EQ(root.group_priority(), tbb::priority_high);
    return nullptr;
  });
  EXPECT_EQ(mine.priority(), tbb::priority_high);
}

TEST_P(TaskMembersTest, ConcurrentWaitLeavesTheCountAtOne) {
  for (int round = 0; round < 50; ++round) {
    tbb::task_group_context context(
        tbb::task_group_context::isolated,
        tbb::task_group_context::default_traits | tbb::task_group_context::concurrent_wait);
    tbb::task& root = *new (tbb::task::allocate_root(context)) tbb::empty_task;
    root.set_ref_count(1);
    std::atomic<int> ran{0};
    const auto add = [&] {
      tbb::task::spawn(
          Make(tbb::task::allocate_additional_child_of(root), [&](tbb::task&) -> tbb::task* {
            ++ran;
            return nullptr;
          }));
    };
    for (int i = 0; i < 20; ++i) add();
    std::thread other([&] {
      for (int i = 0; i < 20; ++i) add();
      root.wait_for_all();
      EXPECT_GE(ran, 20);
    });
    root.wait_for_all();
    EXPECT_EQ(root.ref_count() >= 1, true);
    other.join();
    root.wait_for_all();
    EXPECT_EQ(ran, 40);
    EXPECT_EQ(root.ref_count(), 1);
    root.set_ref_count(0);
    tbb::task::destroy(root);
  }
}

#ifndef CONFORMANCE_ON_TBB_2020  // crashes where a wish is for a slot that is not there
TEST_P(TaskMembersTest, AWishForASlotIsKnownWhereItCannotBeMet) {
  // A task with a wish for a slot that runs elsewhere is told, and one that runs
  // where it wished is not.
  struct Wishing : CountedTask {
    explicit Wishing(std::atomic<int>* wrong) : wrong_(wrong) {}
    tbb::task* execute() override {
      const int here = tbb::task_arena::current_thread_index() + 1;
      if ((noted_ != 0) != (affinity() != here)) ++*wrong_;
      if (noted_ != 0 && noted_ != here) ++*wrong_;
      return nullptr;
    }
    void note_affinity(affinity_id id) override { noted_ = id; }
    std::atomic<int>* const wrong_;
    int noted_ = 0;
  };
  std::atomic<int> wrong{0};
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(101);
    for (int i = 0; i < 100; ++i) {
      Wishing& t = *new (root.allocate_child()) Wishing(&wrong);
      t.set_affinity(static_cast<tbb::task::affinity_id>(1 + i % 4));
      tbb::task::spawn(t);
    }
    root.wait_for_all();
    return nullptr;
  });
  EXPECT_EQ(wrong, 0);
}
#endif

// The slot that it wishes for is empty, and its parent takes no work of others that deep.
TEST_P(TaskMembersTest, ATaskWithAWishRunsDeepInTheStackToo) {
  tbb::task_arena arena(2, 1);
  int runs = 0;
  const auto child_runs = [&](tbb::task&) -> tbb::task* {
    ++runs;
    return nullptr;
  };
  arena.execute([&] {
    RunRoot([&](tbb::task& root) -> tbb::task* {
      DeepInStack([&] {
        root.set_ref_count(2);
        tbb::task& child = Make(root.allocate_child(), child_runs);
        child.set_affinity(2);
        tbb::task::spawn(child);
        root.wait_for_all();
      });
      return nullptr;
    });
  });
  EXPECT_EQ(runs, 1);
}

TEST_P(TaskMembersTest, LargeTasksRunAndAreDestroyed) {
  struct Large : CountedTask {
    tbb::task* execute() override {
      for (char& c : data) c = 1;
      return nullptr;
    }
    std::array<char, 5000> data;
  };
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(11);
    for (int i = 0; i < 10; ++i) tbb::task::spawn(*new (root.allocate_child()) Large);
    root.wait_for_all();
    return nullptr;
  });
}

TEST_P(TaskMembersTest, TasksAreAlignedAsNewAligns) {
  tbb::task& t = Make(tbb::task::allocate_root(), [](tbb::task&) -> tbb::task* { return nullptr; });
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&t) % 16, 0u);
  tbb::task::destroy(t);
}

#ifndef CONFORMANCE_ON_TBB_2020  // aligns all tasks alike
// What a vector of the processor's is in a task.
template <std::size_t kAlignment, std::size_t kBytes>
struct Aligned : CountedTask {
  explicit Aligned(int* its_runs, bool throws = false) : runs(its_runs) {
    if (throws) throw std::runtime_error("no");
  }
  tbb::task* execute() override {
    // Else the compiler knows what the remainder of such a member's address is.
    volatile std::uintptr_t place = reinterpret_cast<std::uintptr_t>(lanes);
    EXPECT_EQ(place % kAlignment, 0u);
    for (unsigned char& lane : lanes) lane = 0xff;
    ++*runs;
    return nullptr;
  }
  int* const runs;
  alignas(kAlignment) unsigned char lanes[kBytes];
};

template <typename Task>
void ExpectRuns() {
  int runs = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Task(&runs));
  tbb::task_group_context context;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root(context)) Task(&runs));
  RunRoot([&](tbb::task& root) -> tbb::task* {
    tbb::task& last = *new (root.allocate_continuation()) Task(&runs);
    tbb::task& first = *new (last.allocate_child()) Task(&runs);
    last.set_ref_count(1);
    tbb::task& unwanted = *new (tbb::task::allocate_additional_child_of(last)) Task(&runs);
    tbb::task::destroy(unwanted);
    EXPECT_EQ(last.ref_count(), 1);
    return &first;
  });
  EXPECT_EQ(runs, 4);

  const auto expect_throws = [&runs](auto&& allocation) {
    EXPECT_THROW(new (allocation) Task(&runs, true), std::runtime_error);
  };
  expect_throws(tbb::task::allocate_root());
  expect_throws(tbb::task::allocate_root(context));
  RunRoot([&](tbb::task& root) -> tbb::task* {
    root.set_ref_count(2);
    expect_throws(tbb::task::allocate_additional_child_of(root));
    expect_throws(root.allocate_child());
    expect_throws(root.allocate_continuation());
    EXPECT_EQ(root.ref_count(), 2);
    root.spawn_and_wait_for_all(*new (root.allocate_child()) Task(&runs));
    return nullptr;
  });
  EXPECT_EQ(runs, 5);
}

TEST_P(TaskMembersTest, TasksAreAlignedAsTheirMembersAsk) {
  ExpectRuns<Aligned<32, 1>>();
  ExpectRuns<Aligned<32, 600>>();
  ExpectRuns<Aligned<64, 64>>();
  ExpectRuns<Aligned<128, 1>>();
  ExpectRuns<Aligned<4096, 5000>>();
}

// For that TBB 2020 is too old as well.
TEST_P(TaskMembersTest, TheModernStaticKnowsTheGroup) {
  RunRoot([&](tbb::task& root) -> tbb::task* {
    EXPECT_EQ(tbb::task::current_context(), root.group());
    return nullptr;
  });
}
#endif

INSTANTIATE_TEST_SUITE_P(Limits, TaskMembersTest, kLimits);

#ifndef CONFORMANCE_ON_TBB_2020  // says it in other words
TEST(TaskMembersDeathTest, RecyclingWithPendingChildrenStopsWithASentence) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(RunRoot([](tbb::task& root) -> tbb::task* {
                 root.set_ref_count(1);
                 root.recycle_to_reexecute();
                 return nullptr;
               }),
               "recycle_to_reexecute: the task has children");
}

TEST(TaskMembersDeathTest, TakingMoreAwayThanIsCountedStopsWithASentence) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(RunRoot([](tbb::task& root) -> tbb::task* {
                 root.add_ref_count(-1);
                 return nullptr;
               }),
               "add_ref_count: more were taken away than there are");
}
#endif

}  // namespace

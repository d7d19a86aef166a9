// tbb::detail::d1: the tasks below the algorithms, as libraries derive from them.
#include <tbb/global_control.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/deep_in_stack.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

namespace d1 = tbb::detail::d1;

using LowLevelTaskTest = ParallelismTest;

// Calls f(data), counts itself off and is gone.
template <typename F>
class FunctionTask : public d1::task {
 public:
  FunctionTask(F f, d1::wait_context& done, d1::small_object_allocator& allocator)
      : f_(std::move(f)), done_(done), allocator_(allocator) {}

 private:
  d1::task* execute(d1::execution_data& data) override {
    d1::task* const next = f_(data);
    Finish(data);
    return next;
  }
  d1::task* cancel(d1::execution_data& data) override {
    Finish(data);
    return nullptr;
  }
  void Finish(const d1::execution_data& data) {
    d1::wait_context& done = done_;
    allocator_.delete_object(this, data);
    done.release();
  }

  F f_;
  d1::wait_context& done_;
  d1::small_object_allocator allocator_;
};

template <typename F>
d1::task& MakeTask(F f, d1::wait_context& done) {
  d1::small_object_allocator allocator{};
  return *allocator.new_object<FunctionTask<F>>(std::move(f), done, allocator);
}

TEST_P(LowLevelTaskTest, SpawnedTasksRunOnceBeforeTheWaitEnds) {
  constexpr int kTasks = 1000;
  tbb::task_group_context context;
  d1::wait_context done{kTasks};
  std::atomic<int> runs{0};
  for (int i = 0; i < kTasks; ++i) {
    d1::spawn(MakeTask(
                  [&](d1::execution_data& data) -> d1::task* {
                    EXPECT_EQ(data.context, &context);
                    EXPECT_EQ(d1::current_context(), &context);
                    EXPECT_EQ(d1::execution_slot(data),
                              tbb::this_task_arena::current_thread_index());
                    ++runs;
                    return nullptr;
                  },
                  done),
              context);
  }
  d1::wait(done, context);
  EXPECT_EQ(runs, kTasks);
}

// Spawns a task in the arena, leaves, and waits for the task elsewhere, time and again.
void LeaveAndWait(tbb::task_arena& arena) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    tbb::task_group_context context;
    d1::wait_context done{1};
    const auto leave = [&] {
      arena.execute([&] {
        d1::spawn(MakeTask([](d1::execution_data&) -> d1::task* { return nullptr; }, done),
                  context);
      });
    };
    if (repeat % 2 == 0) {
      leave();
      d1::wait(done, context);
    } else {
      std::thread other(leave);
      d1::wait(done, context);
      other.join();
    }
  }
}

TEST_P(LowLevelTaskTest, WhatIsLeftInAnotherArenaRunsForAWait) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  tbb::task_arena arena(2);
  LeaveAndWait(arena);
}

TEST_P(LowLevelTaskTest, SoItDoesWhileTheLimitGoesUpAndDown) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  tbb::task_arena arena(2);
  std::atomic<bool> over{false};
  std::thread limiter([&] {
    while (!over) {
      const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
      std::this_thread::yield();
    }
  });
  LeaveAndWait(arena);
  over = true;
  limiter.join();
}

#ifndef CONFORMANCE_ON_ONETBB  // whose version is older
TEST_P(LowLevelTaskTest, ATaskFindsItself) {
  EXPECT_EQ(d1::current_task_ptr(), nullptr);
  tbb::task_group_context context;
  d1::wait_context done{1};
  d1::task* expected = nullptr;
  d1::task& outer = MakeTask(
      [&](d1::execution_data&) -> d1::task* {
        EXPECT_EQ(d1::current_task_ptr(), expected);
        d1::wait_context inner_done{1};
        d1::task* inner_expected = nullptr;
        d1::task& inner = MakeTask(
            [&](d1::execution_data&) -> d1::task* {
              EXPECT_EQ(d1::current_task_ptr(), inner_expected);
              return nullptr;
            },
            inner_done);
        inner_expected = &inner;
        d1::execute_and_wait(inner, context, inner_done, context);
        EXPECT_EQ(d1::current_task_ptr(), expected);
        return nullptr;
      },
      done);
  expected = &outer;
  d1::execute_and_wait(outer, context, done, context);
  EXPECT_EQ(d1::current_task_ptr(), nullptr);
}
#endif

// A task that may be copied.
class CountedTask : public d1::task {
 public:
  CountedTask(std::atomic<int>& runs, d1::wait_context& done) : runs_(runs), done_(done) {}

 private:
  d1::task* execute(d1::execution_data&) override {
    ++runs_;
    done_.release();
    return nullptr;
  }
  d1::task* cancel(d1::execution_data&) override { return nullptr; }

  std::atomic<int>& runs_;
  d1::wait_context& done_;
};

TEST_P(LowLevelTaskTest, ACopyIsATaskOfItsOwn) {
  constexpr int kTasks = 100;
  tbb::task_group_context context;
  d1::wait_context done{2 * kTasks};
  std::atomic<int> runs{0};
  std::vector<CountedTask> tasks(kTasks, CountedTask(runs, done));
  for (CountedTask& task : tasks) d1::spawn(task, context);
  // Also of one that was given to the scheduler.
  std::vector<CountedTask> copies(tasks);
  for (CountedTask& task : copies) d1::spawn(task, context);
  d1::wait(done, context);
  EXPECT_EQ(runs, 2 * kTasks);
}

TEST_P(LowLevelTaskTest, WhatIsReturnedRunsNextOnTheSameThread) {
  tbb::task_group_context context;
  d1::wait_context done{2};
  int slot = -1;
  d1::task& second = MakeTask(
      [&](d1::execution_data& data) -> d1::task* {
        EXPECT_EQ(data.context, &context);
        EXPECT_EQ(d1::execution_slot(data), slot);
        EXPECT_FALSE(d1::is_stolen(data));
        return nullptr;
      },
      done);
  d1::task& first = MakeTask(
      [&](d1::execution_data& data) -> d1::task* {
        slot = d1::execution_slot(data);
        return &second;
      },
      done);
  d1::execute_and_wait(first, context, done, context);
  EXPECT_GE(slot, 0);
}

// A task that runs itself again, three times.
class Repeating : public d1::task {
 public:
  Repeating(int& runs, d1::wait_context& done) : runs_(runs), done_(done) {}

 private:
  d1::task* execute(d1::execution_data&) override {
    if (++runs_ < 3) return this;
    done_.release();
    return nullptr;
  }
  d1::task* cancel(d1::execution_data&) override { return nullptr; }

  int& runs_;
  d1::wait_context& done_;
};

TEST_P(LowLevelTaskTest, ATaskMayLiveOnTheStackAndReturnItself) {
  for (int i = 0; i < 1000; ++i) {
    int runs = 0;
    tbb::task_group_context context;
    d1::wait_context done{1};
    Repeating task(runs, done);
    d1::execute_and_wait(task, context, done, context);
    EXPECT_EQ(runs, 3);
  }
}

// A binary tree in continuation style: a node is handed to whichever child is the
// last while its own execute() may still be returning elsewhere.
class Node : public d1::task {
 public:
  Node(int depth, Node* parent, std::atomic<int>& leaves, d1::small_object_allocator& allocator)
      : depth_(depth), parent_(parent), leaves_(leaves), allocator_(allocator) {}

 private:
  d1::task* execute(d1::execution_data& data) override {
    if (depth_ == 0) {
      ++leaves_;
      return Finish(data);
    }
    if (divided_) return Finish(data);
    divided_ = true;
    children_.store(2, std::memory_order_relaxed);
    d1::small_object_allocator allocator{};
    Node* const left = allocator.new_object<Node>(data, depth_ - 1, this, leaves_, allocator);
    Node* const right = allocator.new_object<Node>(data, depth_ - 1, this, leaves_, allocator);
    d1::spawn(*right, *data.context);
    d1::spawn(*left, *data.context);
    return nullptr;
  }
  d1::task* cancel(d1::execution_data& data) override { return Finish(data); }

  d1::task* Finish(d1::execution_data& data) {
    Node* const parent = parent_;
    allocator_.delete_object(this, data);
    return parent->ChildDone();
  }

 protected:
  virtual d1::task* ChildDone() { return --children_ == 0 ? this : nullptr; }

 private:
  const int depth_;
  bool divided_ = false;
  std::atomic<int> children_{0};
  Node* const parent_;
  std::atomic<int>& leaves_;
  d1::small_object_allocator allocator_;
};

class Root : public Node {
 public:
  Root(std::atomic<int>& leaves, d1::small_object_allocator& allocator, d1::wait_context& done)
      : Node(0, nullptr, leaves, allocator), done_(done) {}

 private:
  d1::task* ChildDone() override {
    done_.release();
    return nullptr;
  }
  d1::wait_context& done_;
};

TEST_P(LowLevelTaskTest, ATaskMayRunAgainBeforeItsFirstRunReturns) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> leaves{0};
    d1::small_object_allocator allocator{};
    tbb::task_group_context context;
    d1::wait_context done{1};
    Root root(leaves, allocator, done);
    Node* const first = allocator.new_object<Node>(8, static_cast<Node*>(&root), leaves, allocator);
    d1::execute_and_wait(*first, context, done, context);
    EXPECT_EQ(leaves, 256);
  }
}

TEST_P(LowLevelTaskTest, CancelledTasksAreCancelledAndNotRun) {
  tbb::task_group_context context;
  d1::wait_context done{10};
  std::atomic<int> runs{0};
  context.cancel_group_execution();
  for (int i = 0; i < 10; ++i) {
    d1::spawn(MakeTask(
                  [&runs](d1::execution_data&) -> d1::task* {
                    ++runs;
                    return nullptr;
                  },
                  done),
              context);
  }
  d1::wait(done, context);
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST_P(LowLevelTaskTest, TheExceptionOfATaskArrivesAtTheWait) {
  tbb::task_group_context context;
  d1::wait_context done{1};
  std::atomic<int> cancels{0};
  // cancel() takes care of a task that has thrown.
  struct Throwing : d1::task {
    Throwing(d1::wait_context& wait, std::atomic<int>& count) : done(wait), cancels(count) {}
    d1::task* execute(d1::execution_data&) override { throw std::runtime_error("from a task"); }
    d1::task* cancel(d1::execution_data&) override {
      ++cancels;
      done.release();
      return nullptr;
    }
    d1::wait_context& done;
    std::atomic<int>& cancels;
  };
  Throwing task(done, cancels);
  EXPECT_THROW(d1::execute_and_wait(task, context, done, context), std::runtime_error);
  EXPECT_EQ(cancels, 1);
  EXPECT_TRUE(context.is_group_execution_cancelled());
  context.reset();
  EXPECT_FALSE(context.is_group_execution_cancelled());
}

TEST_P(LowLevelTaskTest, ContextsOfInnerWaitsAreBelowTheOuterOne) {
  tbb::task_group_context outer;
  d1::wait_context outer_done{1};
  bool cancelled_inside = false;
  d1::execute_and_wait(MakeTask(
                           [&](d1::execution_data&) -> d1::task* {
                             tbb::task_group_context inner;
                             d1::wait_context done{1};
                             d1::execute_and_wait(MakeTask(
                                                      [&](d1::execution_data&) -> d1::task* {
                                                        outer.cancel_group_execution();
                                                        cancelled_inside =
                                                            inner.is_group_execution_cancelled();
                                                        return nullptr;
                                                      },
                                                      done),
                                                  inner, done, inner);
                             return nullptr;
                           },
                           outer_done),
                       outer, outer_done, outer);
  EXPECT_TRUE(cancelled_inside);
}

// A wish where to run need not come true, but the task runs.
TEST_P(LowLevelTaskTest, AffinityIsAWish) {
  tbb::task_group_context context;
  const int places = tbb::this_task_arena::max_concurrency();
  d1::wait_context done{0};
  std::atomic<int> runs{0};
  for (int i = 0; i < 100; ++i) {
    done.reserve();
    const auto slot = static_cast<d1::slot_id>(i % places);
    d1::spawn(MakeTask(
                  [&runs](d1::execution_data& data) -> d1::task* {
                    const d1::slot_id wished = d1::affinity_slot(data);
                    const bool here = wished == d1::no_slot || wished == d1::execution_slot(data);
                    EXPECT_EQ(d1::is_same_affinity(data), here);
                    ++runs;
                    return nullptr;
                  },
                  done),
              context, slot);
  }
  d1::wait(done, context);
  EXPECT_EQ(runs, 100);
}

// The slot that it wishes for is empty, and a wait that deep takes no work of others.
TEST_P(LowLevelTaskTest, ATaskWithAWishRunsDeepInTheStackToo) {
  tbb::task_arena arena(2, 1);
  int runs = 0;
  arena.execute([&] {
    const auto other = static_cast<d1::slot_id>(1 - tbb::this_task_arena::current_thread_index());
    DeepInStack([&] {
      tbb::task_group_context context;
      d1::wait_context done{1};
      d1::spawn(MakeTask(
                    [&runs](d1::execution_data&) -> d1::task* {
                      ++runs;
                      return nullptr;
                    },
                    done),
                context, other);
      d1::wait(done, context);
    });
  });
  EXPECT_EQ(runs, 1);
}

// Memory that is no task.
TEST_P(LowLevelTaskTest, SmallObjects) {
  struct Base {
    virtual ~Base() = default;
    std::intptr_t value = 0;
  };
  struct alignas(128) Aligned : Base {
    explicit Aligned(int x) { value = x; }
  };
  struct Large : Base {
    Large(int x, int y) { value = x + y; }
    char ballast[5000] = {};
  };
  tbb::task_group_context context;
  d1::wait_context done{1};
  d1::execute_and_wait(MakeTask(
                           [](d1::execution_data& data) -> d1::task* {
                             d1::small_object_allocator allocator{};
                             Large* const large = allocator.new_object<Large>(data, 1, 2);
                             EXPECT_EQ(large->value, 3);
                             allocator.delete_object(large, data);
                             int* const number = allocator.new_object<int>(data, 5);
                             EXPECT_EQ(*number, 5);
                             allocator.deallocate(number, data);
                             if (!kOnOneTbb) {
                               Aligned* const aligned = allocator.new_object<Aligned>(data, 4);
                               EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 128, 0u);
                               allocator.delete_object(aligned);
                               allocator.deallocate(allocator.new_object<int>(6));
                             }
                             return nullptr;
                           },
                           done),
                       context, done, context);
}

TEST_P(LowLevelTaskTest, SubmittedTasksRunInTheirArena) {
  constexpr int kTasks = 100;
  tbb::task_arena arena(3);
  for (const bool as_critical : {false, true}) {
    for (const bool from_inside : {false, true}) {
      // oneTBB 2021.8 never runs what is submitted from outside.
      if (kOnOneTbb && !from_inside) continue;
      tbb::task_group_context context;
      d1::wait_context done{kTasks};
      std::atomic<int> runs{0};
      const auto submit_all = [&] {
        for (int i = 0; i < kTasks; ++i) {
          submit(MakeTask(
                     [&](d1::execution_data&) {
                       EXPECT_EQ(tbb::this_task_arena::max_concurrency(), 3);
                       ++runs;
                       return nullptr;
                     },
                     done),
                 arena, context, as_critical);
        }
      };
      if (from_inside) {
        arena.execute(submit_all);
      } else {
        submit_all();
      }
      arena.execute([&] { d1::wait(done, context); });
      EXPECT_EQ(runs, kTasks);
    }
  }
}

TEST_P(LowLevelTaskTest, ATaskThatIsSubmittedSeveralTimesRunsAsOften) {
  constexpr int kTimes = 100;
  tbb::task_arena arena(3);
  for (const bool as_critical : {false, true}) {
    tbb::task_group_context context;
    d1::wait_context done{2 * kTimes};
    std::atomic<int> runs{0};
    CountedTask first(runs, done);
    CountedTask second(runs, done);
    arena.execute([&] {
      for (int i = 0; i < kTimes; ++i) {
        submit(first, arena, context, as_critical);
        submit(second, arena, context, as_critical);
      }
      d1::wait(done, context);
    });
    EXPECT_EQ(runs, 2 * kTimes);
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, LowLevelTaskTest, kLimits);

}  // namespace

// How well-known programs use TBB beyond its documentation: what they derive from
// and the members that they touch there.
#define TBB_PREVIEW_ISOLATED_TASK_GROUP 1
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ConsumerShapesTest = ParallelismTest;

// A scene graph's dispatcher: tasks come from anywhere, several threads wait at
// once, and the count is waited for below the group, so that errors stay in it.
class Dispatcher {
 public:
  Dispatcher() : context_(tbb::task_group_context::isolated), tasks_(context_) {}
  ~Dispatcher() { Wait(); }

  template <typename F>
  void Run(F&& f) {
    tasks_.run(Body<std::decay_t<F>>(std::forward<F>(f)));
  }
  void Wait() { tbb::detail::d1::wait(tasks_.Count(), context_); }
  void Cancel() { context_.cancel_group_execution(); }
  bool IsCancelled() { return tasks_.is_canceling(); }

 private:
  class Tasks : public tbb::task_group {
   public:
    explicit Tasks(tbb::task_group_context& context) : tbb::task_group(context) {}
    tbb::detail::d1::wait_context& Count() { return m_wait_vertex.get_context(); }
  };

  template <typename F>
  struct Body {
    explicit Body(F&& function) : f(std::move(function)) {}
    Body(Body&& other) = default;
    Body(const Body&) = delete;
    void operator()() const { f(); }
    F f;
  };

  tbb::task_group_context context_;
  Tasks tasks_;
};

TEST_P(ConsumerShapesTest, DispatcherThatWaitsForTheCountOfItsGroup) {
  std::atomic<int> runs{0};
  Dispatcher dispatcher;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 100; ++i) {
      dispatcher.Run([&runs, &dispatcher] {
        ++runs;
        dispatcher.Run([&runs] { ++runs; });
      });
    }
    std::thread other([&dispatcher] { dispatcher.Wait(); });
    dispatcher.Wait();
    other.join();
    EXPECT_EQ(runs, 200 * (round + 1));
  }
  dispatcher.Cancel();
  EXPECT_TRUE(dispatcher.IsCancelled());
  dispatcher.Run([&runs] { ++runs; });
  dispatcher.Wait();
  EXPECT_EQ(runs, 2000);
}

// The same below the loop that made it.
class CountedGroup : public tbb::task_group {
 public:
  using tbb::task_group::task_group;
  void Wait() { tbb::detail::d1::wait(m_wait_vertex.get_context(), context()); }
};

TEST_P(ConsumerShapesTest, OnlyTheCountOfAGroupInABoundContextIsWaitedFor) {
  std::atomic<int> runs{0};
  tbb::task_group_context outer;
  const auto use_both = [&](int) {
    std::optional<tbb::task_group_context> context(std::in_place);
    {
      CountedGroup group(*context);
      group.run([&runs] { ++runs; });
      group.Wait();
    }
    context.emplace();  // at the same address
    CountedGroup group(*context);
    group.run([&runs] { ++runs; });
    group.Wait();
    outer.cancel_group_execution();
    EXPECT_TRUE(context->is_group_execution_cancelled());
  };
  tbb::parallel_for(0, 1, use_both, outer);
  EXPECT_EQ(runs, 2);
}

TEST_P(ConsumerShapesTest, AGroupWhoseCountWasWaitedForHearsOfWhatIsCancelledAbove) {
  tbb::task_group_context outer;
  const auto use = [&](int) {
    CountedGroup group;
    group.run([] {});
    group.Wait();
    group.run([] {});
    tbb::task_group_context elsewhere(tbb::task_group_context::isolated);
    tbb::parallel_for(
        0, 1, [&group](int) { group.Wait(); }, elsewhere);
    EXPECT_FALSE(group.is_canceling());
    outer.cancel_group_execution();
    EXPECT_TRUE(group.is_canceling());
    EXPECT_EQ(group.wait(), tbb::canceled);
  };
  tbb::parallel_for(0, 1, use, outer);
}

// A pool of an animation program: a group in memory of its own, whose context it
// reaches for, and functions that may be moved but not copied.
class PoolGroup : public tbb::task_group {
 public:
  explicit PoolGroup(bool low) {
    if (low) my_context.set_priority(tbb::priority_low);
  }
  bool HasLowPriority() { return context().priority() == tbb::priority_low; }
  bool WasCancelled() { return m_context.is_group_execution_cancelled(); }
};

struct PoolTask {
  PoolTask(std::atomic<int>& counter, std::vector<int> values)
      : runs(counter), data(std::move(values)) {}
  PoolTask(PoolTask&&) = default;
  PoolTask(const PoolTask&) = delete;
  PoolTask& operator=(const PoolTask&) = delete;
  void operator()() const { runs += static_cast<int>(data.size()); }

  std::atomic<int>& runs;
  std::vector<int> data;
};

TEST_P(ConsumerShapesTest, GroupInZeroedMemory) {
  alignas(PoolGroup) unsigned char memory[sizeof(PoolGroup)];
  std::memset(memory, 0, sizeof(memory));
  auto* const group = ::new (memory) PoolGroup(true);
  EXPECT_TRUE(group->HasLowPriority());
  std::atomic<int> runs{0};
  for (int i = 0; i < 100; ++i) group->run(PoolTask(runs, std::vector<int>(3)));
  group->wait();
  EXPECT_EQ(runs, 300);
  group->cancel();
  EXPECT_TRUE(group->WasCancelled());
  group->wait();
  group->~PoolGroup();
}

// A ray tracer: whether a loop was cancelled is asked of its context afterwards.
TEST_P(ConsumerShapesTest, ContextThatIsAskedAfterTheLoop) {
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 100,
      [&context](int i) {
        if (i == 50) context.cancel_group_execution();
      },
      context);
  EXPECT_TRUE(context.is_group_execution_cancelled());
  tbb::task_group_context other;
  EXPECT_THROW(tbb::parallel_for(
                   0, 100, [](int) { throw std::runtime_error("from the loop"); }, other),
               std::runtime_error);
  EXPECT_TRUE(other.is_group_execution_cancelled());
}

// A visualisation library: an arena that is made, given up and made again, and
// asked before it is there.
TEST_P(ConsumerShapesTest, ArenaWithALaterSize) {
  tbb::task_arena arena;
  EXPECT_GE(arena.max_concurrency(), 1);
  for (const int threads : {2, 3}) {
    arena.terminate();
    arena.initialize(threads);
    EXPECT_EQ(arena.max_concurrency(), threads);
    EXPECT_EQ(arena.execute([] { return tbb::this_task_arena::max_concurrency(); }), threads);
  }
}

// A volume library's traits of contexts, and what isolation returns.
TEST_P(ConsumerShapesTest, TraitsAndIsolation) {
  tbb::task_group_context context(
      tbb::task_group_context::bound,
      tbb::task_group_context::default_traits | tbb::task_group_context::concurrent_wait);
  EXPECT_NE(context.traits() & tbb::task_group_context::concurrent_wait, 0u);
  const std::vector<int> numbers = tbb::this_task_arena::isolate([] {
    return std::vector<int>{1, 2, 3};
  });
  EXPECT_EQ(numbers.size(), 3u);
  int value = 5;
  int& reference = tbb::this_task_arena::isolate([&value]() -> int& { return value; });
  EXPECT_EQ(&reference, &value);
}

TEST_P(ConsumerShapesTest, IsolatedGroupRunsNothingElseInItsWait) {
  std::atomic<int> foreign_inside{0};
  thread_local bool waits = false;
  tbb::task_group others;
  tbb::isolated_task_group group;
  std::atomic<int> runs{0};
  for (int round = 0; round < 50; ++round) {
    // In turn, so that either kind lies under the other in the deque.
    for (int i = 0; i < 5; ++i) {
      group.run([&runs] { ++runs; });
      others.run([&foreign_inside] {
        if (waits) ++foreign_inside;
      });
    }
    waits = true;
    EXPECT_EQ(group.wait(), tbb::complete);
    waits = false;
    EXPECT_EQ(runs, 5 * (round + 1));
    others.wait();
  }
  EXPECT_EQ(foreign_inside, 0);
}

TEST_P(ConsumerShapesTest, IsolatedGroupIsAGroup) {
  tbb::task_group_context context;
  tbb::isolated_task_group group = context;
  std::atomic<int> runs{0};
  group.run(group.defer([&runs] { ++runs; }));
  EXPECT_EQ(group.run_and_wait([&] {
    ++runs;
    tbb::parallel_for(0, 100, [&runs](int) { ++runs; });
  }),
            tbb::complete);
  EXPECT_EQ(runs, 102);
  group.run([] { throw std::runtime_error("from the group"); });
  EXPECT_THROW(group.wait(), std::runtime_error);
  group.cancel();
  EXPECT_EQ(group.wait(), tbb::canceled);
}

INSTANTIATE_TEST_SUITE_P(Limits, ConsumerShapesTest, kLimits);

struct Line {
  int length() { return size; }
  int half() const noexcept { return size / 2; }
  int size = 0;
};
int Twice(int n) { return 2 * n; }

// The sum of what `measure` makes of ten lines.
template <typename Measure>
int SumOverLines(const Measure& measure) {
  int made = 0;
  int sum = 0;
  tbb::parallel_pipeline(4, tbb::make_filter<void, Line>(tbb::filter_mode::serial_in_order,
                                                         [&](tbb::flow_control& control) {
                                                           if (made == 10) control.stop();
                                                           Line line;
                                                           line.size = 2 * made++;
                                                           return line;
                                                         }) &
                                tbb::make_filter(tbb::filter_mode::parallel, measure) &
                                tbb::make_filter<int, int>(tbb::filter_mode::parallel, Twice) &
                                tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order,
                                                            [&](int n) { sum += n; }));
  return sum;
}

TEST_P(ConsumerShapesTest, APipelinesStepsMayBeMembersOfTheItemAndFunctions) {
  EXPECT_EQ(SumOverLines(&Line::length), 180);
  EXPECT_EQ(SumOverLines(&Line::half), 90);
  EXPECT_EQ(SumOverLines(&Line::size), 180);
}

// A smart pointer's relatives overload `&`, and an array library takes every name.
namespace hiding {

struct Hides {
  Hides* operator&() = delete;
  const Hides* operator&() const = delete;
  template <typename T>
  void operator,(T&&) const = delete;
};
template <typename... Arguments>
void RunPartsLoop(Arguments&&...) = delete;

struct Value : Hides {
  int number = 1;
};
struct Part : Hides {
  Part(int b, int e) : begin(b), end(e) {}
  Part(Part& rest, tbb::split) : begin((rest.begin + rest.end) / 2), end(rest.end) {
    rest.end = begin;
  }
  bool empty() const { return begin == end; }
  bool is_divisible() const { return end - begin > 1; }
  int begin;
  int end;
};
struct Sum : Hides {
  Sum() = default;
  Sum(Sum&, tbb::split) {}
  void operator()(const Part& part) { count += part.end - part.begin; }
  template <typename Tag>
  void operator()(const Part& part, Tag) {
    (*this)(part);
  }
  void join(Sum& right) { count += right.count; }
  void reverse_join(Sum& left) { count += left.count; }
  void assign(Sum& last) { count = last.count; }
  int count = 0;
};

}  // namespace hiding

template <typename Partitioner>
int Count(Partitioner&& partitioner) {
  hiding::Sum sum;
  tbb::parallel_reduce(hiding::Part(0, 100), sum, partitioner);
  std::atomic<int> seen{0};
  tbb::parallel_for(
      hiding::Part(0, 100), [&seen](const hiding::Part& part) { seen += part.end - part.begin; },
      partitioner);
  return sum.count == seen ? sum.count : -1;
}

TEST_P(ConsumerShapesTest, RangesBodiesAndValuesMayHideTheirAddress) {
  tbb::affinity_partitioner affinity;
  EXPECT_EQ(Count(tbb::auto_partitioner()), 100);
  EXPECT_EQ(Count(tbb::simple_partitioner()), 100);
  EXPECT_EQ(Count(tbb::static_partitioner()), 100);
  EXPECT_EQ(Count(affinity), 100);
  hiding::Sum sum;
  tbb::parallel_scan(hiding::Part(0, 100), sum);
  EXPECT_EQ(sum.count, 100);

  hiding::Value value;
  value.number = 5;
  tbb::task_arena arena(1);
  EXPECT_EQ(arena.execute([&value]() -> hiding::Value& { return value; }).number, 5);
  tbb::enumerable_thread_specific<hiding::Value> values(value);
  EXPECT_EQ(values.local().number, 5);
  EXPECT_EQ(values.begin()->number, 5);
}

}  // namespace

// What becomes of tasks for which there is no memory, of a task_list in the middle of it too:
// every task runs, once.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "counted_task.h"
#include "gtest/gtest.h"
#include "replaced_new.h"

namespace {

// How many more allocations this thread gets; negative: as many as it wants.
thread_local int allocations_left = -1;

// More than a deque has room for before it grows.
constexpr int kTasks = 4096;

// How often each task of a list has run.
class Runs {
 public:
  // Adds to the list a task for each place; new_task(f) makes it.
  template <typename NewTask>
  void AddTasks(tbb::task_list& list, const NewTask& new_task) {
    for (std::atomic<int>& run : runs_) {
      list.push_back(new_task([&run](tbb::task&) -> tbb::task* {
        ++run;
        return nullptr;
      }));
    }
  }
  void ExpectOnceEach() const {
    for (const std::atomic<int>& run : runs_) ASSERT_EQ(run, 1);
  }

 private:
  std::array<std::atomic<int>, kTasks> runs_{};
};

class TaskListMemoryTest : public testing::Test {
 protected:
  ~TaskListMemoryTest() override { EXPECT_EQ(CountedTask::live(), 0); }

  // A thread that keeps all it spawns until it waits.
  const tbb::global_control one_{tbb::global_control::max_allowed_parallelism, 1};
};

TEST_F(TaskListMemoryTest, ListsThatAreWaitedForRun) {
  Runs runs;
  tbb::task_list roots;
  runs.AddTasks(roots, [](auto f) -> tbb::task& { return Make(tbb::task::allocate_root(), f); });
  allocations_left = 0;
  tbb::task::spawn_root_and_wait(roots);
  allocations_left = -1;
  EXPECT_TRUE(roots.empty());
  runs.ExpectOnceEach();
}

// While another thread uses the context, memory is needed to use it as well.
TEST_F(TaskListMemoryTest, AListWhoseContextCannotBeBoundStaysAsItIs) {
  tbb::task_group_context context;
  enum State { kBefore, kInUse, kOver };
  std::atomic<State> state{kBefore};
  std::thread other([&] {
    const auto use = [&](int) {
      state = kInUse;
      while (state != kOver) std::this_thread::yield();
    };
    tbb::parallel_for(0, 1, [&](int) { tbb::parallel_for(0, 1, use, context); });
  });
  while (state != kInUse) std::this_thread::yield();
  int runs = 0;
  tbb::parallel_for(0, 1, [&](int) {
    tbb::task_list roots;
    for (int i = 0; i < 2; ++i) {  // no more than there is room for, here and later
      roots.push_back(Make(tbb::task::allocate_root(context), [&runs](tbb::task&) -> tbb::task* {
        ++runs;
        return nullptr;
      }));
    }
    allocations_left = 0;
    EXPECT_THROW(tbb::task::spawn_root_and_wait(roots), std::bad_alloc);
    allocations_left = -1;
    EXPECT_EQ(runs, 0);
    tbb::task::spawn_root_and_wait(roots);
  });
  state = kOver;
  other.join();
  EXPECT_EQ(runs, 2);
}

TEST_F(TaskListMemoryTest, ChildrenThatAreWaitedForRun) {
  Runs runs;
  tbb::task& root = Make(tbb::task::allocate_root(), [&](tbb::task& self) -> tbb::task* {
    tbb::task_list children;
    runs.AddTasks(children, [&](auto f) -> tbb::task& { return Make(self.allocate_child(), f); });
    self.set_ref_count(kTasks + 1);
    allocations_left = 0;
    self.spawn_and_wait_for_all(children);
    allocations_left = -1;
    EXPECT_TRUE(children.empty());
    runs.ExpectOnceEach();
    return nullptr;
  });
  tbb::task::spawn_root_and_wait(root);
}

TEST_F(TaskListMemoryTest, AListThatIsSpawnedKeepsTheRestInOrder) {
  Runs runs;
  tbb::empty_task& parent = *new (tbb::task::allocate_root()) tbb::empty_task;
  parent.set_ref_count(kTasks + 1);
  tbb::task_list children;
  std::vector<tbb::task*> in_order;
  runs.AddTasks(children, [&](auto f) -> tbb::task& {
    tbb::task& child = Make(parent.allocate_child(), f);
    in_order.push_back(&child);
    return child;
  });
  allocations_left = 0;
  EXPECT_THROW(tbb::task::spawn(children), std::bad_alloc);
  allocations_left = -1;
  int left = 0;
  tbb::task_list rest;
  while (!children.empty()) {
    tbb::task& child = children.pop_front();
    ASSERT_EQ(&child, in_order[static_cast<std::size_t>(left)]);
    EXPECT_EQ(child.state(), tbb::task::allocated);
    rest.push_back(child);
    ++left;
  }
  EXPECT_GT(left, 0);
  tbb::task::spawn(rest);
  parent.wait_for_all();
  runs.ExpectOnceEach();
  tbb::task::destroy(parent);
}

// Without memory, in a thread whose deque is full.
class FullDequeTest : public TaskListMemoryTest {
 protected:
  FullDequeTest() { all_.set_ref_count(1); }
  ~FullDequeTest() override { tbb::task::destroy(all_); }

  // A task that is waited for.
  template <typename F>
  tbb::task& New(F f) {
    ++expected_;
    return MakeNevertheless(tbb::task::allocate_additional_child_of(all_), f);
  }
  tbb::task& New() {
    return New([this](tbb::task&) { return Run(); });
  }
  template <typename Allocation, typename F>
  static tbb::task& MakeNevertheless(Allocation&& allocation, F f) {
    allocations_left = -1;
    tbb::task& made = Make(std::forward<Allocation>(allocation), f);
    allocations_left = 0;
    return made;
  }
  tbb::task* Run() {
    ++runs_;
    return nullptr;
  }

  // Spawns until there is no memory for one more.
  void Fill() {
    for (;;) {
      tbb::task& made = New();
      try {
        tbb::task::spawn(made);
      } catch (const std::bad_alloc&) {
        EXPECT_EQ(made.state(), tbb::task::allocated);
        tbb::task::destroy(made);
        --expected_;
        return;
      }
    }
  }

  void RunAndWait(tbb::task& first) {
    tbb::task::spawn(first);
    all_.wait_for_all();
    allocations_left = -1;
    EXPECT_EQ(runs_, expected_);
  }

 private:
  tbb::empty_task& all_ = *new (tbb::task::allocate_root()) tbb::empty_task;
  int expected_ = 0;
  int runs_ = 0;
};

TEST_F(FullDequeTest, ATaskRunsAgainAfterTheOneThatItReturned) {
  int times = 0;
  RunAndWait(New([&](tbb::task& self) -> tbb::task* {
    if (++times == 2) return Run();
    Fill();
    self.recycle_to_reexecute();
    return &New();
  }));
  EXPECT_EQ(times, 2);
}

TEST_F(FullDequeTest, AContinuationRunsBesideTheTaskThatWasReturned) {
  tbb::task& continuation = New();
  continuation.set_ref_count(1);
  const auto f = [&](tbb::task&) -> tbb::task* {
    Fill();
    return &New();
  };
  RunAndWait(MakeNevertheless(continuation.allocate_child(), f));
}

}  // namespace

void BeforeAllocation(std::size_t /*bytes*/) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
}

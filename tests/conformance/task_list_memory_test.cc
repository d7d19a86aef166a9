// What becomes of a task_list when memory runs out in the middle of it: every task runs, once.
#include <tbb/global_control.h>
#include <tbb/task.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <new>
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

}  // namespace

void BeforeAllocation(std::size_t /*bytes*/) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
}

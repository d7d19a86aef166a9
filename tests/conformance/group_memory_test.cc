// What becomes of a group's tasks where there is no memory to bind its context.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <new>
#include <utility>

#include "gtest/gtest.h"
#include "replaced_new.h"

namespace {

thread_local bool no_memory = false;

// Binds a group, so that what that needs once is there.
void BindAGroup() {
  tbb::task_group_context context;
  tbb::task_group group(context);
  group.run_and_wait([] {});
}

TEST(GroupMemoryTest, WhoCannotEnqueueATaskKeepsIt) {
  int ran = 0;
  tbb::task_group_context outer;
  const auto enqueue = [&](int) {
    BindAGroup();
    tbb::task_group_context context;
    tbb::task_group group(context);
    tbb::task_handle handle = group.defer([&ran] { ++ran; });
    no_memory = true;
    EXPECT_THROW(tbb::this_task_arena::enqueue(std::move(handle)), std::bad_alloc);
    no_memory = false;
    ASSERT_TRUE(handle);
    tbb::this_task_arena::enqueue(std::move(handle));
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(ran, 1);
  };
  tbb::parallel_for(0, 1, enqueue, outer);
}

TEST(GroupMemoryTest, AGroupThatCouldNotBeBoundIsBoundNextTime) {
  tbb::task_group_context outer;
  const auto run = [&](int) {
    BindAGroup();
    tbb::task_group_context context;
    tbb::task_group group(context);
    no_memory = true;
    EXPECT_THROW(group.run([] {}), std::bad_alloc);
    no_memory = false;
    group.run([] {});
    outer.cancel_group_execution();
    EXPECT_TRUE(context.is_group_execution_cancelled());
    EXPECT_EQ(group.wait(), tbb::canceled);
  };
  tbb::parallel_for(0, 1, run, outer);
}

}  // namespace

void BeforeAllocation(std::size_t /*bytes*/) {
  if (no_memory) throw std::bad_alloc();
}

// What a group's context stands below, and until when.
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using TaskGroupBindingTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskGroupBindingTest, kLimits);

TEST_P(TaskGroupBindingTest, AGroupThatIsDestroyedWithoutAWaitLeavesTheContextFree) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB counts the task that was never made, and hangs";
  struct Throws {
    Throws() = default;
    Throws(const Throws&) { throw std::runtime_error("no copy"); }
    void operator()() const { ADD_FAILURE() << "it was never made"; }
  };
  tbb::task_group_context outer;
  const auto use_both = [&](int) {
    std::optional<tbb::task_group_context> context(std::in_place);
    {
      tbb::task_group group(*context);
      EXPECT_THROW(group.run(Throws()), std::runtime_error);
    }
    context.emplace();  // at the same address
    tbb::task_group group(*context);
    group.run([] {});
    outer.cancel_group_execution();
    EXPECT_TRUE(context->is_group_execution_cancelled());
    EXPECT_EQ(group.wait(), tbb::canceled);
  };
  tbb::parallel_for(0, 1, use_both, outer);
}

// Calls f() and waits, again and again, while another thread waits again and again.
template <typename F>
void WaitAtOnce(tbb::task_group& group, const F& f) {
  constexpr int kTimes = 100000;
  enum State { kBefore, kDuring, kAfter };
  std::atomic<State> state{kBefore};
  std::thread other([&] {
    for (state = kDuring; state != kAfter;) group.wait();
  });
  while (state == kBefore) std::this_thread::yield();
  for (int time = 0; time < kTimes; ++time) {
    f();
    group.wait();
  }
  state = kAfter;
  other.join();
}

TEST_P(TaskGroupBindingTest, SeveralThreadsMayWaitForAGroupInABoundContext) {
  tbb::task_group_context outer;
  const auto use = [&](int) {
    tbb::task_group_context context;
    tbb::task_group group(context);
    WaitAtOnce(group, [&group] { group.run([] {}); });
    group.run([] {});
    outer.cancel_group_execution();
    EXPECT_EQ(group.wait(), tbb::canceled);
  };
  tbb::parallel_for(0, 1, use, outer);
}

// Whether what is cancelled above the group's task is heard of, after the group has been used and
// waited for.
bool HearsOfWhatIsCancelledAbove(tbb::task_group& group, tbb::task_group_context& outer) {
  for (int wait = 0; wait < 20; ++wait) {
    group.run([] {});
    group.wait();
  }
  std::atomic<bool> has_begun{false};
  std::atomic<bool> may_look{false};
  bool is_cancelled = false;
  group.run([&] {
    has_begun = true;
    while (!may_look) std::this_thread::yield();
    is_cancelled = tbb::is_current_task_group_canceling();
  });
  while (!has_begun) std::this_thread::yield();
  outer.cancel_group_execution();
  may_look = true;
  group.wait();
  return is_cancelled;
}

// A thread that is late to see that its wait is over finds what others have begun since.
void ExpectLateWaitsLeaveItBound(tbb::task_group& group) {
  constexpr int kTimes = 200;
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) group.wait();
  });
  int heard = 0;
  for (int time = 0; time < kTimes; ++time) {
    tbb::task_group_context outer;
    const auto use = [&](int) { heard += HearsOfWhatIsCancelledAbove(group, outer) ? 1 : 0; };
    tbb::parallel_for(0, 1, use, outer);
  }
  over = true;
  other.join();
  EXPECT_EQ(heard, kTimes);
}

TEST_P(TaskGroupBindingTest, AWaitThatEndsLateLeavesWhatHasBegunSince) {
  if (kOnOneTbb) GTEST_SKIP() << "with oneTBB it makes the context as new, cancelled or not";
  tbb::task_group_context context;
  tbb::task_group in_context(context);
  ExpectLateWaitsLeaveItBound(in_context);
  tbb::task_group group;
  ExpectLateWaitsLeaveItBound(group);
}

// With floating-point settings of its own, so that every wait has something to look after.
class GroupWithSettings : public tbb::task_group {
 public:
  GroupWithSettings() { context().capture_fp_settings(); }
};

TEST_P(TaskGroupBindingTest, AGroupHearsOfWhatIsCancelledAboveAfterSeveralWaits) {
  tbb::task_group_context outer;
  const auto use = [&](int) {
    GroupWithSettings group;
    group.run([] {});
    WaitAtOnce(group, [] {});
    outer.cancel_group_execution();
    group.run([] {});
    EXPECT_EQ(group.wait(), tbb::canceled);
  };
  tbb::parallel_for(0, 1, use, outer);
}

}  // namespace

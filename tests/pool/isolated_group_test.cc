// What runs on the stack of a thread that waits for an IsolatedGroup: the choice is made
// for each wait.
#include "filch/pool/isolated_group.h"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include "filch/pool/helping.h"
#include "filch/pool/isolate.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

// What a thread without others runs while it waits for the tasks "g" of a group, one of
// which has a part "p"; it has spawned strangers "s" before, between and after them.
template <typename Wait>
std::string RunDuring(const Wait& wait) {
  Pool pool(OfThreads(1));
  return pool.Execute([&] {
    std::string ran;
    TaskGroup strangers;
    IsolatedGroup group;
    const auto stranger = [&] { strangers.Run([&ran] { ran += 's'; }); };
    stranger();
    group.Run([&ran] { ran += 'g'; });
    stranger();
    group.Run([&] {
      ran += 'g';
      Join([] {}, [&ran] { ran += 'p'; });
    });
    stranger();
    wait(group);
    std::string during = ran;
    EXPECT_TRUE(group.IsComplete());
    strangers.Wait();
    EXPECT_EQ(ran.size(), 6u);
    return during;
  });
}

TEST(IsolatedGroupTest, AWaitAmongThemRunsTheGroupAlone) {
  EXPECT_EQ(RunDuring([](IsolatedGroup& group) { group.WaitAmongThem(); }), "gpg");
}

TEST(IsolatedGroupTest, AnotherWaitRunsWhatLiesAboveAsWell) {
  EXPECT_EQ(RunDuring([](IsolatedGroup& group) { group.Wait(); }), "sgpsg");
  EXPECT_EQ(RunDuring([](IsolatedGroup& group) { group.Wait(Helping::kOwnTasks); }), "sgpsg");
}

// A task of the group leaves the deque from below those of a region, which come down, below
// the region's floor; nobody else is there to run them.
TEST(IsolatedGroupTest, ARegionFindsWhatHasComeDown) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    int ran = 0;
    const auto count = [&ran] { ++ran; };
    TaskGroup strangers;
    strangers.Run([] {});
    IsolatedGroup before;
    before.Run(count);
    Isolate([&] {
      TaskGroup group;
      group.Run(count);
      group.Run(count);
      before.WaitAmongThem();
      EXPECT_EQ(ran, 1);
      group.Wait();
      EXPECT_EQ(ran, 3);
    });
    strangers.Wait();
  });
}

class IsolatedGroupPoolTest : public PoolTest {};

TEST_P(IsolatedGroupPoolTest, EveryWaitEndsAmongStrangers) {
  for (int round = 0; round < 50; ++round) {
    pool_.Execute([] {
      std::atomic<int> runs{0};
      TaskGroup strangers;
      IsolatedGroup group;
      for (int i = 0; i < 8; ++i) {
        strangers.Run([&] { ++runs; });
        group.Run([&] {
          const std::thread::id here = std::this_thread::get_id();
          Join([&] { ++runs; }, [&] { group.Run([&] { ++runs; }); });
          EXPECT_EQ(std::this_thread::get_id(), here);
        });
      }
      group.WaitAmongThem();
      EXPECT_GE(runs.load(), 16);
      strangers.Wait();
      EXPECT_EQ(runs.load(), 24);
    });
  }
}

TEST_P(IsolatedGroupPoolTest, TheFirstExceptionArrivesAndTheGroupIsAsNew) {
  pool_.Execute([] {
    IsolatedGroup group;
    for (int round = 0; round < 3; ++round) {
      group.Run([] { throw std::runtime_error("first"); });
      EXPECT_THROW(group.WaitAmongThem(), std::runtime_error);
      group.Cancel();
      EXPECT_TRUE(group.WaitAmongThem());
      EXPECT_FALSE(group.Wait());
    }
  });
}

// The wait looks for the group's tasks below the join's own, and puts that one back.
TEST_P(IsolatedGroupPoolTest, AWaitInAJoinLeavesTheJoinItsTask) {
  pool_.Execute([] {
    for (int round = 0; round < 100; ++round) {
      std::atomic<int> in_group{0};
      std::atomic<int> seconds{0};
      std::atomic<int> later{0};
      IsolatedGroup group;
      TaskGroup others;
      group.Run([&] { ++in_group; });
      group.Run([&] { ++in_group; });
      Join(
          [&] {
            group.WaitAmongThem();
            others.Run([&] { ++later; });
          },
          [&] { ++seconds; });
      EXPECT_EQ(in_group, 2);
      EXPECT_EQ(seconds, 1);
      others.Wait();
      EXPECT_EQ(later, 1);
    }
  });
}

FILCH_INSTANTIATE_POOL_TEST(IsolatedGroupPoolTest);

}  // namespace
}  // namespace filch

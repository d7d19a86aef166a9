// A thread that waits for what was stolen looks for work at the thief's first.
#include <atomic>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/fork_join_task.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

// Three threads, each in a slot: the owner of a task, its thief, and a stranger.  The
// last two have a task each in their deques, where the owner can take it, and do not
// run it themselves.
class LeapfrogTest : public testing::Test {
 public:
  LeapfrogTest() : pool_(OfThreads(1)), arena_(pool_.AcquireArena({3, 3, Priority::kNormal})) {}
  ~LeapfrogTest() override { pool_.ReleaseArena(arena_); }

  // Which of the others' tasks the owner runs first.  `wait()`, on the owner's thread,
  // starts a task that calls BeStolen(), calls AwaitOthers(), and waits for the task.
  template <typename Wait>
  char FirstTaken(const Wait& wait) {
    stolen_ = false;
    over_ = false;
    offered_ = 0;
    taken_ = '-';
    std::thread stranger([this] {
      ExecuteIn(arena_, [this] {
        TaskGroup group;
        YieldUntil(stolen_);  // or it would be the thief
        Offer(group, 'S');
        YieldUntil(over_);
        group.Wait();
      });
    });
    HeldWait waits;
    std::thread thief([&] { ExecuteIn(arena_, [&] { waits.Begin(); }); });  // and steals meanwhile
    waits.UntilBegun();
    ExecuteIn(arena_, [&] { wait(); });
    over_ = true;
    waits.End();
    stranger.join();
    thief.join();
    return taken_.load();
  }

  // What is stolen: it ends when the owner has taken a task from its thread.
  void BeStolen() {
    TaskGroup group;
    stolen_ = true;
    Offer(group, 'T');
    while (taken_.load() == '-') std::this_thread::yield();
    group.Wait();
  }

  // Lets the thief have the calling thread's task, and waits until there is something
  // to be taken from both of the others.
  void AwaitOthers() {
    while (!stolen_.load()) {
      pool_internal::CurrentSlot().deque.Expose();
      std::this_thread::yield();
    }
    while (offered_.load() < 2) std::this_thread::yield();
  }

 private:
  // Leaves a task that says who had it where others can take it.
  void Offer(TaskGroup& group, char who) {
    group.Run([this, who] {
      char nobody = '-';
      taken_.compare_exchange_strong(nobody, who);
    });
    pool_internal::CurrentSlot().deque.Expose();
    ++offered_;
  }

  Pool pool_;
  Arena& arena_;
  std::atomic<bool> stolen_{false};
  std::atomic<bool> over_{false};
  std::atomic<int> offered_{0};
  std::atomic<char> taken_{'-'};
};

// By chance it would be the thief's task every second time.
constexpr int kRounds = 40;

TEST_F(LeapfrogTest, AJoinIsWaitedForAtTheThiefs) {
  for (int round = 0; round < kRounds; ++round) {
    EXPECT_EQ(FirstTaken([this] { Join([this] { AwaitOthers(); }, [this] { BeStolen(); }); }), 'T');
  }
}

TEST_F(LeapfrogTest, SoIsATaskThatWasForked) {
  class Stolen final : public ForkJoinTask<int> {
   public:
    explicit Stolen(LeapfrogTest& test) : test_(test) {}

   private:
    int Compute() override {
      test_.BeStolen();
      return 1;
    }
    LeapfrogTest& test_;
  };
  for (int round = 0; round < kRounds; ++round) {
    EXPECT_EQ(FirstTaken([this] {
                Stolen task(*this);
                task.Fork();
                AwaitOthers();
                EXPECT_EQ(task.Join(), 1);
              }),
              'T');
  }
}

}  // namespace
}  // namespace filch

// Tasks with affinity for a slot: each runs once and is destroyed once, by the
// slot's thread if it comes for it, and by somebody else if it does not.
#include <atomic>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/isolate.h"
#include "filch/pool/pool.h"
#include "filch/pool/task.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

// A letter, which destroys itself when it has been read.
class Letter final : public Task {
 public:
  // Counts for the group, if there is one.
  Letter(TaskGroup* group, std::function<void()> body)
      : Task(&Letter::RunAndDestroy, nullptr), group_(group), body_(std::move(body)) {
    ++alive;
    if (group_ != nullptr) group_->Add();
  }

  static inline std::atomic<int> alive{0};

 private:
  ~Letter() { --alive; }

  static Task* RunAndDestroy(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<Letter&>(task);
    TaskGroup* const group = self.group_;
    self.body_();
    delete &self;
    if (group != nullptr) group->Done(execution);
    return nullptr;
  }

  TaskGroup* const group_;
  const std::function<void()> body_;
};

void Send(Arena& arena, int slot, TaskGroup* group, std::function<void()> body) {
  arena.Post(*new Letter(group, std::move(body)), slot, pool_internal::CurrentSlot().isolation);
}

class MailboxTest : public PoolTest {
 public:
  ~MailboxTest() override { EXPECT_EQ(Letter::alive.load(), 0); }
};

TEST_P(MailboxTest, AThreadReadsItsOwnMailBeforeItLooksFurther) {
  pool_.SetWorkerLimit(0);
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [&] {
    TaskGroup group;
    std::vector<int> order;
    for (int i = 0; i < 3; ++i) {
      Send(arena, CurrentSlotIndex(), &group, [&order, i] { order.push_back(i); });
    }
    group.Run([&order] { order.push_back(3); });
    group.Wait();
    // What it spawned itself first (rule 3), then the mail (rule 4).
    EXPECT_EQ(order, (std::vector<int>{3, 0, 1, 2}));
  });
}

TEST_P(MailboxTest, MailForASlotWhereNobodyEverWas) {
  Arena& arena = pool_.AcquireArena({8, 1, Priority::kNormal});
  ExecuteIn(arena, [&] {
    TaskGroup group;
    std::atomic<int> runs{0};
    for (int slot = 0; slot < 8; ++slot) Send(arena, slot, &group, [&] { ++runs; });
    group.Wait();
    EXPECT_EQ(runs.load(), 8);
  });
}

TEST_P(MailboxTest, TheRecipientHasLeft) {
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [&] {
    for (int round = 0; round < 20; ++round) {
      TaskGroup group;
      std::atomic<bool> entered{false};
      std::atomic<bool> sent{false};
      int recipient = -1;
      std::thread visitor([&] {
        ExecuteIn(arena, [&] {
          recipient = CurrentSlotIndex();
          entered = true;
          YieldUntil([&] { return sent.load(); });
        });
      });
      YieldUntil([&] { return entered.load(); });
      bool ran = false;
      Send(arena, recipient, &group, [&] { ran = true; });
      sent = true;  // it leaves without a look at its mail
      group.Wait();
      EXPECT_TRUE(ran);
      visitor.join();
    }
  });
}

TEST_P(MailboxTest, TheRecipientIsBusyUntilItsMailHasBeenRead) {
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [&] {
    TaskGroup group;
    std::atomic<int> recipient{-1};
    std::atomic<bool> ran{false};
    std::thread visitor([&] {
      ExecuteIn(arena, [&] {
        recipient = CurrentSlotIndex();
        YieldUntil([&] { return ran.load(); });
      });
    });
    YieldUntil([&] { return recipient.load() >= 0; });
    Send(arena, recipient, &group, [&] { ran = true; });
    group.Wait();
    EXPECT_TRUE(ran.load());
    visitor.join();
  });
}

TEST_P(MailboxTest, TheLimitIsLoweredWhileMailIsThere) {
  const int limit = pool_.worker_limit();
  Arena& arena = pool_.AcquireArena({4, 1, Priority::kNormal});
  ExecuteIn(arena, [&] {
    for (int round = 0; round < 50; ++round) {
      pool_.SetWorkerLimit(limit);
      TaskGroup group;
      std::atomic<int> runs{0};
      for (int slot = 0; slot < 4; ++slot) Send(arena, slot, &group, [&] { ++runs; });
      pool_.SetWorkerLimit(0);
      group.Wait();
      EXPECT_EQ(runs.load(), 4);
    }
  });
}

TEST_P(MailboxTest, AnIsolatedWaitReadsTheMailOfItsRegionOnly) {
  pool_.SetWorkerLimit(0);
  Arena& arena = pool_.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [&] {
    TaskGroup outer;
    bool outer_ran = false;
    int region_runs = 0;
    const int here = CurrentSlotIndex();
    Send(arena, here, &outer, [&] { outer_ran = true; });
    Isolate([&] {
      TaskGroup inner;
      // Behind the foreign letter, and in the box of a slot where nobody is.
      Send(arena, here, &inner, [&] { ++region_runs; });
      Send(arena, 1 - here, &inner, [&] { ++region_runs; });
      inner.Wait();
      EXPECT_EQ(region_runs, 2);
      EXPECT_FALSE(outer_ran);
    });
    outer.Wait();
    EXPECT_TRUE(outer_ran);
  });
}

TEST_P(MailboxTest, MailThatNobodyWaitsForIsReadWhenThePoolEnds) {
  std::atomic<int> runs{0};
  {
    Pool pool(Options());
    Arena& arena = pool.AcquireArena({3, 1, Priority::kNormal});
    pool.Execute([&] {
      for (int slot = 0; slot < 3; ++slot) Send(arena, slot, nullptr, [&] { ++runs; });
    });
  }
  EXPECT_EQ(runs.load(), 3);
}

TEST_P(MailboxTest, ManySendersAndRecipientsThatComeAndGo) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 30;
  constexpr int kLetters = 8;
  Arena& arena = pool_.AcquireArena({kThreads, kThreads, Priority::kNormal});
  std::atomic<int> runs{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        ExecuteIn(arena, [&] {
          TaskGroup group;
          for (int letter = 0; letter < kLetters; ++letter) {
            Send(arena, letter % kThreads, &group, [&] { ++runs; });
          }
          group.Wait();
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs.load(), kThreads * kRounds * kLetters);
}

FILCH_INSTANTIATE_POOL_TEST(MailboxTest);

}  // namespace
}  // namespace filch

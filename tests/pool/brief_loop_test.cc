#include "filch/pool/brief_loop.h"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task_group.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

using pool_internal::CurrentSlot;
using pool_internal::FirstOfBriefLoop;
using pool_internal::NextOfBriefLoop;
using pool_internal::RunBriefLoop;
using pool_internal::SlotForBriefLoop;

using BriefLoopTest = PoolTest;

// More than two for each thread of any pool here.
constexpr std::uint32_t kUnits = 400;

void BelieveBrief(LoopKind& kind) {
  while (!kind.IsBrief(kUnits)) kind.Took(kUnits, 1);
}

void SpinFor(std::uint64_t ticks) {
  for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks;) {
  }
}

// A loop of a kind of its own that is brief, with a sanitizer too, if `on_part` is, which is
// called with each part; others may do so at the same time once the loop is not brief.
template <typename OnPart>
class Loop final : public LoopBody {
 public:
  explicit Loop(const OnPart& on_part) : LoopBody(kind_), on_part_(on_part) { BelieveBrief(kind_); }

  void Run(UnitInterval units, void** segment) override {
    on_part_(units, segment);
    runs_ += static_cast<int>(units.size());
  }

  void RunOnce(Context& context) {
    runs_ = 0;
    RunBriefLoop(*this, kUnits, context, CurrentSlot());
  }

  // How many units did the last time.
  int Runs() const { return runs_.load(); }

 private:
  const OnPart& on_part_;
  LoopKind kind_;
  std::atomic<int> runs_{0};
};

TEST_P(BriefLoopTest, OnlyLoopsThatAreKnownToBeBriefRunWhereTheyAreCalled) {
  pool_.Execute([] {
    LoopKind kind;
    EXPECT_EQ(SlotForBriefLoop(kind, kUnits), nullptr);
    BelieveBrief(kind);
    EXPECT_EQ(SlotForBriefLoop(kind, kUnits), &CurrentSlot());
    kind.WasLong(LoopKind::kLong + 1);
    kind.WasLong(LoopKind::kLong + 1);
    EXPECT_EQ(SlotForBriefLoop(kind, kUnits), nullptr);
  });
}

TEST_P(BriefLoopTest, UnitsThatMayWaitForEachOtherDoNot) {
  const auto threads = static_cast<std::uint32_t>(pool_.concurrency());
  pool_.Execute([threads] {
    LoopKind kind;
    BelieveBrief(kind);
    EXPECT_EQ(SlotForBriefLoop(kind, threads), nullptr);
  });
}

TEST_P(BriefLoopTest, NothingDoesWhileSomethingIsCancelled) {
  pool_.Execute([] {
    LoopKind kind;
    BelieveBrief(kind);
    Context cancelled;
    cancelled.Cancel();
    EXPECT_EQ(SlotForBriefLoop(kind, kUnits), nullptr);
    cancelled.Reset();
    EXPECT_NE(SlotForBriefLoop(kind, kUnits), nullptr);
  });
}

TEST(BriefLoopWithoutPoolTest, AThreadWithoutASlotHasNone) {
  LoopKind kind;
  BelieveBrief(kind);
  std::thread([&kind] { EXPECT_EQ(SlotForBriefLoop(kind, kUnits), nullptr); }).join();
}

TEST_P(BriefLoopTest, ABriefLoopIsSomeUnitsThenHalfOfThemThenTheRest) {
  const std::uint32_t first = FirstOfBriefLoop(kUnits, pool_.concurrency());
  const std::uint32_t next = first + NextOfBriefLoop(kUnits);
  pool_.Execute([first, next] {
    struct Part {
      UnitInterval units;
      void* segment;
      std::thread::id thread;
    };
    Part parts[3];
    std::atomic<int> count{0};
    const auto on_part = [&](UnitInterval units, void** segment) {
      const int i = count++;
      if (i < 3) parts[i] = {units, *segment, std::this_thread::get_id()};
      *segment = &count;
    };
    Loop loop(on_part);
    // Not at once if the thread is interrupted.
    do {
      count = 0;
      Context context(CurrentContext());
      loop.RunOnce(context);
      ASSERT_EQ(loop.Runs(), static_cast<int>(kUnits));
    } while (count != 3 || parts[0].units != UnitInterval{0, first} ||
             parts[1].units != UnitInterval{first, next} ||
             parts[2].units != UnitInterval{next, kUnits});
    EXPECT_EQ(parts[0].segment, nullptr);
    EXPECT_EQ(parts[1].segment, &count);
    EXPECT_EQ(parts[2].segment, &count);
    for (const Part& part : parts) EXPECT_EQ(part.thread, std::this_thread::get_id());
  });
}

TEST_P(BriefLoopTest, TheThreadWorksForTheContextMeanwhile) {
  pool_.Execute([] {
    Context* const outer = CurrentContext();
    Context context(outer);
    std::atomic<int> wrong{0};
    const auto on_part = [&](UnitInterval, void**) {
      if (CurrentContext() != &context) ++wrong;
    };
    Loop loop(on_part);
    loop.RunOnce(context);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(CurrentContext(), outer);
  });
}

// Runs a loop whose units from `long_from` on are long; true: others took part where they can.
void RunWhatBecomesLong(std::uint32_t long_from, bool has_workers) {
  const auto self = std::this_thread::get_id();
  std::atomic<bool> helped{false};
  std::vector<std::atomic<int>> runs(kUnits);
  const auto on_part = [&](UnitInterval units, void**) {
    for (std::uint32_t i = units.begin; i != units.end; ++i) ++runs[i];
    if (std::this_thread::get_id() != self) helped = true;
    if (units.end <= long_from) return;
    SpinFor(units.begin <= long_from ? 10 * LoopKind::kBrief : 1000000);
    // By then the rest is shared.
    constexpr std::uint32_t kLate = kUnits - kUnits / 4;
    if (has_workers && units.begin <= kLate && kLate < units.end) YieldUntil(helped);
  };
  Loop loop(on_part);
  Context context(CurrentContext());
  loop.RunOnce(context);
  for (const std::atomic<int>& count : runs) ASSERT_EQ(count.load(), 1);
}

TEST_P(BriefLoopTest, WhatIsLongAfterAllGoesTheUsualWay) {
  const bool has_workers = pool_.concurrency() > 1;
  pool_.Execute([has_workers] { RunWhatBecomesLong(0, has_workers); });
}

TEST_P(BriefLoopTest, AndWhatBecomesLongAfterItsFirstUnits) {
  const bool has_workers = pool_.concurrency() > 1;
  const std::uint32_t first = FirstOfBriefLoop(kUnits, pool_.concurrency());
  pool_.Execute([=] { RunWhatBecomesLong(first, has_workers); });
}

TEST_P(BriefLoopTest, InAnArenaOfOneItStaysOnItsThread) {
  if (pool_.concurrency() == 1) return;
  ExecuteIn(pool_.AcquireArena({1, 1, Priority::kNormal}), [] {
    const auto self = std::this_thread::get_id();
    std::atomic<bool> come{false};
    Enqueue(CurrentArena(), [&] { come = true; });
    std::atomic<int> elsewhere{0};
    const auto on_part = [&](UnitInterval units, void**) {
      if (std::this_thread::get_id() != self) ++elsewhere;
      // A worker came for what is enqueued, and looks for more.
      if (units.begin == 0) YieldUntil(come);
      SpinFor(10 * LoopKind::kBrief);
    };
    Loop loop(on_part);
    Context context(CurrentContext());
    loop.RunOnce(context);
    EXPECT_EQ(loop.Runs(), static_cast<int>(kUnits));
    EXPECT_EQ(elsewhere, 0);
  });
}

TEST_P(BriefLoopTest, KindsThatAreLongAreNotBelievedToBeBriefForLong) {
  pool_.Execute([] {
    const auto on_part = [](UnitInterval, void**) { SpinFor(2 * LoopKind::kLong); };
    Loop loop(on_part);
    Context context(CurrentContext());
    loop.RunOnce(context);
    loop.RunOnce(context);
    EXPECT_EQ(SlotForBriefLoop(loop.kind(), 3 * kUnits / 4), nullptr);
  });
}

TEST_P(BriefLoopTest, ExceptionsComeThroughAndCancel) {
  pool_.Execute([] {
    const auto on_part = [](UnitInterval, void**) { throw std::runtime_error("thrown"); };
    Loop loop(on_part);
    Context* const outer = CurrentContext();
    Context context(outer);
    EXPECT_THROW(loop.RunOnce(context), std::runtime_error);
    EXPECT_EQ(loop.Runs(), 0);
    EXPECT_TRUE(context.IsCancelled());
    EXPECT_EQ(CurrentContext(), outer);
  });
}

TEST_P(BriefLoopTest, ACancelledLoopDropsWhatHasNotBegun) {
  const std::uint32_t first = FirstOfBriefLoop(kUnits, pool_.concurrency());
  pool_.Execute([first] {
    Context context(CurrentContext());
    const auto on_part = [&context](UnitInterval, void**) { context.Cancel(); };
    Loop loop(on_part);
    loop.RunOnce(context);
    EXPECT_EQ(loop.Runs(), static_cast<int>(first));
  });
}

TEST(BriefLoopWithoutWorkersTest, WhatWaitsInTheDequeIsNotKeptFromThieves) {
  PoolOptions options;
  options.concurrency = 1;  // who asks for work is the test
  Pool pool(options);
  pool.Execute([] {
    TaskGroup group;
    group.Run([] {});
    group.Run([] {});
    const auto on_part = [](UnitInterval, void**) {};
    Loop loop(on_part);
    Context context(CurrentContext());
    CurrentSlot().deque.RequestExposure();
    EXPECT_TRUE(CurrentSlot().deque.exposure_requested());
    loop.RunOnce(context);
    EXPECT_FALSE(CurrentSlot().deque.exposure_requested());
    group.Wait();
  });
}

// Counts in plain memory: what the units did is visible after the loop.
struct CountOffsets {
  void operator()(std::uint64_t begin, std::uint64_t end) const {
    if (begin == 0) SpinFor(ticks_of_first);
    for (std::uint64_t i = begin; i != end; ++i) ++(*runs)[i];
  }

  std::uint64_t ticks_of_first;
  std::vector<int>* runs;
};

TEST_P(BriefLoopTest, ThreadsThatLearnOfOneKindAtOnceRunEachUnitOnce) {
  pool_.Execute([] {
    std::atomic<int> wrong{0};
    TaskGroup group;
    for (int task = 0; task < 8; ++task) {
      group.Run([&wrong] {
        for (int k = 0; k < 50; ++k) {
          BelieveBrief(loop_kind<const CountOffsets>);
          std::vector<int> runs(kUnits);
          const CountOffsets body{k % 10 == 9 ? 20 * LoopKind::kBrief : 0, &runs};
          ParallelForOffsets(kUnits, body, ParallelForOptions());
          if (runs != std::vector<int>(kUnits, 1)) ++wrong;
        }
      });
    }
    group.Wait();
    EXPECT_EQ(wrong, 0);
  });
}

FILCH_INSTANTIATE_POOL_TEST(BriefLoopTest);

}  // namespace
}  // namespace filch

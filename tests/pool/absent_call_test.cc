// Whom a loop calls because there are slots without a thread.
#include "filch/pool/absent_call.h"

#include <cstdint>
#include <thread>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/execute.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/slot.h"
#include "filch/pool/static_loop.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/counting_recruiter.h"

namespace filch {
namespace pool_internal {
namespace {

// What is worth a call, and what is not.
constexpr std::uint64_t kLong = 1000000;
constexpr std::uint64_t kShort = 1000;

// All of its units take so many ticks, at least.
class Takes final : public LoopBody {
 public:
  Takes(LoopKind& kind, std::uint64_t ticks) : LoopBody(kind), ticks_(ticks) {}
  void Run(UnitInterval, void**) override {
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks_;) {
    }
  }

 private:
  const std::uint64_t ticks_;
};

class AbsentCallTest : public testing::Test {
 protected:
  static constexpr int kSlots = 4;
  static constexpr std::uint32_t kUnits = 4;

  AbsentCallTest() : own_(Occupy()) {}

  Slot& Occupy() { return *arena_.slots().OccupyFromOutside(); }
  // The calls since the last time; whoever was called has come.
  int Calls() {
    while (arena_.wanted().TakeBack()) {
    }
    arena_.wanted().Answer();
    const int calls = recruiter_.calls;
    recruiter_.calls = 0;
    return calls;
  }

  // A loop of so many units with something for each slot, of which the own part takes so long.
  // How often somebody is called before that, and after.
  struct CallsOfLoop {
    int at_once;
    int later;
  };
  CallsOfLoop Run(std::uint64_t elapsed, std::uint32_t units = kUnits) {
    AbsentCall call(body_, units, own_);
    for (int slot = 1; slot < kSlots; ++slot) call.NoteSlot(slot);
    return Finish(call, elapsed);
  }
  CallsOfLoop Finish(AbsentCall& call, std::uint64_t elapsed) {
    Calls();
    call.Begin();
    const int at_once = Calls();
    call.OwnTook(elapsed);
    return {at_once, Calls()};
  }
  // The calling thread remembers nothing of other loops in f.
  template <typename F>
  static void OnNewThread(const F& f) {
    std::thread(f).join();
  }

  CountingRecruiter recruiter_;
  Arena arena_{recruiter_, IdleTimes(), {kSlots, kSlots, Priority::kNormal}, 0};
  LoopKind kind_;
  Takes body_{kind_, 0};
  Slot& own_;
};

TEST_F(AbsentCallTest, ALongPartCallsAndTheNextSuchLoopCallsAtOnceAndOnce) {
  OnNewThread([this] {
    const CallsOfLoop first = Run(kLong);
    EXPECT_EQ(first.at_once, 0);
    EXPECT_EQ(first.later, 1);
    const CallsOfLoop second = Run(kLong);
    EXPECT_EQ(second.at_once, 1);
    EXPECT_EQ(second.later, 0);
  });
}

TEST_F(AbsentCallTest, AShortPartCallsNobodyAndIsRemembered) {
  OnNewThread([this] {
    for (int i = 0; i < 3; ++i) {
      const CallsOfLoop calls = Run(kShort);
      EXPECT_EQ(calls.at_once + calls.later, 0);
    }
    EXPECT_EQ(Run(kLong).later, 1);
    EXPECT_EQ(Run(kShort).at_once, 1);
    const CallsOfLoop last = Run(kShort);
    EXPECT_EQ(last.at_once + last.later, 0);
  });
}

TEST_F(AbsentCallTest, NobodyIsCalledWhereEverySlotHasAThread) {
  for (int slot = 1; slot < kSlots; ++slot) Occupy();
  OnNewThread([this] {
    for (int i = 0; i < 2; ++i) {
      const CallsOfLoop calls = Run(kLong);
      EXPECT_EQ(calls.at_once + calls.later, 0);
    }
  });
}

TEST_F(AbsentCallTest, OneAbsentThreadIsEnough) {
  Occupy();
  Occupy();
  OnNewThread([this] { EXPECT_EQ(Run(kLong).later, 1); });
}

TEST_F(AbsentCallTest, SlotsThatGotNothingMayBeAbsentToo) {
  for (int slot = 1; slot < kSlots; ++slot) Occupy();
  OnNewThread([this] {
    AbsentCall call(body_, kUnits, own_);
    call.NoteAbsent();
    // One that has a thread does not undo it.
    call.NoteSlot(1);
    EXPECT_EQ(Finish(call, kLong).later, 1);
  });
}

TEST_F(AbsentCallTest, WhatIsKnownIsKnownOfLoopsOfAboutAsManyUnits) {
  OnNewThread([this] {
    Run(kLong, 4);
    EXPECT_EQ(Run(kShort, 64).at_once, 0);
  });
}

TEST_F(AbsentCallTest, NobodyIsCalledWhereNobodyIsLeft) {
  recruiter_.can_call = false;
  OnNewThread([this] { EXPECT_EQ(Run(kLong).later, 0); });
}

TEST_F(AbsentCallTest, StaticLoopsCallForAbsentThreadsIfTheirPartsAreLong) {
  OnNewThread([this] {
    // Somebody looks for work, so nobody is called for what is sent.
    arena_.StartSearching(true);
    const auto calls = [this](std::uint64_t ticks) {
      Calls();
      Takes body(kind_, ticks);
      Context context;
      ExecuteIn(arena_, [&] { RunStaticLoop(body, kUnits, context, *current_slot); });
      return Calls();
    };
    EXPECT_EQ(calls(2 * kLong), 1);
    for (int slot = 2; slot < kSlots; ++slot) Occupy();
    EXPECT_EQ(calls(2 * kLong), 0);
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

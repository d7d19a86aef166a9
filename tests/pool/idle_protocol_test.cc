// What a searcher that stops does, and when it passes the heavy fence, which interrupts every
// thread of the program.
#include "filch/pool/idle_protocol.h"

#include "filch/pool/pool_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

int fences;

struct CountingAtomics : PoolAtomics {
  static bool IsAsymmetric() { return true; }
  static void HeavyFence() { ++fences; }
};

// An arena in which somebody sleeps.
class IdleProtocolTest : public testing::Test {
 public:
  // --- for the protocol
  static bool HasQueued() { return false; }
  bool SeesShared() const { return shared; }
  bool ScanDeques() {
    ++scans;
    return shared || privately;
  }
  bool CouldCome() const { return could_come; }
  bool CanCall() const { return could_come; }
  bool IsComing() const { return coming; }
  void Recruit(std::uint32_t /*most*/ = 1) { ++calls; }
  void RecruitLater() { ++notes; }
  static void AnswerNote() {}
  static bool HasToShare() { return true; }
  static void Expose() {}

 protected:
  IdleProtocolTest() {
    // As after the first push of all.
    Pushes();
    calls = 0;
    fences = 0;
  }
  void StopsAfterFind() {
    idle_.StartSearching(true);
    idle_.StopSearching(*this, true);
  }
  void Sleeps() {
    idle_.StartSearching(true);
    idle_.StopSearchingToSleep(*this, true);
  }
  void Pushes() { idle_.AnswerNeedWake(*this); }
  bool PusherIsAsked() const { return idle_.need_wake().IsAsked(); }

  bool shared = false;
  bool privately = false;
  bool could_come = true;
  bool coming = false;
  int scans = 0;
  int calls = 0;
  int notes = 0;

 private:
  BasicIdleProtocol<CountingAtomics> idle_;
};

TEST_F(IdleProtocolTest, WhoFindsTheOnlyTaskAsksTheNextPusher) {
  StopsAfterFind();
  EXPECT_TRUE(PusherIsAsked());
  EXPECT_EQ(fences, 1);
  EXPECT_EQ(scans, 1);
  EXPECT_EQ(calls, 0);
}

TEST_F(IdleProtocolTest, WhatOnlyItsOwnerCouldTakeIsFoundByTheScan) {
  privately = true;
  StopsAfterFind();
  EXPECT_EQ(fences, 1);
  EXPECT_EQ(calls, 1);
}

TEST_F(IdleProtocolTest, WhoLeavesSharedTasksCallsSomebodyInstead) {
  shared = true;
  StopsAfterFind();
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(PusherIsAsked());
  EXPECT_EQ(fences, 0);
  EXPECT_EQ(scans, 0);
}

TEST_F(IdleProtocolTest, WhoComesTakesOver) {
  shared = true;
  coming = true;
  StopsAfterFind();
  EXPECT_EQ(calls, 0);
  EXPECT_FALSE(PusherIsAsked());
  EXPECT_EQ(fences, 0);
}

TEST_F(IdleProtocolTest, WhereNobodyCouldComeANoteIsLeft) {
  shared = true;
  could_come = false;
  StopsAfterFind();
  EXPECT_EQ(notes, 1);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(fences, 0);
}

TEST_F(IdleProtocolTest, WhoSleepsAsksWhoeverComes) {
  coming = true;
  Sleeps();
  EXPECT_TRUE(PusherIsAsked());
  EXPECT_EQ(fences, 1);
  EXPECT_EQ(scans, 1);
}

// One after the other, as after a loop.
TEST_F(IdleProtocolTest, ManyWhoSleepPassOneFence) {
  for (int i = 0; i < 10; ++i) Sleeps();
  EXPECT_EQ(fences, 1);
  EXPECT_EQ(scans, 10);
}

TEST_F(IdleProtocolTest, AfterAnAnswerPushersPassFencesInstead) {
  for (int i = 1; i <= 10; ++i) {
    Sleeps();
    EXPECT_TRUE(PusherIsAsked());
    for (int pushes = 0; pushes < 100; ++pushes) Pushes();
    EXPECT_EQ(calls, i);
    EXPECT_FALSE(PusherIsAsked());
  }
  EXPECT_EQ(fences, 1);
}

TEST_F(IdleProtocolTest, AfterManyPushesTheNextOnePassesTheFenceAgain) {
  for (int i = 1; i <= 3; ++i) {
    Sleeps();
    EXPECT_EQ(fences, i);
    for (int pushes = 0; pushes < 200; ++pushes) Pushes();
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

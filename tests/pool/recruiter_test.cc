// Whom an arena calls, and that it calls nobody for nothing: hooks hear of who comes.
#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"
#include "tests/pool/counting_recruiter.h"
#include "tests/pool/no_task.h"

namespace filch {
namespace {

using pool_internal::Slot;

class RecruiterTest : public testing::Test {
 protected:
  Slot& Occupy() { return *arena_.slots().OccupyFromOutside(); }
  // The calls since the last time; whoever was called has come.
  int Calls() {
    arena_.wanted().Answer();
    const int calls = recruiter_.calls;
    recruiter_.calls = 0;
    return calls;
  }

  CountingRecruiter recruiter_;
  ArenaOptions options_ = {2, 0, Priority::kNormal};
  Arena arena_{recruiter_, pool_internal::IdleTimes(), options_, 0};
};

TEST_F(RecruiterTest, TheFirstTwoTasksCallAndTheNextRelyOnThat) {
  Slot& slot = Occupy();
  NoTask tasks[3];
  slot.Spawn(tasks[0]);
  EXPECT_EQ(Calls(), 1);
  slot.Spawn(tasks[1]);
  EXPECT_EQ(Calls(), 1);
  slot.Spawn(tasks[2]);
  EXPECT_EQ(Calls(), 0);
}

TEST_F(RecruiterTest, TheSecondTaskCallsNobodyWhileSomebodySearches) {
  Slot& slot = Occupy();
  NoTask tasks[3];
  slot.Spawn(tasks[0]);
  EXPECT_EQ(Calls(), 1);
  arena_.StartSearching(true);
  slot.Spawn(tasks[1]);
  EXPECT_EQ(Calls(), 0);
}

TEST_F(RecruiterTest, WhoWasCalledCallsTwoForWhatIsLeft) {
  Slot& slot = Occupy();
  Slot& other = Occupy();
  NoTask tasks[3];
  for (NoTask& task : tasks) other.Spawn(task);
  Calls();
  slot.calls_to_spread = 2;
  arena_.SpreadCall(slot);
  EXPECT_EQ(Calls(), 2);
}

TEST_F(RecruiterTest, WhoWasCalledAndSeesNoMoreCallsForWhatItSpawns) {
  Slot& slot = Occupy();
  slot.calls_to_spread = 2;
  arena_.SpreadCall(slot);
  EXPECT_EQ(Calls(), 0);
  NoTask tasks[4];
  slot.Spawn(tasks[0]);
  Calls();  // a new arena's first task calls somebody anyway
  slot.Spawn(tasks[1]);
  EXPECT_EQ(Calls(), 1);
  EXPECT_EQ(slot.deque.private_size(), 0);  // it is shared
}

TEST_F(RecruiterTest, WhatAThreadKeepsAfterItWasInsistedOnIsSharedByForce) {
  using Deque = decltype(Slot::deque);
  Slot& slot = Occupy();
  Slot& other = Occupy();
  NoTask tasks[2];
  for (NoTask& task : tasks) other.deque.Push(&task, 0);
  other.deque.RequestExposure();
  arena_.InsistOnWork(slot, true);  // it has not been told
  EXPECT_EQ(other.deque.request_word(), Deque::kByInsistentThief);
  arena_.InsistOnWork(slot, false);
  EXPECT_FALSE(other.deque.HasShared());
  arena_.InsistOnWork(slot, true);
  EXPECT_TRUE(other.deque.HasShared());
  EXPECT_EQ(slot.stats.forced.Read(), 1);
}

TEST_F(RecruiterTest, MailForAThreadThatIsNotThereIsSomethingForThoseWhoAreCalled) {
  Slot& slot = Occupy();
  NoTask task;
  arena_.Post(task, 1, 0);
  Calls();
  slot.calls_to_spread = 1;
  arena_.SpreadCall(slot);
  EXPECT_EQ(Calls(), 1);
  Occupy();
  slot.calls_to_spread = 1;
  arena_.SpreadCall(slot);
  EXPECT_EQ(Calls(), 0);
}

TEST_F(RecruiterTest, AThreadWithoutTasksLeavesTheRequestToOneThatHasSome) {
  Slot& slot = Occupy();
  slot.Attend();
  EXPECT_EQ(Calls(), 0);
  NoTask task;
  slot.Spawn(task);
  EXPECT_EQ(Calls(), 1);
}

TEST_F(RecruiterTest, WhoLeavesAFullArenaCallsNobodyForNothing) {
  Slot& slot = Occupy();
  arena_.MarkFull();
  arena_.Vacate(slot);
  EXPECT_EQ(Calls(), 0);
}

TEST_F(RecruiterTest, WhoLeavesAFullArenaCallsForWhatIsQueued) {
  Slot& slot = Occupy();
  NoTask task;
  arena_.Enqueue(task, Priority::kNormal);
  EXPECT_EQ(Calls(), 1);
  arena_.MarkFull();
  arena_.Vacate(slot);
  EXPECT_EQ(Calls(), 1);
}

TEST_F(RecruiterTest, WhoLeavesAFullArenaCallsForWhatOthersHaveSpawned) {
  Slot& slot = Occupy();
  Slot& other = Occupy();
  NoTask task;
  other.Spawn(task);
  EXPECT_EQ(Calls(), 1);
  arena_.MarkFull();
  arena_.Vacate(slot);
  EXPECT_EQ(Calls(), 1);
}

// The mark stays, for who leaves one that is.
TEST_F(RecruiterTest, WhoLeavesASlotThatIsNotForWorkersCallsNobody) {
  Arena arena(recruiter_, pool_internal::IdleTimes(), {2, 1, Priority::kNormal}, 0);
  Slot& reserved = *arena.slots().OccupyFromOutside();
  Slot& for_workers = *arena.slots().OccupyFromOutside();
  NoTask task;
  for_workers.Spawn(task);
  arena.MarkFull();
  arena.wanted().Answer();
  recruiter_.calls = 0;
  arena.Vacate(reserved);
  EXPECT_EQ(recruiter_.calls, 0);
  Task* popped = nullptr;
  std::uint64_t isolation = 0;
  ASSERT_TRUE(for_workers.deque.Pop(&popped, &isolation));
  recruiter_.calls = 0;
  reserved.deque.Push(&task, 0);
  arena.Vacate(for_workers);
  EXPECT_EQ(recruiter_.calls, 1);
}

// A worker below has looked at the note, and could not follow it.
TEST_F(RecruiterTest, WhoLeavesAFullArenaShowsTheNote) {
  Slot& slot = Occupy();
  ASSERT_TRUE(arena_.wanted().Call());
  ASSERT_TRUE(arena_.wanted().TakeBack());
  arena_.MarkFull();
  arena_.Vacate(slot);
  EXPECT_EQ(recruiter_.shown, 1);
  EXPECT_EQ(Calls(), 0);
}

// The request stays, so that the next one who has work hears of the free slot.
TEST_F(RecruiterTest, WhoLeavesAFullArenaAsksThoseWhoStay) {
  Slot& slot = Occupy();
  Slot& other = Occupy();
  NoTask tasks[2];
  other.Spawn(tasks[0]);
  EXPECT_EQ(Calls(), 1);
  Task* popped = nullptr;
  std::uint64_t isolation = 0;
  ASSERT_TRUE(other.deque.Pop(&popped, &isolation));
  arena_.MarkFull();
  arena_.Vacate(slot);
  EXPECT_EQ(Calls(), 0);
  other.Spawn(tasks[1]);
  EXPECT_EQ(Calls(), 1);
}

}  // namespace
}  // namespace filch

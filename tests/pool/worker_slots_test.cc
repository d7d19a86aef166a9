// Which slots a worker is offered, and in which order, in every state of an arena.
#include "filch/pool/worker_slots.h"

#include <gtest/gtest.h>

#include <vector>

namespace filch {
namespace pool_internal {
namespace {

struct FakeArena {
  bool needs_worker = false;
  bool has_abstainers = false;
  bool extra_is_open = false;
  int marks = 0;

  bool NeedsWorker() const { return needs_worker; }
  bool HasAbstainers() const { return has_abstainers; }
  bool ExtraIsOpen() const { return extra_is_open; }
  void MarkFull() { ++marks; }
};

// What is offered to one that takes nothing.
std::vector<int> Offered(const WorkerSlots& slots, const FakeArena& arena, int preferred = -1) {
  std::vector<int> offered;
  EXPECT_FALSE(slots.Offer(arena, preferred, [&](int index) {
    offered.push_back(index);
    return false;
  }));
  return offered;
}

using Indices = std::vector<int>;

TEST(WorkerSlotsTest, OffersThoseThatAreNotReserved) {
  EXPECT_EQ(Offered({4, 1}, {}), (Indices{1, 2, 3}));
  EXPECT_EQ(Offered({2, 0}, {}), (Indices{0, 1}));
  EXPECT_EQ(Offered({2, 2}, {}), Indices{});
}

TEST(WorkerSlotsTest, OffersThePreferredOneFirstIfItIsForWorkers) {
  EXPECT_EQ(Offered({4, 1}, {}, 3).front(), 3);
  EXPECT_EQ(Offered({4, 1}, {}, 0), (Indices{1, 2, 3}));
  EXPECT_EQ(Offered({4, 1}, {}, 4), (Indices{1, 2, 3}));
}

TEST(WorkerSlotsTest, OffersTheExtraOneLastWhereAWorkerIsNeeded) {
  EXPECT_EQ(Offered({3, 1}, {true, false, true}), (Indices{1, 2, 3}));
  EXPECT_EQ(Offered({3, 1}, {true, false, false}), (Indices{1, 2}));
  EXPECT_EQ(Offered({3, 1}, {false, false, true}), (Indices{1, 2}));
}

TEST(WorkerSlotsTest, OffersReservedOnesIfThereAreNoOthersButNeverTheFirst) {
  EXPECT_EQ(Offered({3, 3}, {true, false, false}), (Indices{2, 1}));
  EXPECT_EQ(Offered({3, 3}, {true, false, true}), (Indices{2, 1, 3}));
  EXPECT_EQ(Offered({1, 1}, {true, false, true}), Indices{1});
}

TEST(WorkerSlotsTest, OffersTheExtraOneBeforeReservedOnesInPlaceOfWhoDoesNotHelp) {
  EXPECT_EQ(Offered({2, 2}, {true, true, false}), (Indices{2, 1}));
}

TEST(WorkerSlotsTest, StopsWhenOneIsTaken) {
  Indices offered;
  EXPECT_TRUE(WorkerSlots(4, 1).Offer(FakeArena{}, -1, [&](int index) {
    offered.push_back(index);
    return index == 2;
  }));
  EXPECT_EQ(offered, (Indices{1, 2}));
}

TEST(WorkerSlotsTest, WhoFindsNoneFreeMarksTheArenaAndLooksAgain) {
  FakeArena arena;
  int looks = 0;
  EXPECT_TRUE(WorkerSlots(2, 1).AnyIsFree(arena, [&](int) { return ++looks == 1; }));
  EXPECT_EQ(arena.marks, 0);
  looks = 0;
  EXPECT_TRUE(WorkerSlots(2, 1).AnyIsFree(arena, [&](int) { return ++looks == 2; }));
  EXPECT_EQ(arena.marks, 1);
  EXPECT_FALSE(WorkerSlots(2, 1).AnyIsFree(arena, [](int) { return false; }));
  EXPECT_EQ(arena.marks, 2);
}

TEST(WorkerSlotsTest, TheFirstOneForWorkersIsNotTheOnlyOne) {
  EXPECT_EQ(WorkerSlots(4, 2).First(), 2);
  EXPECT_EQ(WorkerSlots(4, 0).First(), 0);
  EXPECT_EQ(WorkerSlots(4, 4).First(), 1);
  EXPECT_TRUE(WorkerSlots(1, 0).Any());
  EXPECT_FALSE(WorkerSlots(1, 1).Any());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

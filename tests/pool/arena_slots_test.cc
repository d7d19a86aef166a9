// Which slot of an arena a thread gets, by what it comes for.
#include "filch/pool/arena_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "filch/pool/looker.h"
#include "filch/pool/slot_numbers.h"

namespace filch {
namespace pool_internal {
namespace {

struct FakeSlot {
  static void CheckProcess() { ++checks; }

  std::atomic<bool> occupied{false};
  std::atomic<bool> away{false};
  Looker looker;
  int index = 0;
  static int checks;
};
int FakeSlot::checks = 0;

// What Abstainers::Add works for: nobody has to come.
struct NothingToDo {
  static bool MayHaveWork() { return false; }
  static void Recruit() {}
};

bool Needed() { return true; }
bool NotNeeded() { return false; }

// Slots of an arena; who came to which is told by their indexes, kNone: to none.
class Slots {
 public:
  static constexpr int kNone = -1;

  Slots(int count, int reserved)
      : memory_(new FakeSlot[static_cast<std::size_t>(count) + 1]),
        slots_(memory_.get(), count, reserved, numbers_of_all_) {
    int index = 0;
    for (FakeSlot& slot : slots_) slot.index = index++;
  }

  BasicArenaSlots<FakeSlot>& operator*() { return slots_; }
  BasicArenaSlots<FakeSlot>* operator->() { return &slots_; }
  SlotNumbers& numbers_of_all() { return numbers_of_all_; }

  int FromOutside() { return IndexOf(slots_.OccupyFromOutside()); }
  int ToDelegate() { return IndexOf(slots_.OccupyToDelegate()); }
  int ToHelp() { return IndexOf(slots_.OccupyToHelp()); }
  int AsWorker(bool needed = false, int preferred = -1) {
    return IndexOf(slots_.OccupyAsWorker(preferred, needed ? Needed : NotNeeded));
  }
  int AsGuard() { return IndexOf(slots_.OccupyAsGuard(Needed)); }
  void Leave(int index) { slots_[index].occupied = false; }
  // All that are in a slot sleep elsewhere, or can be called.
  void SetAway(bool away) {
    for (FakeSlot& slot : slots_) slot.away = away;
  }

 private:
  static int IndexOf(const FakeSlot* slot) { return slot != nullptr ? slot->index : kNone; }

  SlotNumbers numbers_of_all_;
  const std::unique_ptr<FakeSlot[]> memory_;
  BasicArenaSlots<FakeSlot> slots_;
};

TEST(ArenaSlotsTest, EachIsForOneThread) {
  Slots slots(2, 0);
  const int checks = FakeSlot::checks;
  ASSERT_EQ(slots->TryOccupy(1), &(*slots)[1]);
  EXPECT_EQ(FakeSlot::checks, checks + 1) << "in a forked child nobody comes to a slot";
  EXPECT_EQ(slots->TryOccupy(1), nullptr);
  EXPECT_TRUE(slots->IsOccupied(1));
  EXPECT_FALSE(slots->IsOccupied(0));
  EXPECT_TRUE(slots->AnyIsOccupied());
  EXPECT_FALSE(slots->AnyIsOccupied(&(*slots)[1]));
  EXPECT_EQ(slots->used().Count(), 2);
  slots.Leave(1);
  EXPECT_FALSE(slots->AnyIsOccupied());
  EXPECT_EQ(slots->used().Count(), 2) << "something may have been left there";
}

TEST(ArenaSlotsTest, FromOutsideAllButTheExtraOne) {
  Slots slots(2, 1);
  EXPECT_EQ(slots.FromOutside(), 0);
  EXPECT_EQ(slots.FromOutside(), 1);
  EXPECT_EQ(slots.FromOutside(), Slots::kNone);
}

TEST(ArenaSlotsTest, FromOutsideTheExtraOneBesideAWorkerInTheOnlySlot) {
  Slots of_workers(1, 0);
  EXPECT_EQ(of_workers.AsWorker(), 0);
  EXPECT_EQ(of_workers.FromOutside(), 1);
  EXPECT_EQ(of_workers.FromOutside(), Slots::kNone);
  Slots reserved(1, 1);
  EXPECT_EQ(reserved.FromOutside(), 0);
  EXPECT_EQ(reserved.FromOutside(), Slots::kNone);
}

TEST(ArenaSlotsTest, WorkersGetWhatIsNotReserved) {
  Slots slots(3, 1);
  EXPECT_TRUE(slots->HasWorkerSlots());
  EXPECT_EQ(slots->FreeWorkerSlots(), 2);
  EXPECT_EQ(slots.AsWorker(false, 2), 2) << "the preferred one";
  EXPECT_EQ(slots.AsWorker(), 1);
  EXPECT_EQ(slots->FreeWorkerSlots(), 0);
  EXPECT_EQ(slots.AsWorker(), Slots::kNone);
  EXPECT_FALSE(slots->HasSlotForWorker(NotNeeded));
}

TEST(ArenaSlotsTest, NeededWorkersGetReservedOnesWhereThereAreNoOthers) {
  Slots slots(2, 2);
  EXPECT_FALSE(slots->HasWorkerSlots());
  EXPECT_FALSE(slots->HasSlotForWorker(NotNeeded));
  EXPECT_TRUE(slots->HasSlotForWorker(Needed));
  EXPECT_EQ(slots.AsWorker(false), Slots::kNone);
  EXPECT_EQ(slots.AsWorker(true), 1);
  EXPECT_EQ(slots.AsWorker(true), Slots::kNone) << "the first is for threads from outside";
}

TEST(ArenaSlotsTest, NeededWorkersGetTheExtraOneWhileAllAreAway) {
  Slots slots(2, 0);
  EXPECT_EQ(slots.FromOutside(), 0);
  EXPECT_EQ(slots.FromOutside(), 1);
  EXPECT_EQ(slots.AsWorker(true), Slots::kNone);
  slots.SetAway(true);
  EXPECT_TRUE(slots->ExtraIsOpen());
  EXPECT_EQ(slots.AsWorker(true), 2);
  EXPECT_FALSE(slots->IsSuperfluous((*slots)[2]));
  slots.SetAway(false);
  EXPECT_TRUE(slots->IsSuperfluous((*slots)[2]));
  EXPECT_FALSE(slots->IsSuperfluous((*slots)[1]));
}

TEST(ArenaSlotsTest, NeededWorkersGetTheExtraOneInPlaceOfWhoDoesNotHelp) {
  Slots slots(2, 0);
  EXPECT_EQ(slots.FromOutside(), 0);
  EXPECT_EQ(slots.FromOutside(), 1);
  slots->abstainers().Add(NothingToDo());
  EXPECT_EQ(slots.AsWorker(true), 2);
  EXPECT_FALSE(slots->IsSuperfluous((*slots)[2]));
  slots->abstainers().Remove();
  EXPECT_TRUE(slots->IsSuperfluous((*slots)[2]));
}

TEST(ArenaSlotsTest, TheExtraOneStaysClosedForWhoCountsOnTheNumberOfSlots) {
  for (const bool here : {false, true}) {
    Slots slots(2, 0);
    EXPECT_EQ(slots.FromOutside(), 0);
    EXPECT_EQ(slots.FromOutside(), 1);
    slots.SetAway(true);
    EXPECT_TRUE(slots->ExtraIsOpen());
    (here ? slots->numbers() : slots.numbers_of_all()).CountOn();
    EXPECT_FALSE(slots->ExtraIsOpen());
    EXPECT_EQ(slots.AsWorker(true), Slots::kNone);
    EXPECT_EQ(slots.ToDelegate(), Slots::kNone);
    EXPECT_EQ(slots.AsGuard(), Slots::kNone);
  }
  Slots single(1, 1);
  EXPECT_EQ(single.FromOutside(), 0);
  single->numbers().CountOn();
  EXPECT_TRUE(single->ExtraIsOpen()) << "an arena of one slot has two numbers anyway";
  EXPECT_EQ(single.AsGuard(), 1);
}

TEST(ArenaSlotsTest, DelegatedFunctionsGetTheExtraOneWhileAllAreAway) {
  Slots slots(2, 0);
  EXPECT_EQ(slots.ToDelegate(), 0);
  EXPECT_EQ(slots.ToDelegate(), 1);
  EXPECT_EQ(slots.ToDelegate(), Slots::kNone);
  slots.SetAway(true);
  EXPECT_EQ(slots.ToDelegate(), 2);
}

TEST(ArenaSlotsTest, TheGuardGetsTheExtraOneIfThereIsNoOther) {
  Slots slots(2, 1);
  EXPECT_EQ(slots.AsGuard(), 1);
  EXPECT_EQ(slots.AsGuard(), 2);
  EXPECT_EQ(slots.AsGuard(), Slots::kNone);
}

TEST(ArenaSlotsTest, WhoHelpsGetsTheSlotOfAWorker) {
  Slots slots(3, 2);
  EXPECT_TRUE(slots->HasSlotToHelp());
  EXPECT_EQ(slots.ToHelp(), 2);
  EXPECT_FALSE(slots->HasSlotToHelp());
  EXPECT_EQ(slots.ToHelp(), Slots::kNone);
  EXPECT_EQ(slots.FromOutside(), 0);
}

// Where no slot is for workers, either.
TEST(ArenaSlotsTest, WhoHelpsLeavesOneToThreadsFromOutside) {
  for (const int count : {1, 2, 3}) {
    Slots slots(count, count);
    std::vector<int> helpers;
    while (slots->HasSlotToHelp()) {
      helpers.push_back(slots.ToHelp());
      ASSERT_NE(helpers.back(), Slots::kNone);
    }
    EXPECT_EQ(helpers, count == 3 ? std::vector<int>({1, 2}) : std::vector<int>{1});
    EXPECT_EQ(slots.FromOutside(), 0);
  }
}

// A program that counts on the only slot runs there what must not run at the same time.
TEST(ArenaSlotsTest, WhoHelpsInASerialArenaGetsTheOnlySlot) {
  Slots slots(1, 1);
  EXPECT_FALSE(slots->IsSerial());
  slots->numbers().CountOn();
  EXPECT_TRUE(slots->IsSerial());
  EXPECT_TRUE(slots->HasSlotToHelp());
  EXPECT_EQ(slots.ToHelp(), 0);
  EXPECT_FALSE(slots->HasSlotToHelp());
  EXPECT_EQ(slots.ToHelp(), Slots::kNone);
  EXPECT_EQ(slots.FromOutside(), Slots::kNone);
  EXPECT_EQ(slots.AsWorker(true), 1) << "for what is enqueued";
}

TEST(ArenaSlotsTest, WhoHelpsInASerialArenaGetsTheExtraOneInPlaceOfWhoDoesNotRunAnything) {
  Slots slots(1, 1);
  slots->numbers().CountOn();
  EXPECT_EQ(slots.FromOutside(), 0);
  slots.SetAway(true);
  EXPECT_TRUE(slots->HasSlotToHelp());
  EXPECT_EQ(slots.ToHelp(), 1);
  slots.Leave(1);
  slots.SetAway(false);
  EXPECT_EQ(slots.ToHelp(), Slots::kNone);
  slots->abstainers().Add(NothingToDo());
  EXPECT_EQ(slots.ToHelp(), 1);
}

TEST(ArenaSlotsTest, NoOtherArenaIsSerial) {
  Slots of_workers(1, 0);
  of_workers->numbers().CountOn();
  EXPECT_FALSE(of_workers->IsSerial());
  Slots two(2, 2);
  two->numbers().CountOn();
  EXPECT_FALSE(two->IsSerial());
  Slots of_all(1, 1);
  of_all.numbers_of_all().CountOn();
  EXPECT_FALSE(of_all->IsSerial()) << "somebody has asked anywhere";
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

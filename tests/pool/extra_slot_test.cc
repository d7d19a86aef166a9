// When somebody may be in the extra slot, in every state of an arena.
#include "filch/pool/extra_slot.h"

#include <gtest/gtest.h>

#include <atomic>

#include "filch/pool/abstainers.h"

namespace filch {
namespace pool_internal {
namespace {

struct FakeSlot {
  std::atomic<bool> occupied{false};
  std::atomic<bool> away{false};
};

// What Abstainers::Add works for: nobody has to come.
struct NothingToDo {
  static bool MayHaveWork() { return false; }
  static void Recruit() {}
};

// Two slots, and what may be true of them.
class ExtraSlotTest : public testing::Test {
 protected:
  // Nobody, a thread that can be called, or one that cannot.
  enum Guest { kNobody, kAwake, kAway };

  void Fill(Guest first, Guest second) {
    const Guest guests[] = {first, second};
    for (int i = 0; i < 2; ++i) {
      slots_[i].occupied = guests[i] != kNobody;
      slots_[i].away = guests[i] == kAway;
    }
  }
  bool IsOpen(int count = 2) const {
    return ExtraIsOpen(slots_, count, abstainers_, [this] { return counted_on_; });
  }
  bool IsSuperfluous(int first_for_workers, int count = 2) const {
    return pool_internal::IsSuperfluous(count, slots_, count, first_for_workers, abstainers_,
                                        [this] { return counted_on_; });
  }

  FakeSlot slots_[2];
  Abstainers abstainers_;
  bool counted_on_ = false;
};

TEST_F(ExtraSlotTest, IsOpenWhileEverybodyIsAway) {
  Fill(kAway, kAway);
  EXPECT_TRUE(IsOpen());
  Fill(kAway, kNobody);
  EXPECT_TRUE(IsOpen());
  Fill(kAway, kAwake);
  EXPECT_FALSE(IsOpen());
  Fill(kAwake, kAwake);
  EXPECT_FALSE(IsOpen());
}

TEST_F(ExtraSlotTest, IsSuperfluousWhenOneCanBeCalledAgain) {
  Fill(kAway, kAway);
  EXPECT_FALSE(IsSuperfluous(0));
  Fill(kAway, kAwake);
  EXPECT_TRUE(IsSuperfluous(2));
  Fill(kAwake, kAway);
  EXPECT_TRUE(IsSuperfluous(2));
}

TEST_F(ExtraSlotTest, IsSuperfluousWhenAWorkerMayHaveAFreeOne) {
  Fill(kAway, kNobody);
  EXPECT_TRUE(IsSuperfluous(1));
  EXPECT_FALSE(IsSuperfluous(2));
  Fill(kNobody, kAway);
  EXPECT_TRUE(IsSuperfluous(0));
  EXPECT_FALSE(IsSuperfluous(1));
}

TEST_F(ExtraSlotTest, IsClosedToThoseWhoCountOnSlots) {
  counted_on_ = true;
  for (const Guest second : {kNobody, kAwake, kAway}) {
    Fill(kAway, second);
    EXPECT_FALSE(IsOpen());
    // Who is there from before goes.
    EXPECT_TRUE(IsSuperfluous(2));
    // Numbers of an arena of one slot go up to 1, whatever happens.
    EXPECT_TRUE(IsOpen(1));
    EXPECT_FALSE(IsSuperfluous(0, 1));
  }
}

TEST_F(ExtraSlotTest, IsThereForWhoeverAThreadDoesNotHelp) {
  Fill(kAwake, kNobody);
  abstainers_.Add(NothingToDo());
  EXPECT_TRUE(IsOpen());
  EXPECT_FALSE(IsSuperfluous(0));
  abstainers_.Remove();
  EXPECT_FALSE(IsOpen());
  EXPECT_TRUE(IsSuperfluous(0));
}

TEST_F(ExtraSlotTest, NobodyInAnotherSlotIsSuperfluous) {
  Fill(kAway, kAwake);
  EXPECT_TRUE(IsSuperfluous(0));
  EXPECT_FALSE(pool_internal::IsSuperfluous(0, slots_, 2, 0, abstainers_, [] { return false; }));
  EXPECT_FALSE(pool_internal::IsSuperfluous(1, slots_, 2, 0, abstainers_, [] { return false; }));
}

TEST_F(ExtraSlotTest, IsAlwaysThereBesideTheOnlyOne) {
  for (const Guest guest : {kNobody, kAwake, kAway}) {
    Fill(guest, kNobody);
    EXPECT_TRUE(IsOpen(1));
    EXPECT_FALSE(IsSuperfluous(0, 1));
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

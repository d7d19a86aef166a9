// What a thief takes from a victim that does not answer, by how far it goes.
#include "filch/pool/reach.h"

#include <chrono>
#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

class Nobody final : public Recruiter {
 public:
  void Recruit(Arena&, bool) noexcept override {}
  bool CouldCome(const Arena&) const override { return false; }
};

class NoTask final : public Task {
 public:
  NoTask() : Task([](Task&, Execution&) noexcept -> Task* { return nullptr; }, nullptr) {}
};

constexpr Reach kOffered{};
constexpr Reach kForced{/*forces=*/true, /*takes_mail=*/false};
constexpr Reach kMail{/*forces=*/false, /*takes_mail=*/true};
constexpr Reach kAll{/*forces=*/true, /*takes_mail=*/true};

class ReachTest : public ::testing::Test {
 protected:
  // What the thief gets, if it may take tasks of `isolation`.
  Task* Steal(Reach reach, std::uint64_t isolation = 0) {
    return arena_.StealFor(thief_, isolation, reach).task;
  }
  std::int64_t forced() const { return thief_.stats.forced.Read(); }

  Nobody nobody_;
  Arena arena_{nobody_, std::chrono::nanoseconds(0), {2, 2, Priority::kNormal}, 0};
  Slot& victim_ = *arena_.OccupyFromOutside();
  Slot& thief_ = *arena_.OccupyFromOutside();
  NoTask tasks_[3];
};

TEST_F(ReachTest, PrivateTasksAreTakenByWhoInsists) {
  victim_.deque.Push(&tasks_[0], 0);
  victim_.deque.Push(&tasks_[1], 0);
  EXPECT_EQ(Steal(kOffered), nullptr);
  EXPECT_EQ(Steal(kMail), nullptr);
  EXPECT_EQ(forced(), 0);
  EXPECT_EQ(Steal(kForced), &tasks_[0]);
  EXPECT_EQ(forced(), 1);
  EXPECT_EQ(Steal(kAll), &tasks_[1]);
  EXPECT_EQ(forced(), 2);
  EXPECT_EQ(Steal(kAll), nullptr);
  EXPECT_EQ(forced(), 2);
}

TEST_F(ReachTest, WhatIsOfferedIsTakenWithoutForce) {
  victim_.deque.Push(&tasks_[0], 0);
  victim_.deque.Push(&tasks_[1], 0);
  victim_.deque.Expose();
  EXPECT_EQ(Steal(kForced), &tasks_[0]);
  EXPECT_EQ(forced(), 0);
}

TEST_F(ReachTest, NobodyInsistsInAnIsolation) {
  victim_.deque.Push(&tasks_[0], 5);
  EXPECT_EQ(Steal(kAll, 5), nullptr);
  EXPECT_EQ(forced(), 0);
}

TEST_F(ReachTest, MailIsTheLastResort) {
  arena_.Post(tasks_[0], victim_.index, 0);
  EXPECT_EQ(Steal(kForced), nullptr);
  EXPECT_EQ(Steal(kMail), &tasks_[0]);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

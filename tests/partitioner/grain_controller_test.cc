#include "filch/partitioner/grain_controller.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace {

// Items that cost what a test says, on a clock that only the test moves.
class FakeLoop {
 public:
  explicit FakeLoop(GrainController* controller) : controller_(controller) {}

  // Runs `pieces` pieces, of which every `stolen_every`th was stolen (0: none).
  void Run(int pieces, double ns_per_item, int stolen_every = 0) {
    for (int i = 1; i <= pieces; ++i) {
      const std::uint64_t items = controller_->grain();
      const auto elapsed = static_cast<std::uint64_t>(static_cast<double>(items) * ns_per_item);
      controller_->Finished(items, elapsed, stolen_every != 0 && i % stolen_every == 0);
    }
  }

  double PieceNs(double ns_per_item) const {
    return static_cast<double>(controller_->grain()) * ns_per_item;
  }

 private:
  GrainController* controller_;
};

TEST(GrainControllerTest, PiecesTakeTheTargetTimeWhateverTheItemsCost) {
  for (double ns_per_item : {0.3, 1.0, 17.0, 250.0, 1000.0}) {
    GrainController controller;
    FakeLoop loop(&controller);
    // One piece in twenty stolen: neither many nor few.
    loop.Run(2000, ns_per_item, 20);
    EXPECT_GE(loop.PieceNs(ns_per_item), 20000 / 1.3) << ns_per_item;
    EXPECT_LE(loop.PieceNs(ns_per_item), 20000 * 1.3) << ns_per_item;
  }
}

TEST(GrainControllerTest, ItemsLongerThanTheTargetComeOneByOne) {
  GrainController controller;
  FakeLoop(&controller).Run(500, 1e6, 20);
  EXPECT_EQ(controller.grain(), 1u);
}

TEST(GrainControllerTest, ItemsTooFastForTheClockDoNotOverflowTheGrain) {
  GrainController controller;
  for (int i = 0; i < 500; ++i) controller.Finished(controller.grain(), 0, false);
  EXPECT_GE(controller.grain(), 1000000u);
  EXPECT_LE(controller.grain(), std::uint64_t{1} << 32);
}

TEST(GrainControllerTest, MuchStealingMakesPiecesShorterDownToTheBound) {
  GrainController controller;
  FakeLoop loop(&controller);
  loop.Run(320, 10, 20);
  const std::uint64_t calm = controller.grain();
  loop.Run(320, 10, 3);
  EXPECT_LT(controller.grain(), calm);
  loop.Run(10000, 10, 3);
  EXPECT_EQ(controller.target_ns(), 5000);
}

TEST(GrainControllerTest, NoStealingMakesPiecesLongerUpToTheBound) {
  GrainController controller;
  FakeLoop loop(&controller);
  loop.Run(320, 10, 20);
  const std::uint64_t calm = controller.grain();
  loop.Run(320, 10);
  EXPECT_GT(controller.grain(), calm);
  loop.Run(10000, 10);
  EXPECT_EQ(controller.target_ns(), 200000);
}

// One window of unusual stealing, and alternation, must not move anything.
TEST(GrainControllerTest, SingleWindowsDoNotMoveTheTarget) {
  GrainController controller;
  FakeLoop loop(&controller);
  loop.Run(3200, 10, 20);
  const double before = controller.target_ns();
  for (int i = 0; i < 50; ++i) {
    loop.Run(32, 10, 3);
    loop.Run(32, 10);
  }
  EXPECT_EQ(controller.target_ns(), before);
}

// Costs that jitter by a fifth leave the grain exactly where it is.
TEST(GrainControllerTest, JitterDoesNotMoveTheGrain) {
  GrainController controller;
  FakeLoop loop(&controller);
  loop.Run(3200, 100, 20);
  const std::uint64_t before = controller.grain();
  for (int i = 0; i < 100; ++i) {
    loop.Run(40, i % 2 == 0 ? 80 : 120, 20);
    ASSERT_EQ(controller.grain(), before);
  }
}

TEST(GrainControllerTest, FollowsItemsThatBecomeTenTimesDearer) {
  GrainController controller;
  FakeLoop loop(&controller);
  loop.Run(1000, 10, 20);
  const std::uint64_t before = controller.grain();
  loop.Run(1000, 100, 20);
  EXPECT_LE(controller.grain(), before / 7);
  EXPECT_GE(controller.grain(), before / 13);
}

TEST(GrainControllerTest, OneAlarminglyLongPieceIsEnoughToShrink) {
  GrainController controller;
  FakeLoop loop(&controller);
  loop.Run(1000, 10, 20);
  const std::uint64_t before = controller.grain();
  controller.Finished(before, before * 10000, false);
  EXPECT_LE(controller.grain(), before / 50);
}

TEST(GrainControllerTest, EmptyPiecesAreIgnored) {
  GrainController controller;
  for (int i = 0; i < 1000; ++i) controller.Finished(0, 1000000000, true);
  EXPECT_EQ(controller.grain(), 1u);
}

TEST(GrainControllerTest, KeepsToTheBoundsOfTheGrain) {
  GrainController::Options options;
  options.smallest_grain = 8;
  options.largest_grain = 64;
  GrainController controller(options);
  EXPECT_EQ(controller.grain(), 8u);
  FakeLoop loop(&controller);
  loop.Run(1000, 0.1);
  EXPECT_EQ(controller.grain(), 64u);
  loop.Run(1000, 1e6);
  EXPECT_EQ(controller.grain(), 8u);
}

TEST(GrainControllerDeathTest, OptionsThatContradictThemselvesFail) {
  GrainController::Options options;
  options.smallest_grain = 10;
  options.largest_grain = 5;
  EXPECT_DEATH(GrainController{options}, "GrainController: an option");
}

}  // namespace
}  // namespace filch

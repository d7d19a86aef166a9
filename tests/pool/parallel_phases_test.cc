// Whether threads leave at once, in and beside phases.
#include "filch/pool/parallel_phases.h"

#include <gtest/gtest.h>

namespace filch {
namespace pool_internal {
namespace {

TEST(ParallelPhasesTest, OnlyPhasesKeepThreadsThatShallLeaveFast) {
  ParallelPhases phases(/*leave_fast=*/true);
  EXPECT_TRUE(phases.LeaveFast());
  phases.Start();
  phases.Start();
  phases.End();
  EXPECT_FALSE(phases.LeaveFast()) << "the other one goes on";
  phases.End();
  EXPECT_TRUE(phases.LeaveFast());
}

TEST(ParallelPhasesTest, OthersLeaveFastAfterAPhaseThatEndsSo) {
  ParallelPhases phases(/*leave_fast=*/false);
  EXPECT_FALSE(phases.LeaveFast());
  phases.Start();
  phases.Start();
  phases.End(/*leave_fast=*/true);
  EXPECT_FALSE(phases.LeaveFast()) << "the other one goes on";
  phases.End();
  EXPECT_TRUE(phases.LeaveFast());
}

TEST(ParallelPhasesTest, TheNextPhaseOrWorkerIsInNoHurry) {
  ParallelPhases phases(/*leave_fast=*/false);
  phases.Start();
  phases.End(/*leave_fast=*/true);
  phases.Start();
  phases.End();
  EXPECT_FALSE(phases.LeaveFast());
  phases.Start();
  phases.End(/*leave_fast=*/true);
  phases.WorkerComes();
  EXPECT_FALSE(phases.LeaveFast());
}

TEST(ParallelPhasesTest, OpenOnesAndTheLastEndAreForgotten) {
  ParallelPhases phases(/*leave_fast=*/false);
  phases.Start();
  phases.Start();
  phases.End(/*leave_fast=*/true);
  phases.Forget();
  EXPECT_FALSE(phases.LeaveFast());
  phases.Start();
  phases.End(/*leave_fast=*/true);
  EXPECT_TRUE(phases.LeaveFast()) << "none is open any more";
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

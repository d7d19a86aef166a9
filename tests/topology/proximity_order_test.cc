#include "filch/topology/proximity_order.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "filch/topology/placement.h"
#include "gtest/gtest.h"
#include "tests/topology/fixture_machines.h"

namespace filch {
namespace {

Placement Place(const Machine& machine, int workers,
                PlacementPolicy policy = PlacementPolicy::kCompact) {
  PlacementOptions options;
  options.workers = workers;
  options.policy = policy;
  return PlaceWorkers(machine, options).value();
}

// "core:1 L3:6 ..." for short.
std::string Shape(const std::vector<Ring>& rings) {
  std::string text;
  for (const Ring& ring : rings) {
    text += (text.empty() ? "" : " ") + RingName(ring) + ":" + std::to_string(ring.workers.size());
  }
  return text;
}

std::vector<int> Sorted(std::vector<int> workers) {
  std::sort(workers.begin(), workers.end());
  return workers;
}

TEST(ProximityOrderTest, RingsOfAFullServer) {
  const Machine machine = FixtureMachine(kServer);
  const Placement placement = Place(machine, 128);
  for (int worker : {0, 17, 63, 64, 127}) {
    EXPECT_EQ(Shape(RingsOf(machine, placement, worker)),
              "core:1 L3:6 node:24 package:32 machine:64");
  }
}

TEST(ProximityOrderTest, RingsHoldEveryOtherWorkerOnce) {
  for (const std::string& name : AllFixtures()) {
    if (name == k2048Cpus) continue;  // see ALargeMachine
    const Machine machine = FixtureMachine(name);
    for (int workers : {1, 2, 7, machine.allowed.size(), machine.allowed.size() + 3}) {
      const Placement placement = Place(machine, workers, PlacementPolicy::kSpread);
      for (int worker = 0; worker < workers; ++worker) {
        std::vector<int> all = NearestFirst(machine, placement, worker);
        all.push_back(worker);
        std::vector<int> expected;
        for (int i = 0; i < workers; ++i) expected.push_back(i);
        ASSERT_EQ(Sorted(all), expected) << name << ", worker " << worker;
      }
    }
  }
}

TEST(ProximityOrderTest, RingsAgreeWithWhatTheCpusShare) {
  const Machine machine = FixtureMachine(kServer);
  const Placement placement = Place(machine, 100, PlacementPolicy::kSpread);
  for (int worker = 0; worker < 100; ++worker) {
    const Machine::Cpu& here = placement.workers[static_cast<std::size_t>(worker)];
    for (const Ring& ring : RingsOf(machine, placement, worker)) {
      for (int other : ring.workers) {
        const Machine::Cpu& there = placement.workers[static_cast<std::size_t>(other)];
        const RingKind nearest = there.core == here.core         ? RingKind::kCore
                                 : there.cluster == here.cluster ? RingKind::kCache
                                 : there.node == here.node       ? RingKind::kNode
                                 : there.package == here.package ? RingKind::kPackage
                                                                 : RingKind::kMachine;
        EXPECT_EQ(ring.kind, nearest) << worker << " and " << other;
      }
    }
  }
}

TEST(ProximityOrderTest, NeighbourhoodIsMutual) {
  for (const char* name : {kServer, kHybrid, kHoles, kSquare}) {
    const Machine machine = FixtureMachine(name);
    const int workers = machine.allowed.size();
    const Placement placement = Place(machine, workers);
    for (int a = 0; a < workers; ++a) {
      for (int b : NearGroup(machine, placement, a)) {
        const std::vector<int> back = NearGroup(machine, placement, b);
        EXPECT_TRUE(std::find(back.begin(), back.end(), a) != back.end()) << name;
      }
    }
  }
}

TEST(ProximityOrderTest, HybridCoresHaveTheRingsOfTheirCaches) {
  const Machine machine = FixtureMachine(kHybrid);
  const Placement placement = Place(machine, 22);
  // Workers 0-5 and 16-21 on fast cores, 6-13 on frugal ones, 14-15 apart.
  EXPECT_EQ(Shape(RingsOf(machine, placement, 0)), "core:1 L3:18 node:2");
  EXPECT_EQ(Shape(RingsOf(machine, placement, 6)), "L2:3 L3:16 node:2");
  EXPECT_EQ(Shape(RingsOf(machine, placement, 14)), "L2:1 node:20");
  EXPECT_EQ(RingsOf(machine, placement, 6)[0].workers, (std::vector<int>{7, 8, 9}));
  EXPECT_EQ(NearGroup(machine, placement, 14), (std::vector<int>{15}));
  EXPECT_EQ(NearGroup(machine, placement, 0).size(), 19u);
}

TEST(ProximityOrderTest, NearerNodesComeFirstInARing) {
  const Machine machine = FixtureMachine(kSquare);
  const Placement placement = Place(machine, 8);  // two on each package
  const std::vector<Ring> rings = RingsOf(machine, placement, 2);
  ASSERT_EQ(Shape(rings), "L3:1 machine:6");
  EXPECT_EQ(rings[0].workers, (std::vector<int>{3}));
  // Worker 2 is on package 1; packages 0 and 2 are next to it, 3 is opposite.
  EXPECT_EQ(rings[1].workers, (std::vector<int>{4, 5, 0, 1, 6, 7}));
}

TEST(ProximityOrderTest, NeighboursBeginARingAtDifferentPlaces) {
  const Machine machine = FixtureMachine(kBare);
  const Placement placement = Place(machine, 6);
  EXPECT_EQ(NearestFirst(machine, placement, 0), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(NearestFirst(machine, placement, 4), (std::vector<int>{5, 0, 1, 2, 3}));
}

TEST(ProximityOrderTest, OneWorkerHasNoNeighbours) {
  const Machine machine = FixtureMachine(kOneCpu);
  const Placement placement = Place(machine, 1);
  EXPECT_TRUE(RingsOf(machine, placement, 0).empty());
  EXPECT_TRUE(NearGroup(machine, placement, 0).empty());
}

TEST(ProximityOrderTest, WorkersOfOneCpuAreTheNearest) {
  const Machine machine = FixtureMachine(kOneCpu);
  const Placement placement = Place(machine, 3);
  EXPECT_EQ(Shape(RingsOf(machine, placement, 1)), "core:2");
  EXPECT_EQ(NearGroup(machine, placement, 1), (std::vector<int>{2, 0}));
}

TEST(ProximityOrderTest, TheNearGroupIsTheClusterOrElseTheNode) {
  const Machine machine = FixtureMachine(kServer);
  EXPECT_EQ(NearGroup(machine, Place(machine, 64), 5), (std::vector<int>{6, 7, 4}));
  // One worker in each cluster: four in each node.
  const Placement spread = Place(machine, 16, PlacementPolicy::kSpread);
  for (int other : NearGroup(machine, spread, 0)) {
    EXPECT_EQ(spread.workers[static_cast<std::size_t>(other)].node, 0);
  }
  EXPECT_EQ(NearGroup(machine, spread, 0).size(), 3u);
  // One worker in each node: nobody is near.
  EXPECT_TRUE(NearGroup(machine, Place(machine, 4, PlacementPolicy::kSpread), 0).empty());
}

TEST(ProximityOrderTest, ANodeMayHavePackages) {
  const Machine machine = FixtureMachine("numanode:2 package:2 l3cache:1 core:2 pu:1");
  const Placement placement = Place(machine, 8);
  EXPECT_EQ(Shape(RingsOf(machine, placement, 0)), "L3:1 node:2 machine:4");
}

TEST(ProximityOrderTest, ALargeMachine) {
  const Machine machine = FixtureMachine(k2048Cpus);
  const Placement placement = Place(machine, 2048, PlacementPolicy::kSpread);
  EXPECT_EQ(Shape(RingsOf(machine, placement, 2047)),
            "core:1 L3:30 node:96 package:128 machine:1792");
}

TEST(ProximityOrderDeathTest, AWorkerThatIsNotThereStopsWithASentence) {
  const Machine machine = FixtureMachine(kOneCpu);
  const Placement placement = Place(machine, 1);
  EXPECT_EXIT(RingsOf(machine, placement, 1), testing::KilledBySignal(SIGABRT), "no such worker");
}

}  // namespace
}  // namespace filch

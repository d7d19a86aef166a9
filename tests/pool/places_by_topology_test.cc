#include "filch/pool/places_by_topology.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/pool.h"
#include "filch/pool/task.h"
#include "filch/pool/worker_place.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"
#include "tests/pool/nobody.h"

namespace filch {
namespace {

std::vector<WorkerPlace> PlacesOn(const std::string& description, int workers,
                                  PlacementPolicy policy) {
  const auto machine = Machine::FromSynthetic(description);
  EXPECT_TRUE(machine.ok()) << machine.status();
  PlacementOptions options;
  options.workers = workers;
  options.policy = policy;
  return PlacesByTopology(*machine, options).value();
}

TEST(PlacesByTopologyTest, EveryPlaceIsACpuAndKnowsItsNeighbours) {
  const auto places = PlacesOn("package:2 l3cache:2 core:2 pu:1", 8, PlacementPolicy::kCompact);
  ASSERT_EQ(places.size(), 8u);
  CpuSet all;
  for (int i = 0; i < 8; ++i) {
    const WorkerPlace& place = places[static_cast<std::size_t>(i)];
    EXPECT_EQ(place.cpus.size(), 1);
    all.Add(place.cpus.Last());
    EXPECT_EQ(place.near, (std::vector<int>{i ^ 1}));  // who shares the cache
  }
  EXPECT_EQ(all.ToString(), "0-7");
}

TEST(PlacesByTopologyTest, AnImpossibleWishIsASentence) {
  PlacementOptions options;
  options.workers = -1;
  const auto places = PlacesByTopology(*Machine::FromSynthetic("core:2 pu:1"), options);
  EXPECT_FALSE(places.ok());
  EXPECT_FALSE(places.status().message().empty());
}

TEST(PlacesByTopologyTest, APoolOnThisMachineWorks) {
  const auto machine = Machine::Detect();
  ASSERT_TRUE(machine.ok()) << machine.status();
  PoolOptions options;
  options.concurrency = 4;
  PlacementOptions placement;
  placement.workers = options.concurrency;
  options.places = PlacesByTopology(*machine, placement).value();
  Pool pool(options);
  EXPECT_EQ(pool.Execute([] { return 1; }), 1);
}

// --- what thieves make of it

// In how many of `rounds` steals slot 0 of 8 takes from slot 5, when each of the
// others has one task.
int StealsFromFive(const std::vector<WorkerPlace>& places, int rounds) {
  Nobody nobody;
  Arena arena(nobody, pool_internal::IdleTimes(), {8, 8, Priority::kNormal}, 0);
  arena.PlaceSlots(places);
  std::vector<pool_internal::Slot*> slots;
  for (int i = 0; i < 8; ++i) slots.push_back(arena.slots().OccupyFromOutside());
  NoTask tasks[8];
  int from_five = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 1; i < 8; ++i) {
      slots[i]->deque.Push(&tasks[i], 0);
      slots[i]->deque.Expose();
    }
    pool_internal::ArenaSources sources(*slots[0], {});
    sources.BeginSearch();
    if (sources.Steal().task == &tasks[5]) ++from_five;
    Task* task;
    std::uint64_t meta;
    for (std::size_t i = 1; i < 8; ++i) {
      while (slots[i]->deque.Pop(&task, &meta)) {
      }
    }
  }
  return from_five;
}

TEST(PlacesByTopologyTest, ThievesPreferTheNearAndForgetNobody) {
  std::vector<WorkerPlace> places(8);
  const int even = StealsFromFive(places, 700);
  EXPECT_GT(even, 50);
  EXPECT_LT(even, 150);
  places[0].near = {5};
  // Seven times in eight at once, and now and then by chance.
  const int near = StealsFromFive(places, 700);
  EXPECT_GT(near, 560);
  EXPECT_LT(near, 670);
}

TEST(PlacesByTopologyTest, PlacesThatAreNotTakenDoNotMatter) {
  std::vector<WorkerPlace> places(20);
  places[0].near = {19, 5, 12};  // two of them are beyond the arena's slots
  EXPECT_GT(StealsFromFive(places, 700), 560);
}

}  // namespace
}  // namespace filch

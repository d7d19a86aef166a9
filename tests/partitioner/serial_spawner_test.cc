#include "filch/partitioner/serial_spawner.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "filch/partitioner/affinity_memory.h"
#include "filch/partitioner/split_policy.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

// Work that notes its number and where it ran.
class Log {
 public:
  auto Work(int number) {
    return [this, number](SerialSpawner& spawner, Place place) {
      EXPECT_EQ(spawner.here(), place.slot);
      numbers.push_back(number);
      places.push_back(place);
    };
  }

  std::vector<int> numbers;
  std::vector<Place> places;
};

TEST(SerialSpawnerTest, RunsNothingUntilTold) {
  Log log;
  SerialSpawner spawner;
  spawner.Spawn(kAnySlot, log.Work(1));
  EXPECT_TRUE(log.numbers.empty());
  EXPECT_EQ(spawner.spawned(), 1u);
  spawner.RunAll();
  EXPECT_EQ(log.numbers, std::vector<int>{1});
  spawner.RunAll();
  EXPECT_EQ(log.numbers, std::vector<int>{1});
}

TEST(SerialSpawnerTest, RunsTheNewestFirstAndWhatItSpawns) {
  Log log;
  SerialSpawner spawner;
  spawner.Spawn(kAnySlot, log.Work(1));
  spawner.Spawn(kAnySlot, [&log](SerialSpawner& here, Place place) {
    here.Spawn(kAnySlot, log.Work(3));
    log.Work(2)(here, place);
  });
  spawner.RunAll();
  EXPECT_EQ(log.numbers, (std::vector<int>{2, 3, 1}));
  EXPECT_EQ(spawner.spawned(), 3u);
}

TEST(SerialSpawnerTest, HasAtLeastOneSlotAndNoDemand) {
  EXPECT_EQ(SerialSpawner(0).slots(), 1u);
  EXPECT_EQ(SerialSpawner(5).slots(), 5u);
  EXPECT_FALSE(SerialSpawner(5).wanted());
}

TEST(SerialSpawnerTest, AWishedForSlotIsKeptAndOthersCountAsStolen) {
  Log log;
  SerialSpawner spawner(4);
  for (std::uint32_t slot : {3u, 0u, 6u}) spawner.Spawn(slot, log.Work(0));
  spawner.RunAll();
  ASSERT_EQ(log.places.size(), 3u);
  EXPECT_EQ(log.places[0].slot, 2u);  // 6 of 4 slots
  EXPECT_TRUE(log.places[0].stolen);
  EXPECT_EQ(log.places[1].slot, 0u);
  EXPECT_FALSE(log.places[1].stolen);
  EXPECT_EQ(log.places[2].slot, 3u);
  EXPECT_TRUE(log.places[2].stolen);
  EXPECT_EQ(spawner.here(), 0u);
}

TEST(SerialSpawnerTest, WorkWithoutAWishRunsWhereItWasSpawnedOrAtAThief) {
  Log log;
  SerialSpawner spawner(4);
  spawner.Spawn(2, [&log](SerialSpawner& here, Place) { here.Spawn(kAnySlot, log.Work(0)); });
  spawner.RunAll();
  spawner.PretendThieves([] { return 3u; });
  spawner.Spawn(kAnySlot, log.Work(0));
  spawner.RunAll();
  ASSERT_EQ(log.places.size(), 2u);
  EXPECT_EQ(log.places[0].slot, 2u);
  EXPECT_FALSE(log.places[0].stolen);
  EXPECT_EQ(log.places[1].slot, 3u);
  EXPECT_TRUE(log.places[1].stolen);
}

TEST(SerialSpawnerTest, AsksForDemandEachTime) {
  SerialSpawner spawner(2);
  int asked = 0;
  spawner.PretendDemand([&asked] { return ++asked == 2; });
  EXPECT_FALSE(spawner.wanted());
  EXPECT_TRUE(spawner.wanted());
  EXPECT_FALSE(spawner.wanted());
}

TEST(SerialSpawnerTest, AThrowKeepsTheRestOfTheList) {
  Log log;
  SerialSpawner spawner(2);
  spawner.Spawn(kAnySlot, log.Work(1));
  spawner.Spawn(1, [](SerialSpawner&, Place) { throw std::runtime_error("bad work"); });
  EXPECT_THROW(spawner.RunAll(), std::runtime_error);
  EXPECT_EQ(spawner.here(), 0u);
  EXPECT_TRUE(log.numbers.empty());
  spawner.RunAll();
  EXPECT_EQ(log.numbers, std::vector<int>{1});
}

}  // namespace
}  // namespace filch

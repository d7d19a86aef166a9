#include "filch/pool/worker_local.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "filch/pool/parallel_for.h"
#include "filch/pool/task_group.h"
#include "filch/topology/cache_line.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class WorkerLocalTest : public PoolTest {};

TEST_P(WorkerLocalTest, TheSumIsThatOfAllThreads) {
  for (int round = 0; round < 10; ++round) {
    WorkerLocal<std::int64_t> sums;
    pool_.Execute([&] { ParallelFor(0, 10000, [&](int i) { sums.Local() += i; }); });
    EXPECT_EQ(
        sums.Combine(std::int64_t{0}, [](std::int64_t& sum, std::int64_t part) { sum += part; }),
        49995000);
    EXPECT_GE(sums.size(), 1u);
    EXPECT_LE(sums.size(), static_cast<std::size_t>(GetParam().concurrency));
  }
}

TEST_P(WorkerLocalTest, AThreadGetsTheSameObjectAlwaysAndNobodyElseDoes) {
  struct Owned {
    std::thread::id owner = std::this_thread::get_id();
    int uses = 0;
  };
  WorkerLocal<Owned> objects;
  pool_.Execute([&] {
    TaskGroup group;
    for (int i = 0; i < 500; ++i) {
      group.Run([&] {
        Owned& own = objects.Local();
        EXPECT_EQ(own.owner, std::this_thread::get_id());
        EXPECT_EQ(&own, &objects.Local());
        ++own.uses;
      });
    }
    group.Wait();
  });
  int uses = 0;
  std::set<std::thread::id> owners;
  for (const Owned& object : objects) {
    uses += object.uses;
    EXPECT_TRUE(owners.insert(object.owner).second);
  }
  EXPECT_EQ(uses, 500);
}

FILCH_INSTANTIATE_POOL_TEST(WorkerLocalTest);

TEST(WorkerLocalObjectsTest, AreMadeWhenAThreadFirstAsks) {
  int made = 0;
  WorkerLocal<std::string> names([&] { return "thread " + std::to_string(++made); });
  EXPECT_TRUE(names.empty());
  EXPECT_EQ(names.Local(), "thread 1");
  names.Local() += "!";
  std::thread([&] {}).join();
  EXPECT_EQ(names.size(), 1u);
  EXPECT_EQ(names.Local(), "thread 1!");
  EXPECT_EQ(made, 1);
}

TEST(WorkerLocalObjectsTest, NeedNeitherCopyNorMove) {
  struct Fixed {
    Fixed() = default;
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    int value = 3;
  };
  WorkerLocal<Fixed> objects([] { return Fixed(); });
  EXPECT_EQ(objects.Local().value, 3);
  WorkerLocal<std::unique_ptr<int>> pointers;
  EXPECT_EQ(pointers.Local(), nullptr);
}

TEST(WorkerLocalObjectsTest, HaveTheirCacheLinesForThemselves) {
  WorkerLocal<char> objects;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&objects.Local()) % kCacheLineSize, 0u);
}

TEST(WorkerLocalObjectsTest, AreNotThereIfMakingThemThrows) {
  int calls = 0;
  WorkerLocal<int> objects([&] {
    if (++calls == 1) throw std::runtime_error("not yet");
    return 7;
  });
  EXPECT_THROW(objects.Local(), std::runtime_error);
  EXPECT_TRUE(objects.empty());
  EXPECT_EQ(objects.Local(), 7);
  EXPECT_EQ(objects.size(), 1u);
}

TEST(WorkerLocalObjectsTest, AreOneForEachThreadEvenIfMakingThemAsksForThem) {
  // As when the function waits and its thread runs another task meanwhile.
  WorkerLocal<int>* self = nullptr;
  int depth = 0;
  WorkerLocal<int> objects([&] {
    if (++depth == 1) self->Local() = 5;
    return 7;
  });
  self = &objects;
  EXPECT_EQ(objects.Local(), 5);
  EXPECT_EQ(objects.size(), 1u);
}

TEST(WorkerLocalObjectsTest, AreDestroyedByClear) {
  auto shared = std::make_shared<int>(1);
  WorkerLocal<std::shared_ptr<int>> objects([&] { return shared; });
  objects.Local();
  EXPECT_EQ(shared.use_count(), 2);
  objects.Clear();
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_TRUE(objects.empty());
  EXPECT_EQ(objects.Local(), shared);
}

TEST(WorkerLocalObjectsTest, CanBeChangedOneAfterTheOther) {
  WorkerLocal<int> objects;
  objects.Local() = 1;
  for (int& object : objects) object += 41;
  EXPECT_EQ(objects.Local(), 42);
}

}  // namespace
}  // namespace filch

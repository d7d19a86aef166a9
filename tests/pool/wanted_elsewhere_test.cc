// Whether a worker without work hears that another arena wants it.
#include <memory>
#include <mutex>
#include <vector>

#include "filch/pool/workforce.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

struct FakeArena {
  struct Wanted {
    bool noted = false;
    bool IsNoted() const { return noted; }
  };
  const Wanted& wanted() const { return note; }
  bool InsistsOnWorker() const { return has_enqueued; }
  static bool HasLeftBehind() { return false; }
  bool HasSlotForWorker() const { return has_slot; }

  Wanted note;
  bool has_enqueued = false;
  bool has_slot = true;
};

struct FakePool {
  std::mutex& mutex() { return mutex_; }
  const std::vector<std::unique_ptr<FakeArena>>& arenas() const { return arenas_; }

  std::mutex mutex_;
  std::vector<std::unique_ptr<FakeArena>> arenas_;
};

class WantedElsewhereTest : public testing::Test {
 protected:
  WantedElsewhereTest() {
    for (int i = 0; i < 3; ++i) pool_.arenas_.push_back(std::make_unique<FakeArena>());
  }
  FakeArena& arena(std::size_t i) { return *pool_.arenas_[i]; }
  bool Wants(int number) { return workforce_.WantsElsewhere(pool_, arena(1), number); }

  FakePool pool_;
  Workforce workforce_{/*limit=*/2, /*capacity=*/4};
};

TEST_F(WantedElsewhereTest, WhereNobodyIsWanted) { EXPECT_FALSE(Wants(0)); }

TEST_F(WantedElsewhereTest, InArenasBeforeAndAfterItsOwn) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    arena(i).note.noted = true;
    EXPECT_TRUE(Wants(0));
    EXPECT_TRUE(Wants(1));
    arena(i).note.noted = false;
    EXPECT_FALSE(Wants(0));
  }
}

TEST_F(WantedElsewhereTest, ItsOwnArenaIsNotElsewhere) {
  arena(1).note.noted = true;
  EXPECT_FALSE(Wants(0));
}

TEST_F(WantedElsewhereTest, WhereItCannotGo) {
  arena(2).note.noted = true;
  arena(2).has_slot = false;
  EXPECT_FALSE(Wants(0));
}

TEST_F(WantedElsewhereTest, WhoMayNotServeIsNotWanted) {
  arena(2).note.noted = true;
  EXPECT_FALSE(Wants(2));
  workforce_.SetLimit(0);
  EXPECT_FALSE(Wants(0));
  arena(2).has_enqueued = true;
  EXPECT_TRUE(Wants(0));
  EXPECT_FALSE(Wants(1));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

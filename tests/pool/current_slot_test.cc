#include "filch/pool/current_slot.h"

#include <pthread.h>

#include <atomic>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr int kThreads = 100;

std::atomic<int> units{0};

void RunLoop() {
  ParallelFor(0, 4, [](int) { ++units; });
}

// A thread that has one before it comes to the pool destroys it after it has left the pool.
struct LoopAtEnd {
  ~LoopAtEnd() { RunLoop(); }
  bool made = true;
};

class CurrentSlotTest : public testing::Test {
 protected:
  CurrentSlotTest() { units = 0; }

  // Runs f() on one thread after the other; afterwards no slot is theirs.
  template <typename F>
  void OnThreadsThatEnd(const F& f) {
    const int arenas = DefaultPool().arenas_in_use();
    for (int i = 0; i < kThreads; ++i) std::thread(f).join();
    EXPECT_EQ(DefaultPool().arenas_in_use(), arenas);
  }
};

TEST_F(CurrentSlotTest, IsGivenBackWhenTheThreadEnds) {
  OnThreadsThatEnd([] { RunLoop(); });
  EXPECT_EQ(units.load(), 4 * kThreads);
}

TEST_F(CurrentSlotTest, IsGivenBackIfAnOlderThreadLocalObjectUsesThePool) {
  OnThreadsThatEnd([] {
    static thread_local const LoopAtEnd older;
    EXPECT_TRUE(older.made);
    RunLoop();
  });
  EXPECT_EQ(units.load(), 8 * kThreads);
}

TEST_F(CurrentSlotTest, IsGivenBackIfTheDestructorOfAKeyUsesThePool) {
  pthread_key_t key;
  ASSERT_EQ(pthread_key_create(&key, [](void*) { RunLoop(); }), 0);
  OnThreadsThatEnd([key] {
    static_cast<void>(pthread_setspecific(key, &units));
    RunLoop();
  });
  pthread_key_delete(key);
  EXPECT_EQ(units.load(), 8 * kThreads);
}

// Every stay that they hear of ends.
TEST_F(CurrentSlotTest, HooksHearOfALateStayToo) {
  class Counter final : public ArenaHook {
   public:
    ~Counter() override { Remove(); }
    void OnEnter(bool is_worker) noexcept override {
      if (!is_worker) ++come_;
    }
    void OnLeave(bool is_worker) noexcept override {
      if (!is_worker) ++gone_;
    }
    int come() const { return come_.load(); }
    int gone() const { return gone_.load(); }

   private:
    std::atomic<int> come_{0};
    std::atomic<int> gone_{0};
  };
  Counter counter;
  counter.Add(nullptr);
  OnThreadsThatEnd([] {
    static thread_local const LoopAtEnd older;
    EXPECT_TRUE(older.made);
    RunLoop();
  });
  EXPECT_EQ(counter.come(), 2 * kThreads);
  EXPECT_EQ(counter.gone(), 2 * kThreads);
}

}  // namespace
}  // namespace filch

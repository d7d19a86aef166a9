#include "filch/pool/wake_placement.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "filch/pool/join.h"
#include "filch/pool/parker.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

cpu_set_t AffinityOf(pid_t thread) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(thread, sizeof(cpus), &cpus), 0);
  return cpus;
}

cpu_set_t OwnAffinity() { return AffinityOf(0); }

bool operator==(const cpu_set_t& a, const cpu_set_t& b) { return CPU_EQUAL(&a, &b); }

// Binds the calling thread to the cpu where it is, for a while.
class BoundHere {
 public:
  BoundHere() : before_(OwnAffinity()) {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    EXPECT_EQ(sched_setaffinity(0, sizeof(here), &here), 0);
  }
  ~BoundHere() { sched_setaffinity(0, sizeof(before_), &before_); }
  BoundHere(const BoundHere&) = delete;
  BoundHere& operator=(const BoundHere&) = delete;

 private:
  const cpu_set_t before_;
};

// Calls from every cpu in turn: one of them is where the thread fell asleep.
void KeepOffEveryCpu(WakePlacement& placement) {
  const cpu_set_t all = OwnAffinity();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(cpu, &here);
    EXPECT_EQ(sched_setaffinity(0, sizeof(here), &here), 0);
    placement.KeepOffThisCpu();
  }
  sched_setaffinity(0, sizeof(all), &all);
}

// How many cpus are in one and not in the other, if all of that are in this one.
int Missing(const cpu_set_t& all, const cpu_set_t& some) {
  cpu_set_t both;
  CPU_AND(&both, &all, &some);
  EXPECT_TRUE(both == some);
  return CPU_COUNT(&all) - CPU_COUNT(&some);
}

// A thread that sleeps once, and then says where it may run: as it was called, and
// afterwards.
class Sleeper {
 public:
  Sleeper() : thread_([this] { Live(); }) {}
  void Call() {
    while (!parker_.LooksParked()) std::this_thread::yield();
    parker_.UnparkAfter([this] { KeepOffEveryCpu(placement_); });
    thread_.join();
  }
  const cpu_set_t& before() const { return before_; }
  const cpu_set_t& called() const { return called_; }
  const cpu_set_t& after() const { return after_; }

 private:
  void Live() {
    before_ = OwnAffinity();
    placement_.FallAsleep();
    parker_.Park();
    called_ = OwnAffinity();
    placement_.WakeUp();
    after_ = OwnAffinity();
  }

  WakePlacement placement_;
  Parker parker_;
  cpu_set_t before_, called_, after_;
  std::thread thread_;
};

TEST(WakePlacementTest, AThreadIsCalledToAnotherCpuAndMayGoAnywhereThen) {
  Sleeper sleeper;
  sleeper.Call();
  EXPECT_EQ(Missing(sleeper.before(), sleeper.called()), CPU_COUNT(&sleeper.before()) > 1 ? 1 : 0);
  EXPECT_TRUE(sleeper.after() == sleeper.before());
}

TEST(WakePlacementTest, AThreadThatIsBoundToTheCallersCpuStaysThere) {
  const BoundHere here;
  Sleeper sleeper;  // inherits the binding
  sleeper.Call();
  EXPECT_TRUE(sleeper.called() == sleeper.before());
  EXPECT_TRUE(sleeper.after() == sleeper.before());
}

TEST(WakePlacementTest, ACallThatComesTooLateIsMadeGoodBeforeTheNextSleep) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  placement.FallAsleep();
  placement.WakeUp();
  std::thread([&] { KeepOffEveryCpu(placement); }).join();
  EXPECT_EQ(Missing(all, OwnAffinity()), CPU_COUNT(&all) > 1 ? 1 : 0);
  placement.FallAsleep();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, ACallThatComesAfterTheEndHasNoEffect) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  placement.FallAsleep();
  placement.WakeUp();
  placement.End();
  std::thread([&] { KeepOffEveryCpu(placement); }).join();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, AThreadThatHasNotSleptMayEnd) {
  WakePlacement placement;
  placement.End();
}

TEST(WakePlacementTest, AThreadMayEndWhileItIsCalled) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  std::atomic<bool> over{false};
  std::thread caller([&] {
    while (!over.load()) placement.KeepOffThisCpu();
  });
  for (int i = 0; i < 200; ++i) {
    std::thread([&] {
      placement.FallAsleep();
      placement.WakeUp();
      placement.End();
      // From here on nobody does anything to it.
      const cpu_set_t left = OwnAffinity();
      for (int k = 0; k < 10; ++k) std::this_thread::yield();
      EXPECT_TRUE(OwnAffinity() == left);
    }).join();
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    placement.PlaceStart(attributes);  // for the next one
    pthread_attr_destroy(&attributes);
  }
  over = true;
  caller.join();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, AThreadBeginsOnAnotherCpuThanItsStarter) {
  struct Start {
    WakePlacement placement;
    cpu_set_t begun, after;
    static void* Run(void* self) {
      auto& start = *static_cast<Start*>(self);
      start.begun = OwnAffinity();
      start.placement.WakeUp();
      start.after = OwnAffinity();
      return nullptr;
    }
  } start;
  const cpu_set_t all = OwnAffinity();
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  start.placement.PlaceStart(attributes);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, &Start::Run, &start), 0);
  pthread_attr_destroy(&attributes);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  const int count = CPU_COUNT(&all);
  EXPECT_EQ(CPU_COUNT(&start.begun), count > 1 ? count - 1 : 1);
  EXPECT_TRUE(start.after == all);
}

TEST(WakePlacementTest, WorkersMayRunWhereTheProcessMay) {
  const cpu_set_t all = OwnAffinity();
  PoolOptions options;
  options.concurrency = 4;
  options.spin = std::chrono::nanoseconds(0);  // so that they are called often
  Pool pool(options);
  std::atomic<int> elsewhere{0};
  for (int round = 0; round < 100; ++round) {
    pool.Execute([&] {
      // On two threads: each waits for the other, so a worker is among those who look.
      std::atomic<int> here{0};
      const auto look = [&] {
        ++here;
        while (here.load() < 2) std::this_thread::yield();
        elsewhere += !(OwnAffinity() == all);
      };
      Join(look, look);
    });
  }
  EXPECT_EQ(elsewhere.load(), 0);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

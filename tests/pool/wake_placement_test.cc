#include "filch/pool/wake_placement.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "filch/pool/caller.h"
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
    CPU_ZERO(&cpus_);
    CPU_SET(sched_getcpu(), &cpus_);
    EXPECT_EQ(sched_setaffinity(0, sizeof(cpus_), &cpus_), 0);
  }
  ~BoundHere() { sched_setaffinity(0, sizeof(before_), &before_); }
  BoundHere(const BoundHere&) = delete;
  BoundHere& operator=(const BoundHere&) = delete;

  const cpu_set_t& cpus() const { return cpus_; }

 private:
  const cpu_set_t before_;
  cpu_set_t cpus_;
};

// Calls f() on another thread, which may run on these cpus.
template <typename F>
void OnAnotherThread(const cpu_set_t& cpus, const F& f) {
  std::thread([&] {
    EXPECT_EQ(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
    f();
  }).join();
}

// Calls from every cpu in turn, as one that works on: one of them is where the thread fell asleep.
void CallFromEveryCpu(WakePlacement& placement) {
  const cpu_set_t all = OwnAffinity();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(cpu, &here);
    OnAnotherThread(here, [&] { placement.PlaceWake(Caller::kWorksOn); });
  }
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
    parker_.UnparkAfter([this] { CallFromEveryCpu(placement_); });
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

TEST(WakePlacementTest, ACallThatComesTooLateHasNoEffect) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  CallFromEveryCpu(placement);
  EXPECT_TRUE(OwnAffinity() == all);
  placement.FallAsleep();
  placement.WakeUp();
  CallFromEveryCpu(placement);
  EXPECT_TRUE(OwnAffinity() == all);
}

// Whoever administers the machine, or another thread of the program, does so.
void SetAffinity(pid_t thread, const cpu_set_t& cpus) {
  EXPECT_EQ(sched_setaffinity(thread, sizeof(cpus), &cpus), 0);
}

TEST(WakePlacementTest, WhereAThreadMayRunSinceItFellAsleepItMayWhenItIsAwake) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  WakePlacement placement;
  {
    const BoundHere here;
    placement.FallAsleep();
  }
  EXPECT_TRUE(OwnAffinity() == all);
  CallFromEveryCpu(placement);
  EXPECT_FALSE(OwnAffinity() == all);
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, WhereAThreadMayRunSinceItWasCalledItMayWhenItIsAwake) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  WakePlacement placement;
  placement.FallAsleep();
  CallFromEveryCpu(placement);
  // Not where the call has left it.
  const cpu_set_t kept_to = OwnAffinity();
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all) && !CPU_ISSET(cpu, &kept_to)) CPU_SET(cpu, &one);
  }
  SetAffinity(0, one);
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == one);
  // Nor does a later call bring back what was before.
  placement.FallAsleep();
  CallFromEveryCpu(placement);
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == one);
  SetAffinity(0, all);
}

TEST(WakePlacementTest, WhoSleepsAfterTheLookoutIsStillKeptOff) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  placement.FallAsleep();
  CallFromEveryCpu(placement);
  const cpu_set_t kept_to = OwnAffinity();
  EXPECT_EQ(Missing(all, kept_to), CPU_COUNT(&all) > 1 ? 1 : 0);
  placement.FallAsleep();
  EXPECT_TRUE(OwnAffinity() == kept_to);
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, WhatSeveralCallsHaveTakenIsPutBack) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  placement.FallAsleep();
  for (int i = 0; i < 3; ++i) CallFromEveryCpu(placement);
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, AThreadThatLooksOutIsKeptOffWhereItWasLast) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  placement.FallAsleep();
  cpu_set_t there;
  {
    const BoundHere here;
    placement.StayHere();
    there = here.cpus();
  }
  cpu_set_t others;
  CPU_XOR(&others, &all, &there);
  if (CPU_COUNT(&others) == 0) return;
  OnAnotherThread(others, [&] { placement.KeepOffIfHere(); });
  EXPECT_TRUE(OwnAffinity() == all);
  OnAnotherThread(there, [&] { placement.KeepOffIfHere(); });
  EXPECT_TRUE(OwnAffinity() == others);
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, OnlyWhoIsWokenWhereTheCallerWasIsInTheWay) {
  const cpu_set_t all = OwnAffinity();
  const BoundHere here;
  WakePlacement placement;
  placement.WakeUp();
  EXPECT_FALSE(placement.IsInTheWay());
  OnAnotherThread(here.cpus(), [&] { placement.PlaceWake(Caller::kHandsOver); });
  placement.WakeUp();
  EXPECT_TRUE(placement.IsInTheWay());
  // Once.
  placement.WakeUp();
  EXPECT_FALSE(placement.IsInTheWay());
  cpu_set_t others;
  CPU_XOR(&others, &all, &here.cpus());
  if (CPU_COUNT(&others) == 0) return;
  OnAnotherThread(others, [&] { placement.PlaceWake(Caller::kHandsOver); });
  placement.WakeUp();
  EXPECT_FALSE(placement.IsInTheWay());
}

// What a thread that waits for nothing but a cpu does not wait for.
void LetTimePass() {
  for (const auto begin = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(2);) {
  }
}

// Whether a caller that may have nothing else to do keeps the calling thread, which may run on
// `all` cpus, off its own.
bool IsKeptOff(WakePlacement& placement, const cpu_set_t& all) {
  OnAnotherThread(all, [&] { placement.PlaceWake(Caller::kHandsOver); });
  return Missing(all, OwnAffinity()) == 1;
}

TEST(WakePlacementTest, WhoIsLateAllTheSameIsKeptOffNoMore) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  WakePlacement placement;
  placement.FallAsleep();
  int kept_off = 0;
  for (int i = 0; i < 100; ++i) {
    kept_off += IsKeptOff(placement, all) ? 1 : 0;
    LetTimePass();
    placement.WakeUp();
    placement.FallAsleep();
  }
  EXPECT_EQ(kept_off, 6);  // after 1, 2, 4, 8, 16 and 32 times more
}

TEST(WakePlacementTest, WhoBeganLateIsKeptOffTheCallersCpuForAWhile) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  WakePlacement placement;
  placement.FallAsleep();
  EXPECT_FALSE(IsKeptOff(placement, all));
  LetTimePass();
  placement.WakeUp();
  placement.FallAsleep();
  int times = 0;
  for (; times < 100 && IsKeptOff(placement, all); ++times) {
    placement.WakeUp();
    EXPECT_TRUE(OwnAffinity() == all);
    placement.FallAsleep();
  }
  // Less often if it was late then, too.
  EXPECT_GE(times, 1);
  EXPECT_LE(times, 32);
}

// Calls so on the calling thread's cpu, wakes it there, and says whether `leave` has led it to
// another one, where there is one: at the first of many times at which the kernel has not moved it.
template <typename Leave>
bool LeavesItsCpu(Caller caller, const Leave& leave) {
  for (int i = 0; i < 1000; ++i) {
    WakePlacement placement;
    placement.PlaceWake(caller);
    const int before = sched_getcpu();
    placement.WakeUp();
    leave(placement);
    if (sched_getcpu() != before) return true;
  }
  return false;
}

TEST(WakePlacementTest, WhoMakesWayGoesToAnotherCpu) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  EXPECT_TRUE(
      LeavesItsCpu(Caller::kHandsOver, [](WakePlacement& placement) { placement.MakeWay(); }));
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, WhoIsWokenWhereTheCallerWorksOnLeavesAtOnce) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  EXPECT_TRUE(LeavesItsCpu(Caller::kWorksOn, [](WakePlacement&) {}));
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, WhoIsBoundToOneCpuMakesNoWay) {
  const BoundHere here;
  WakePlacement placement;
  placement.PlaceWake(Caller::kHandsOver);
  placement.WakeUp();
  EXPECT_TRUE(placement.IsInTheWay());
  placement.MakeWay();
  EXPECT_FALSE(placement.IsInTheWay());
  EXPECT_TRUE(OwnAffinity() == here.cpus());
}

TEST(WakePlacementTest, WhateverCallersDoTheThreadMayRunEverywhereOnceTheyAreGone) {
  const cpu_set_t all = OwnAffinity();
  if (CPU_COUNT(&all) == 1) return;
  WakePlacement placement;
  std::atomic<bool> over{false};
  // They do something where the thread fell asleep last.
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      while (!over.load()) placement.KeepOffIfHere();
    });
  }
  for (int i = 0; i < 100000; ++i) {
    placement.FallAsleep();
    if (i % 2 == 0) placement.WakeUp();
  }
  over = true;
  for (std::thread& caller : callers) caller.join();
  placement.WakeUp();
  EXPECT_TRUE(OwnAffinity() == all);
}

TEST(WakePlacementTest, AThreadMayEndWhileItIsCalled) {
  const cpu_set_t all = OwnAffinity();
  WakePlacement placement;
  std::atomic<bool> over{false};
  std::thread caller([&] {
    while (!over.load()) placement.PlaceWake(Caller::kWorksOn);
  });
  for (int i = 0; i < 50; ++i) {
    std::thread([&] {
      placement.FallAsleep();
      placement.WakeUp();
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

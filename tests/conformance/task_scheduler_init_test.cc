#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_init.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>

#include "gtest/gtest.h"

namespace {

// How many threads work for the calling one.
int Threads() { return tbb::this_task_arena::max_concurrency(); }

// A thread that has not used the scheduler yet.
template <typename F>
void OnANewThread(F f) {
  std::thread(f).join();
}

TEST(TaskSchedulerInitTest, SaysHowManyThreadsThereAreWhileItLives) {
  OnANewThread([] {
    const int before = Threads();
    {
      const tbb::task_scheduler_init init(3);
      EXPECT_TRUE(init.is_active());
      EXPECT_EQ(Threads(), 3);
    }
    EXPECT_EQ(Threads(), before);
  });
}

#ifndef CONFORMANCE_ON_TBB_2020  // tells nobody of that end, and leaves at once
// How many stays of threads that are no workers have begun and ended.
class Stays : public tbb::task_scheduler_observer {
 public:
  Stays() { observe(true); }
  ~Stays() override { observe(false); }
  int begun() const { return begun_; }
  int ended() const { return ended_; }

 private:
  void on_scheduler_entry(bool is_worker) override { begun_ += is_worker ? 0 : 1; }
  void on_scheduler_exit(bool is_worker) override { ended_ += is_worker ? 0 : 1; }

  std::atomic<int> begun_{0};
  std::atomic<int> ended_{0};
};

TEST(TaskSchedulerInitTest, WhatOutlivesItsThreadHasEndedWithThat) {
  std::unique_ptr<tbb::task_scheduler_init> kept;
  std::unique_ptr<Stays> stays;
  OnANewThread([&] {
    kept = std::make_unique<tbb::task_scheduler_init>(3);
    // In the arena that it observes, if it is not one for all of them.
    stays = std::make_unique<Stays>();
    tbb::parallel_for(0, 100, [](int) {});
    EXPECT_EQ(stays->begun(), 1);
    EXPECT_EQ(stays->ended(), 0);
  });
  EXPECT_EQ(stays->ended(), 1);
}

// From within a task there is no way out of its arena.
TEST(TaskSchedulerInitTest, MayEndInATask) {
  OnANewThread([] {
    tbb::task_scheduler_init init(1);
    tbb::task_group group;
    int runs = 0;
    for (int i = 0; i < 100; ++i) group.run([&runs] { ++runs; });
    group.run([&init] { init.terminate(); });
    group.wait();
    EXPECT_EQ(runs, 100);
    EXPECT_FALSE(init.is_active());
    EXPECT_EQ(Threads(), 1);
  });
}
#endif

// With more threads than there may be cpus.
TEST(TaskSchedulerInitTest, MayEndInALoop) {
  OnANewThread([] {
    tbb::task_scheduler_init init(3);
    const std::thread::id here = std::this_thread::get_id();
    tbb::parallel_for(0, 64, [&](int) {
      if (std::this_thread::get_id() != here) return;
      if (init.is_active()) init.terminate();
      EXPECT_EQ(Threads(), 3);  // the thread is there still
    });
  });
}

TEST(TaskSchedulerInitTest, SoManyThreadsComeTogether) {
  OnANewThread([] {
    const int threads = tbb::task_scheduler_init::default_num_threads() + 3;
    const tbb::task_scheduler_init init(threads);
    std::atomic<int> arrived{0};
    tbb::parallel_for(
        0, threads,
        [&](int) {
          ++arrived;
          while (arrived < threads) std::this_thread::yield();
        },
        tbb::simple_partitioner());
    EXPECT_EQ(arrived, threads);
  });
}

TEST(TaskSchedulerInitTest, OneThreadIsTheCaller) {
  OnANewThread([] {
    const tbb::task_scheduler_init init(1);
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
    tbb::parallel_for(
        0, 10000, [&](int) { elsewhere += std::this_thread::get_id() != here; },
        tbb::simple_partitioner());
    EXPECT_EQ(elsewhere, 0);
  });
}

TEST(TaskSchedulerInitTest, TheFirstOneOfAThreadDecides) {
  OnANewThread([] {
    auto first = std::make_unique<tbb::task_scheduler_init>(2);
    const tbb::task_scheduler_init second(1);
    EXPECT_EQ(Threads(), 2);
    first.reset();
    EXPECT_EQ(Threads(), 2);
  });
}

TEST(TaskSchedulerInitTest, AThreadThatHasUsedTheSchedulerKeepsWhatItHas) {
  OnANewThread([] {
    tbb::parallel_for(0, 100, [](int) {});
    const int before = Threads();
    const tbb::task_scheduler_init init(before + 2);
    EXPECT_EQ(Threads(), before);
  });
}

// A group that was made is a use, other than with oneTBB.
TEST(TaskSchedulerInitTest, AThreadThatHasMadeAGroupKeepsWhatItHas) {
  OnANewThread([] {
    const int before = Threads();
    tbb::task_group group;
    const tbb::task_scheduler_init init(before + 3);
    EXPECT_EQ(Threads(), before);
    group.run([before] { EXPECT_EQ(Threads(), before); });
    group.wait();
  });
}

TEST(TaskSchedulerInitTest, DefersAutomaticAndTerminates) {
  OnANewThread([] {
    const int before = Threads();
    tbb::task_scheduler_init init(tbb::task_scheduler_init::deferred);
    EXPECT_FALSE(init.is_active());
    init.initialize(1);
    EXPECT_TRUE(init.is_active());
    EXPECT_EQ(Threads(), 1);
    init.terminate();
    EXPECT_FALSE(init.is_active());
    EXPECT_EQ(Threads(), before);
    init.initialize();
    EXPECT_TRUE(init.is_active());
    EXPECT_EQ(Threads(), before);
    EXPECT_TRUE(init.blocking_terminate(std::nothrow));
    init.initialize(1, 1 << 20);
    init.blocking_terminate();
    EXPECT_FALSE(init.is_active());
  });
}

TEST(TaskSchedulerInitTest, EveryThreadMayHaveItsOwn) {
  OnANewThread([] {
    const tbb::task_scheduler_init here(4);
    OnANewThread([] {
      const tbb::task_scheduler_init there(1);
      EXPECT_EQ(Threads(), 1);
      OnANewThread([] { EXPECT_EQ(Threads(), tbb::task_scheduler_init::default_num_threads()); });
    });
    EXPECT_EQ(Threads(), 4);
  });
}

// As in a library that is called by a program's tasks.
TEST(TaskSchedulerInitTest, InATaskItChangesNothing) {
  OnANewThread([] {
    const tbb::task_scheduler_init outside(4);
    std::atomic<int> wrong{0};
    tbb::parallel_for(0, 100, [&](int) {
      const tbb::task_scheduler_init inside(1);
      wrong += Threads() != 4;
    });
    EXPECT_EQ(wrong, 0);
  });
}

TEST(TaskSchedulerInitTest, ThreadsComeAndGoWithEachRun) {
  OnANewThread([] {
    for (int round = 0; round < 200; ++round) {
      const tbb::task_scheduler_init init(1 + round % 5);
      std::atomic<int> sum{0};
      tbb::parallel_for(0, 100, [&](int i) { sum += i; });
      EXPECT_EQ(sum, 4950);
      EXPECT_EQ(Threads(), 1 + round % 5);
    }
  });
}

#ifndef CONFORMANCE_ON_TBB_2020  // says it in other words
TEST(TaskSchedulerInitDeathTest, WhatIsActiveAlreadyOrNotStopsWithASentence) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  tbb::task_scheduler_init init(tbb::task_scheduler_init::deferred);
  EXPECT_DEATH(init.terminate(), "terminate: the object is not active");
  init.initialize();
  EXPECT_DEATH(init.initialize(), "initialize: the object is active");
}
#endif

}  // namespace

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(!std::is_copy_constructible_v<tbb::task_scheduler_observer>);
static_assert(std::has_virtual_destructor_v<tbb::task_scheduler_observer>);

// How many observers have told this thread of an entry and not of the exit.
thread_local int entered_here = 0;

class Counter : public tbb::task_scheduler_observer {
 public:
  Counter() = default;
  explicit Counter(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) {}
  ~Counter() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    ++entered_here;
    if (is_worker) ++workers;
    if (tbb::this_task_arena::current_thread_index() < 0) outside = true;
    ++entries;
  }
  void on_scheduler_exit(bool is_worker) override {
    --entered_here;
    if (is_worker) --workers;
    if (tbb::this_task_arena::current_thread_index() < 0) outside = true;
    ++exits;
  }

  std::atomic<int> entries{0};
  std::atomic<int> exits{0};
  std::atomic<int> workers{0};
  std::atomic<bool> outside{false};
};

// Which threads were announced.
class ThreadNotes : public tbb::task_scheduler_observer {
 public:
  explicit ThreadNotes(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) {}
  ~ThreadNotes() override { observe(false); }

  void on_scheduler_entry(bool) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    threads_.insert(std::this_thread::get_id());
  }
  bool HasThisThread() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return threads_.count(std::this_thread::get_id()) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<std::thread::id> threads_;
};

using TaskSchedulerObserverTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskSchedulerObserverTest, kLimits);

static_assert(std::is_nothrow_default_constructible_v<tbb::task_scheduler_observer>);

TEST_P(TaskSchedulerObserverTest, ObservesOnlyWhenToldTo) {
  tbb::task_arena arena(2);
  Counter counter(arena);
  EXPECT_FALSE(counter.is_observing());
  arena.execute([] {});
  EXPECT_EQ(counter.entries, 0);
  counter.observe();
  EXPECT_TRUE(counter.is_observing());
  counter.observe(true);
  counter.observe(false);
  EXPECT_FALSE(counter.is_observing());
  arena.execute([] {});
  EXPECT_EQ(counter.entries, 0);
}

TEST_P(TaskSchedulerObserverTest, AStayIsAPairAndNestedCallsOfTheSameArenaAreOneStay) {
  tbb::task_arena arena(2);
  Counter counter(arena);
  counter.observe();
  for (int i = 0; i < 3; ++i) {
    arena.execute([&] {
      EXPECT_EQ(entered_here, 1);
      arena.execute([] { EXPECT_EQ(entered_here, 1); });
    });
    EXPECT_EQ(entered_here, 0);
  }
  EXPECT_GE(counter.entries, 3);
  EXPECT_FALSE(counter.outside);
}

TEST_P(TaskSchedulerObserverTest, NestedArenasGiveNestedPairs) {
  tbb::task_arena outer(2);
  tbb::task_arena inner(2);
  Counter of_outer(outer);
  Counter of_inner(inner);
  of_outer.observe();
  of_inner.observe();
  outer.execute([&] {
    inner.execute([&] { EXPECT_EQ(entered_here, 2); });
    EXPECT_EQ(entered_here, 1);
  });
  EXPECT_EQ(entered_here, 0);
}

TEST_P(TaskSchedulerObserverTest, EveryBodyRunsOnAThreadThatWasAnnounced) {
  tbb::task_arena arena(4);
  std::atomic<int> unannounced{0};
  Counter counter(arena);
  counter.observe();
  for (int round = 0; round < 20; ++round) {
    arena.execute([&] {
      tbb::parallel_for(0, 300, [&](int) {
        if (entered_here == 0) ++unannounced;
      });
    });
    std::atomic<int> ran{0};
    for (int i = 0; i < 5; ++i) {
      arena.enqueue([&] {
        if (entered_here == 0) ++unannounced;
        ++ran;
      });
    }
    while (ran.load() != 5) std::this_thread::yield();
  }
  EXPECT_EQ(unannounced, 0);
  // All workers leave an arena without work.
  while (counter.entries.load() != counter.exits.load()) std::this_thread::yield();
  EXPECT_EQ(counter.workers, 0);
  EXPECT_FALSE(counter.outside);
}

TEST_P(TaskSchedulerObserverTest, AnotherArenaIsNotObserved) {
  tbb::task_arena one(2);
  tbb::task_arena two(2);
  Counter counter(one);
  counter.observe();
  // A worker that comes late, for what had been there before, may look into an empty arena.
  std::atomic<int> observed{0};
  two.execute([&] { tbb::parallel_for(0, 100, [&](int) { observed += entered_here; }); });
  EXPECT_EQ(observed, 0);
  EXPECT_FALSE(counter.outside);
}

TEST_P(TaskSchedulerObserverTest, WithoutAnArenaItObservesTheCallersOne) {
  Counter counter;
  std::thread([&] {
    counter.observe();
    EXPECT_EQ(counter.entries, 1);
    EXPECT_EQ(entered_here, 1);
    tbb::task_arena other(2);
    other.execute([] { EXPECT_EQ(entered_here, 1); });
  }).join();
  // The thread left the scheduler when it ended.
  while (counter.entries.load() != counter.exits.load()) std::this_thread::yield();
}

TEST_P(TaskSchedulerObserverTest, AThreadInsideHearsAtOnceAndOnlyWhileObserved) {
  tbb::task_arena arena(1);
  Counter counter(arena);
  arena.execute([&] {
    counter.observe();
    EXPECT_EQ(counter.entries, 1);
    counter.observe(false);
    counter.observe();
    EXPECT_EQ(counter.entries, 2);
  });
  EXPECT_EQ(counter.exits, 1);
  entered_here = 0;  // the first stay was not told to its end
  arena.execute([&] { counter.observe(false); });
  EXPECT_EQ(counter.entries, 3);
  EXPECT_EQ(counter.exits, 1);
  entered_here = 0;
}

TEST_P(TaskSchedulerObserverTest, AThreadThatLooksForWorkIsAnnouncedBeforeItRunsWhatItFinds) {
  tbb::task_arena arena(2, 0);
  int unannounced = 0;
  for (int round = 0; round < 300; ++round) {
    ThreadNotes notes(arena);
    notes.observe();
    std::atomic<bool> ran{false};
    bool announced = false;
    arena.enqueue([&] {
      announced = notes.HasThisThread();
      ran = true;
    });
    while (!ran) std::this_thread::yield();
    if (!announced) ++unannounced;
  }
  EXPECT_EQ(unannounced, 0);
}

TEST_P(TaskSchedulerObserverTest, AThreadIsAnnouncedBeforeItRunsForACallerWhoFindsTheArenaFull) {
  tbb::task_arena arena(1);
  std::atomic<bool> is_full{false};
  std::atomic<bool> is_over{false};
  std::thread inside([&] {
    arena.execute([&] {
      tbb::task_group group;
      is_full = true;
      while (!is_over) {
        group.run([] {});
        group.wait();
        std::this_thread::yield();
      }
    });
  });
  while (!is_full) std::this_thread::yield();
  int unannounced = 0;
  for (int round = 0; round < 100; ++round) {
    ThreadNotes notes(arena);
    notes.observe();
    arena.execute([&] {
      if (!notes.HasThisThread()) ++unannounced;
    });
  }
  is_over = true;
  inside.join();
  EXPECT_EQ(unannounced, 0);
}

TEST_P(TaskSchedulerObserverTest, NothingIsCalledAfterObserveFalse) {
  tbb::task_arena arena(4);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop.load()) {
      arena.execute([] { tbb::parallel_for(0, 50, [](int) {}); });
    }
  });
  for (int i = 0; i < 100; ++i) {
    class Probe : public tbb::task_scheduler_observer {
     public:
      Probe(tbb::task_arena& where, std::atomic<bool>& alive)
          : tbb::task_scheduler_observer(where), alive_(alive) {
        observe();
      }
      ~Probe() override { observe(false); }
      void on_scheduler_entry(bool) override { EXPECT_TRUE(alive_); }
      void on_scheduler_exit(bool) override { EXPECT_TRUE(alive_); }

     private:
      std::atomic<bool>& alive_;
    };
    std::atomic<bool> alive{true};
    auto probe = std::make_unique<Probe>(arena, alive);
    std::this_thread::yield();
    probe.reset();
    alive = false;
  }
  stop = true;
  busy.join();
}

TEST_P(TaskSchedulerObserverTest, ObserversAndArenasMayEndWhileWorkersAreOnTheirWay) {
  class Probe : public tbb::task_scheduler_observer {
   public:
    explicit Probe(tbb::task_arena& where) : tbb::task_scheduler_observer(where) { observe(); }
    ~Probe() override {
      observe(false);
      told_.clear();
    }
    void on_scheduler_entry(bool) override { Note(); }
    void on_scheduler_exit(bool) override { Note(); }

   private:
    // Whoever came too late would be in the midst of this.
    void Note() {
      const std::lock_guard<std::mutex> lock(mutex_);
      told_.push_back(std::this_thread::get_id());
    }

    std::mutex mutex_;
    std::vector<std::thread::id> told_;
  };
  std::atomic<int> ran{0};
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    // Arenas with these settings are used again, also while workers look into them.
    auto arena = std::make_unique<tbb::task_arena>(3, 1);
    auto probe = std::make_unique<Probe>(*arena);
    auto other = std::make_unique<Probe>(*arena);
    arena->enqueue([&ran] { ++ran; });
    arena->execute([] { tbb::parallel_for(0, 4, [](int) {}); });
    probe.reset();
    arena->enqueue([&ran] { ++ran; });
    switch (round % 3) {
      case 0:
        // The observer stays with what is left of the arena.
        arena.reset();
        other.reset();
        break;
      case 1:
        other.reset();
        arena.reset();
        break;
      default:
        arena->terminate();
        arena->execute([] {});
        other.reset();
    }
  }
  while (ran != 2 * kRounds) std::this_thread::yield();
}

TEST_P(TaskSchedulerObserverTest, WorkersHaveNoReservedSlot) {
  tbb::task_arena arena(3, 2);
  class Slots : public tbb::task_scheduler_observer {
   public:
    explicit Slots(tbb::task_arena& where) : tbb::task_scheduler_observer(where) { observe(); }
    ~Slots() override { observe(false); }
    void on_scheduler_entry(bool is_worker) override {
      if (is_worker && tbb::this_task_arena::current_thread_index() < 2) wrong = true;
    }
    std::atomic<bool> wrong{false};
  };
  Slots slots(arena);
  for (int i = 0; i < 50; ++i) {
    arena.execute([] { tbb::parallel_for(0, 100, [](int) { std::this_thread::yield(); }); });
  }
  EXPECT_FALSE(slots.wrong);
}

TEST_P(TaskSchedulerObserverTest, SeveralObserversOfOneArenaAllHear) {
  tbb::task_arena arena(2);
  std::vector<std::unique_ptr<Counter>> counters;
  for (int i = 0; i < 5; ++i) {
    counters.push_back(std::make_unique<Counter>(arena));
    counters.back()->observe();
  }
  arena.execute([] { EXPECT_EQ(entered_here, 5); });
  EXPECT_EQ(entered_here, 0);
  for (const auto& counter : counters) EXPECT_EQ(counter->entries, counters[0]->entries);
}

}  // namespace

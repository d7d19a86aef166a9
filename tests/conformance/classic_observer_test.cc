// TBB 2020's observers: one without an arena watches all of them.
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace {

class Counter : public tbb::task_scheduler_observer {
 public:
#if defined(FILCH_TBB_CLASSIC) || defined(CONFORMANCE_ON_TBB_2020)
  explicit Counter(bool local) : tbb::task_scheduler_observer(local) {}
#endif
  Counter() = default;
  ~Counter() override { observe(false); }
  void on_scheduler_entry(bool) override { ++entries; }
  void on_scheduler_exit(bool) override { ++exits; }

  std::atomic<int> entries{0};
  std::atomic<int> exits{0};
};

// A thread that visits two arenas, in the second one from within the first.
void VisitArenas() {
  tbb::task_arena one(2);
  tbb::task_arena two(2);
  one.execute([&] { two.execute([] {}); });
}

// Observes on a thread of its own, which then visits two other arenas.
void Visit(Counter& counter) {
  std::thread([&counter] {
    counter.observe();
    VisitArenas();
  }).join();
  while (counter.entries.load() != counter.exits.load()) std::this_thread::yield();
}

TEST(ClassicObserverTest, HearsOfAThreadOnce) {
  // A thread is told of once, however many arenas it is in at the same time: here its
  // own, which comes with the first use of another, is the outermost.
  Counter counter;
  Visit(counter);
  EXPECT_EQ(counter.entries, 1);
}

TEST(ClassicObserverTest, HearsOfOtherThreadsIfThatIsTheDefaultOfTheIncludeRoot) {
  Counter counter;
  counter.observe();
  const int before = counter.entries;
  std::thread(VisitArenas).join();
#if defined(FILCH_TBB_CLASSIC) || defined(CONFORMANCE_ON_TBB_2020)
  EXPECT_EQ(counter.entries, before + 1);
#else
  EXPECT_EQ(counter.entries, before);
#endif
}

#if defined(FILCH_TBB_CLASSIC) || defined(CONFORMANCE_ON_TBB_2020)
TEST(ClassicObserverTest, ALocalOneWatchesTheCallersArena) {
  Counter counter(/*local=*/true);
  Visit(counter);
  EXPECT_EQ(counter.entries, 1);
}
#endif

}  // namespace

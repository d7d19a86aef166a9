// TBB 2020's observers: one without an arena watches all of them.
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace {

class Counter : public tbb::task_scheduler_observer {
 public:
#ifdef FILCH_TBB_CLASSIC
  explicit Counter(bool local) : tbb::task_scheduler_observer(local) {}
#endif
  Counter() = default;
  ~Counter() override { observe(false); }
  void on_scheduler_entry(bool) override { ++entries; }
  void on_scheduler_exit(bool) override { ++exits; }

  std::atomic<int> entries{0};
  std::atomic<int> exits{0};
};

// Observes on a thread of its own, which then visits two other arenas.
void Visit(Counter& counter) {
  std::thread([&counter] {
    counter.observe();
    tbb::task_arena one(2);
    tbb::task_arena two(2);
    one.execute([&] { two.execute([] {}); });
  }).join();
  while (counter.entries.load() != counter.exits.load()) std::this_thread::yield();
}

TEST(ClassicObserverTest, ItsDefaultIsThatOfTheIncludeRoot) {
  Counter counter;
  Visit(counter);
#ifdef FILCH_TBB_CLASSIC
  // The thread's own arena, which comes with the first use of another, and those two.
  EXPECT_EQ(counter.entries, 3);
#else
  EXPECT_EQ(counter.entries, 1);
#endif
}

#ifdef FILCH_TBB_CLASSIC
TEST(ClassicObserverTest, ALocalOneWatchesTheCallersArena) {
  Counter counter(/*local=*/true);
  Visit(counter);
  EXPECT_EQ(counter.entries, 1);
}
#endif

}  // namespace

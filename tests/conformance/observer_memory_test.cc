// What becomes of an observer when there is no memory to watch: it may try again.
#include <tbb/parallel_for.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstddef>
#include <new>

#include "gtest/gtest.h"
#include "replaced_new.h"

namespace {

thread_local bool may_allocate = true;

class Counter final : public tbb::task_scheduler_observer {
 public:
  ~Counter() override { observe(false); }
  void on_scheduler_entry(bool /*is_worker*/) override { ++entries_; }
  int entries() const { return entries_.load(); }

 private:
  std::atomic<int> entries_{0};
};

TEST(ObserverMemoryTest, WhoCouldNotWatchDoesNotAndMayTryAgain) {
  tbb::parallel_for(0, 100, [](int) {});  // the thread is in an arena
  Counter counter;
  may_allocate = false;
  EXPECT_THROW(counter.observe(true), std::bad_alloc);
  may_allocate = true;
  EXPECT_FALSE(counter.is_observing());
  EXPECT_EQ(counter.entries(), 0);
  counter.observe(true);
  EXPECT_TRUE(counter.is_observing());
  EXPECT_GE(counter.entries(), 1);
}

}  // namespace

void BeforeAllocation(std::size_t /*bytes*/) {
  if (!may_allocate) throw std::bad_alloc();
}

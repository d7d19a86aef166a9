// Not a contract of TBB's: the lock under which a container grows.
#include <sys/wait.h>
#include <tbb/enumerable_thread_specific.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "gtest/gtest.h"
#include "tests/yield_for_a_while.h"

namespace {

// A child that hangs is ended by its alarm.
TEST(GrowthLockTest, NoChildFindsItTaken) {
  tbb::enumerable_thread_specific<int> values(7);
  std::atomic<bool> locked{false};
  std::atomic<bool> forks{false};
  std::atomic<bool> over{false};
  std::thread other([&] {
    {
      const std::lock_guard<std::mutex> lock(tbb::detail::r1::GrowthLock(&values));
      locked = true;
      while (!forks) std::this_thread::yield();
      // Time for a fork that does not wait.
      filch::YieldForAWhile();
    }
    // TSan misses it in the child if it has ended when that is made.
    while (!over) std::this_thread::yield();
  });
  while (!locked) std::this_thread::yield();
  forks = true;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(values.local() == 7 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  over = true;
  other.join();
  EXPECT_EQ(values.local(), 7);
}

}  // namespace

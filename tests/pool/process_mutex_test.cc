#include "filch/pool/process_mutex.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "gtest/gtest.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace pool_internal {
namespace {

// A child that hangs is ended by its alarm.
TEST(ProcessMutexTest, NoChildFindsItLocked) {
  ProcessMutex first(ProcessMutex::Order::kFirst);
  ProcessMutex last;
  std::atomic<bool> locked{false};
  std::atomic<bool> forks{false};
  std::atomic<bool> over{false};
  std::thread other([&] {
    {
      const std::lock_guard<ProcessMutex> lock(first);
      const std::lock_guard<ProcessMutex> another(last);
      locked = true;
      while (!forks.load()) std::this_thread::yield();
      // Time for a fork that does not wait.
      YieldForAWhile();
    }
    // TSan misses it in the child if it has ended when that is made.
    while (!over.load()) std::this_thread::yield();
  });
  while (!locked.load()) std::this_thread::yield();
  forks = true;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const std::lock_guard<ProcessMutex> lock(first);
    const std::lock_guard<ProcessMutex> another(last);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  over = true;
  other.join();
  const std::lock_guard<ProcessMutex> lock(first);
}

TEST(ProcessMutexTest, ThoseThatAreFirstAreTakenFirst) {
  // Made in the other order.  Whoever has the first one gets the last one, though a thread forks.
  ProcessMutex last;
  ProcessMutex first(ProcessMutex::Order::kFirst);
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over.load()) {
      const std::lock_guard<ProcessMutex> lock(first);
      std::this_thread::yield();
      const std::lock_guard<ProcessMutex> another(last);
    }
  });
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
  }
  over = true;
  other.join();
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

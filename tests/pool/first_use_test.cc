#include "filch/pool/first_use.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(FirstUseTest, MakesOneForAll) {
  static FirstUse<int> first_use;
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      int& value = first_use.Get([&](void* memory) {
        ++made;
        return ::new (memory) int(7);
      });
      EXPECT_EQ(value, 7);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

TEST(FirstUseTest, WhatIsMadeMayAskForAnother) {
  static FirstUse<int> outer;
  static FirstUse<int> inner;
  EXPECT_EQ(outer.Get([](void* memory) {
    return ::new (memory) int(
        1 + inner.Get([](void* inner_memory) { return ::new (inner_memory) int(1); }));
  }),
            2);
}

TEST(FirstUseTest, IsMadeLaterIfTheFirstTryThrows) {
  static FirstUse<int> first_use;
  EXPECT_THROW(first_use.Get([](void*) -> int* { throw std::runtime_error("not yet"); }),
               std::runtime_error);
  EXPECT_EQ(first_use.Get([](void* memory) { return ::new (memory) int(3); }), 3);
}

// A child that hangs is ended by its alarm.
TEST(FirstUseTest, AChildMayUseWhatAnotherThreadWasMaking) {
  static FirstUse<int> first_use;
  std::atomic<bool> making{false};
  std::atomic<bool> forks{false};
  std::atomic<bool> over{false};
  const auto make = [&](void* memory) {
    making = true;
    while (!forks.load()) std::this_thread::yield();
    // Time for a fork that does not wait.
    YieldForAWhile();
    return ::new (memory) int(5);
  };
  std::thread other([&] {
    EXPECT_EQ(first_use.Get(make), 5);
    // TSan misses it in the child if it has ended when that is made.
    while (!over.load()) std::this_thread::yield();
  });
  while (!making.load()) std::this_thread::yield();
  forks = true;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(first_use.Get(make) == 5 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  over = true;
  other.join();
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

#include "filch/deque/asymmetric_fence.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

// How often the kernel says next that it has no memory for a membarrier.
std::atomic<int> refusals{0};

// First: the process has not registered with the kernel yet.
TEST(AsymmetricFenceTest, WaitsWhileTheKernelHasNoMemory) {
  refusals = 3;
  const bool asymmetric = AsymmetricFence::IsAsymmetric();
  EXPECT_EQ(refusals.load(), 0);
  if (!asymmetric) GTEST_SKIP() << "This kernel has no membarrier.";
  refusals = 3;
  AsymmetricFence::Heavy();
  EXPECT_EQ(refusals.load(), 0);
}

TEST(AsymmetricFenceTest, TheAnswerNeverChanges) {
  const bool asymmetric = AsymmetricFence::IsAsymmetric();
  AsymmetricFence::Heavy();
  EXPECT_EQ(AsymmetricFence::IsAsymmetric(), asymmetric);
}

// Dekker's pattern, many times over: never may both threads miss the other's
// store.  Each round has flags of its own.
TEST(AsymmetricFenceTest, ALightAndAHeavySideDoNotMissEachOther) {
  constexpr int kRounds = 5000;
  struct Round {
    std::atomic<int> light_here{0};
    std::atomic<int> heavy_here{0};
    bool light_saw = false;
    bool heavy_saw = false;
  };
  std::vector<Round> rounds(kRounds);
  std::atomic<int> light_rounds{0};
  std::atomic<int> heavy_rounds{0};
  const auto wait_for = [](const std::atomic<int>& other, int round) {
    while (other.load(std::memory_order_acquire) < round) std::this_thread::yield();
  };

  std::thread light([&] {
    for (int i = 0; i < kRounds; ++i) {
      light_rounds.store(i, std::memory_order_release);
      wait_for(heavy_rounds, i);
      rounds[i].light_here.store(1, std::memory_order_relaxed);
      AsymmetricFence::Light();
      rounds[i].light_saw = rounds[i].heavy_here.load(std::memory_order_relaxed) == 1;
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    heavy_rounds.store(i, std::memory_order_release);
    wait_for(light_rounds, i);
    rounds[i].heavy_here.store(1, std::memory_order_relaxed);
    AsymmetricFence::Heavy();
    rounds[i].heavy_saw = rounds[i].light_here.load(std::memory_order_relaxed) == 1;
  }
  light.join();

  for (int i = 0; i < kRounds; ++i) {
    ASSERT_TRUE(rounds[i].light_saw || rounds[i].heavy_saw) << "round " << i;
  }
}

TEST(AsymmetricFenceTest, WorksInAForkedChild) {
  AsymmetricFence::Heavy();
  const bool asymmetric = AsymmetricFence::IsAsymmetric();
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    AsymmetricFence::Heavy();
    AsymmetricFence::Light();
    _exit(AsymmetricFence::IsAsymmetric() == asymmetric ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace filch

// In place of the C library's, which takes as many arguments as there are.
using SystemCall = long(long, long, long, long, long, long, long);
extern "C" SystemCall ReplacedSyscall asm("syscall");
long ReplacedSyscall(long number, long a, long b, long c, long d, long e, long f) {
  static auto* const real = reinterpret_cast<SystemCall*>(dlsym(RTLD_NEXT, "syscall"));
  if (number == SYS_membarrier && filch::refusals.load() > 0) {
    --filch::refusals;
    errno = ENOMEM;
    return -1;
  }
  return real(number, a, b, c, d, e, f);
}

#include "filch/topology/futex.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(FutexTest, DoesNotSleepIfTheWordDiffers) {
  const std::atomic<std::uint32_t> word{7};
  Futex::Wait(word, 8);  // Would hang.
  EXPECT_EQ(word.load(), 7u);
}

TEST(FutexTest, WakingNobodyIsHarmless) {
  const std::atomic<std::uint32_t> word{0};
  Futex::WakeOne(word);
  Futex::WakeAll(word);
  EXPECT_EQ(word.load(), 0u);
}

// Sleepers look at the word again after each return, and so may wakers change it
// before, while or after they fall asleep.
TEST(FutexTest, WakeAllReachesEverySleeper) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<std::uint32_t> word{0};
    std::atomic<int> awake{0};
    std::vector<std::thread> sleepers;
    for (int i = 0; i < 4; ++i) {
      sleepers.emplace_back([&word, &awake] {
        while (word.load(std::memory_order_acquire) == 0) Futex::Wait(word, 0);
        awake.fetch_add(1, std::memory_order_relaxed);
      });
    }
    word.store(1, std::memory_order_release);
    Futex::WakeAll(word);
    for (std::thread& sleeper : sleepers) sleeper.join();
    EXPECT_EQ(awake.load(), 4);
  }
}

// Two threads take turns, each woken by the other alone.
TEST(FutexTest, WakeOneReachesTheOnlySleeper) {
  constexpr std::uint32_t kTurns = 2000;
  std::atomic<std::uint32_t> word{0};
  const auto player = [&word](std::uint32_t parity) {
    for (std::uint32_t turn = parity; turn < kTurns; turn += 2) {
      for (std::uint32_t now = word.load(std::memory_order_acquire); now != turn;
           now = word.load(std::memory_order_acquire)) {
        Futex::Wait(word, now);
      }
      word.store(turn + 1, std::memory_order_release);
      Futex::WakeOne(word);
    }
  };
  std::thread other([&player] { player(1); });
  player(0);
  other.join();
  EXPECT_EQ(word.load(), kTurns);
}

// The kernel compares all 32 bits.
TEST(FutexTest, ComparesTheWholeWord) {
  const std::atomic<std::uint32_t> word{0x80000000u};
  Futex::Wait(word, 0);
  Futex::Wait(word, 0x80000001u);
  EXPECT_EQ(word.load(), 0x80000000u);
}

}  // namespace
}  // namespace filch

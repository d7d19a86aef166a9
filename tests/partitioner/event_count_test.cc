#include "filch/partitioner/event_count.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "filch/topology/std_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using partitioner_internal::EventCount;

TEST(EventCountTest, NotificationBetweenPreparingAndWaitingIsNotLost) {
  EventCount events;
  const EventCount::Ticket ticket = events.PrepareWait();
  events.NotifyOne();
  events.Wait(ticket);  // Would hang if the notification were lost.
}

// Counts the calls of the system that wake somebody; nobody sleeps.
struct CountedWakes {
  static inline int wakes = 0;

  static void WakeOne(const std::atomic<std::uint32_t>& /*word*/) { ++wakes; }
  static void WakeAll(const std::atomic<std::uint32_t>& /*word*/) { ++wakes; }
};

TEST(EventCountTest, OnlyWhoMayWaitIsWoken) {
  partitioner_internal::BasicEventCount<StdAtomics, CountedWakes> events;
  events.NotifyAll();
  events.NotifyOne();
  EXPECT_EQ(CountedWakes::wakes, 0);
  (void)events.PrepareWait();
  events.NotifyAll();
  events.NotifyOne();
  EXPECT_EQ(CountedWakes::wakes, 2);
  events.CancelWait();
  events.NotifyAll();
  events.NotifyOne();
  EXPECT_EQ(CountedWakes::wakes, 2);
}

// Two threads hand a turn back and forth; a lost wake-up hangs.
TEST(EventCountTest, TurnsPassBackAndForth) {
  constexpr int kTurns = 2000;
  EventCount events;
  std::atomic<int> turn{0};
  const auto player = [&](int parity) {
    for (int next = parity; next < kTurns; next += 2) {
      while (turn.load(std::memory_order_acquire) != next) {
        const EventCount::Ticket ticket = events.PrepareWait();
        if (turn.load(std::memory_order_acquire) == next) {
          events.CancelWait();
        } else {
          events.Wait(ticket);
        }
      }
      turn.store(next + 1, std::memory_order_release);
      events.NotifyAll();
    }
  };
  std::thread other([&player] { player(1); });
  player(0);
  other.join();
  EXPECT_EQ(turn.load(), kTurns);
}

// Each of many sleepers gets through with one notification for each.
TEST(EventCountTest, OneNotificationForEachWakesEverybody) {
  constexpr int kSleepers = 6;
  EventCount events;
  std::atomic<int> tokens{0};
  std::vector<std::thread> sleepers;
  for (int i = 0; i < kSleepers; ++i) {
    sleepers.emplace_back([&events, &tokens] {
      for (;;) {
        const EventCount::Ticket ticket = events.PrepareWait();
        int have = tokens.load(std::memory_order_relaxed);
        while (have > 0 && !tokens.compare_exchange_weak(have, have - 1, std::memory_order_acquire,
                                                         std::memory_order_relaxed)) {
        }
        if (have > 0) {
          events.CancelWait();
          return;
        }
        events.Wait(ticket);
      }
    });
  }
  for (int i = 0; i < kSleepers; ++i) {
    tokens.fetch_add(1, std::memory_order_release);
    events.NotifyOne();
  }
  for (std::thread& sleeper : sleepers) sleeper.join();
  EXPECT_EQ(tokens.load(), 0);
}

}  // namespace
}  // namespace filch

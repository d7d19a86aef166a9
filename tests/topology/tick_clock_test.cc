#include "filch/topology/tick_clock.h"

#include <chrono>
#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(TickClockTest, GoesOn) {
  const std::uint64_t first = Ticks();
  while (Ticks() == first) {
  }
}

TEST(TickClockTest, ATickIsAboutANanosecond) {
  // Whoever is interrupted between the two clocks tries again with a longer time.
  for (int milliseconds = 1;; milliseconds *= 2) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t first = Ticks();
    const auto end = begin + std::chrono::milliseconds(milliseconds);
    while (std::chrono::steady_clock::now() < end) {
    }
    const auto ticks = static_cast<double>(Ticks() - first);
    const double nanoseconds =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    if (ticks > 0.4 * nanoseconds && ticks < 2.5 * nanoseconds) return;
    ASSERT_LT(milliseconds, 1000) << ticks << " ticks in " << nanoseconds << " ns";
  }
}

}  // namespace
}  // namespace filch

#include "filch/topology/fibonacci_hash.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr std::size_t kEntries = 64;

// How many of as many keys as there are entries, so far apart, share the fullest entry.
int FullestEntry(std::uint64_t distance) {
  std::vector<int> keys(kEntries);
  for (std::uint64_t i = 0; i < kEntries; ++i) {
    ++keys.at(FibonacciIndex<kEntries>(std::uint64_t{0x7f0000001000} + i * distance));
  }
  return *std::max_element(keys.begin(), keys.end());
}

TEST(FibonacciHashTest, NumbersAPowerOfTwoApartSpread) {
  for (int shift = 0; shift < 30; ++shift) {
    EXPECT_LE(FullestEntry(std::uint64_t{1} << shift), 5) << shift;
  }
}

TEST(FibonacciHashTest, MostOthersSpreadBetterThanAtRandom) {
  constexpr std::uint64_t kDistances = 5000;
  int sum = 0;
  for (std::uint64_t distance = 1; distance <= kDistances; ++distance) {
    sum += FullestEntry(distance);
  }
  // Of 64 random entries the one drawn most often comes 4.2 times.
  EXPECT_LT(static_cast<double>(sum) / kDistances, 3);
}

TEST(FibonacciHashTest, AnAddressIsANumber) {
  const int object = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&object);
  EXPECT_EQ(FibonacciIndex<kEntries>(&object), FibonacciIndex<kEntries>(std::uint64_t{address}));
}

TEST(FibonacciHashTest, EveryEntryOfSmallAndLargeTablesIsUsed) {
  for (const int bits : {1, 2, 10}) {
    std::vector<bool> used(std::size_t{1} << bits);
    for (std::uint64_t key = 0; key < 4 * used.size(); ++key) {
      used.at(FibonacciIndex(key, bits)) = true;
    }
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << bits;
  }
}

}  // namespace
}  // namespace filch

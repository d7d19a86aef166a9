#include "filch/deque/shared_part.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace deque_internal {
namespace {

constexpr std::int64_t kTwoTo40 = std::int64_t{1} << 40;

TEST(SharedPartTest, CountsFromNothing) {
  const SharedPart none(std::int64_t{5});
  EXPECT_EQ(none.count(), 0);
  EXPECT_EQ(none.tail(), 5u);
  const SharedPart three(none.word() + SharedPart::Increment(3));
  EXPECT_EQ(three.count(), 3);
  EXPECT_EQ(three.tail(), 5u);
}

TEST(SharedPartTest, WithoutOldestKeepsTheOtherEnd) {
  SharedPart shared(SharedPart(std::int64_t{5}).word() + SharedPart::Increment(2));
  shared = shared.WithoutOldest();
  EXPECT_EQ(shared.count(), 1);
  EXPECT_EQ(shared.tail(), 6u);
  shared = shared.WithoutOldest();
  EXPECT_EQ(shared.count(), 0);
  EXPECT_EQ(shared.tail(), 7u);
}

TEST(SharedPartTest, WithCountKeepsTheTail) {
  const SharedPart many(SharedPart(std::int64_t{9}).WithCount(SharedPart::kMaxCount));
  EXPECT_EQ(many.count(), SharedPart::kMaxCount);
  EXPECT_EQ(many.tail(), 9u);
  EXPECT_EQ(many.WithCount(1).count(), 1);
  EXPECT_EQ(many.WithCount(1).tail(), 9u);
}

TEST(SharedPartTest, TheTailWrapsAndLeavesTheCountAlone) {
  const SharedPart last(SharedPart(kTwoTo40 - 1).WithCount(SharedPart::kMaxCount));
  EXPECT_EQ(last.WithoutOldest().tail(), 0u);
  EXPECT_EQ(last.WithoutOldest().count(), SharedPart::kMaxCount - 1);
}

TEST(SharedPartTest, DistanceToAnIndexIsSignedAndKnowsTheWrap) {
  for (const std::int64_t tail : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1000}, kTwoTo40,
                                  kTwoTo40 - 1, 7 * kTwoTo40 - 1, -kTwoTo40 - 1}) {
    for (const std::int64_t distance :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1} << 30}) {
      const SharedPart shared = SharedPart(tail).WithCount(17);
      EXPECT_EQ(shared.DistanceTo(tail + distance), distance) << tail;
    }
  }
}

}  // namespace
}  // namespace deque_internal
}  // namespace filch

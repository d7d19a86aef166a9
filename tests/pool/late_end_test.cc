#include "filch/pool/late_end.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

std::atomic<int> ends{0};

void CountEnd() { ++ends; }

void ExpectEnd() { LateEnd::Expect<&CountEnd>(); }

// Notes how many ends there were before it was destroyed, and expects one more.
struct Older {
  ~Older() {
    *ends_before = ends.load();
    ExpectEnd();
  }
  int* ends_before = nullptr;
};

class LateEndTest : public testing::Test {
 protected:
  LateEndTest() { ends = 0; }
};

TEST_F(LateEndTest, ComesOnceHoweverOftenItIsExpected) {
  std::thread([] {
    ExpectEnd();
    ExpectEnd();
    EXPECT_EQ(ends.load(), 0);
  }).join();
  EXPECT_EQ(ends.load(), 1);
}

TEST_F(LateEndTest, ComesToNobodyElse) {
  std::thread(&ExpectEnd).join();
  std::thread([] {}).join();
  EXPECT_EQ(ends.load(), 1);
}

TEST_F(LateEndTest, ComesAfterThreadLocalObjects) {
  int ends_before = -1;
  std::thread([&ends_before] {
    static thread_local Older older;
    older.ends_before = &ends_before;
    ExpectEnd();
  }).join();
  EXPECT_EQ(ends_before, 0);
  EXPECT_EQ(ends.load(), 1);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

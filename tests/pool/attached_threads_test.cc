#include "filch/pool/attached_threads.h"

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

bool MainHasEnded() { return true; }
bool MainGoesOn() { return false; }

TEST(AttachedThreadsTest, TheMainThreadIsTheLastIfNobodyElseIsAttached) {
  AttachedThreads threads;
  EXPECT_TRUE(threads.NobodyIsLeft(true, &MainGoesOn));
  threads.Add();
  threads.Add();
  threads.Remove();
  EXPECT_FALSE(threads.NobodyIsLeft(true, &MainGoesOn));
  threads.Remove();
  // It has been here.
  EXPECT_TRUE(threads.NobodyIsLeft(false, &MainGoesOn));
}

TEST(AttachedThreadsTest, AnotherOneIsTheLastIfTheMainThreadHasEnded) {
  AttachedThreads threads;
  threads.Add();
  EXPECT_FALSE(threads.NobodyIsLeft(false, &MainHasEnded));
  threads.Remove();
  EXPECT_FALSE(threads.NobodyIsLeft(false, &MainGoesOn));
  EXPECT_TRUE(threads.NobodyIsLeft(false, &MainHasEnded));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

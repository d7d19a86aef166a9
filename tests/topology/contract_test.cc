#include "filch/topology/contract.h"

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(ContractDeathTest, FailPrintsTheSentenceAndAborts) {
  EXPECT_EXIT(Fail("The deque is not yours."), testing::KilledBySignal(SIGABRT),
              "^The deque is not yours\\.\n");
}

}  // namespace
}  // namespace filch

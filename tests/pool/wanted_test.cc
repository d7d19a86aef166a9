// How many are coming.
#include "filch/pool/wanted.h"

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(WantedTest, OneIsEnoughForThoseWhoRelyOnACall) {
  Wanted wanted;
  EXPECT_FALSE(wanted.IsSet());
  EXPECT_TRUE(wanted.Call());
  EXPECT_TRUE(wanted.IsComing());
  EXPECT_FALSE(wanted.Call());
  EXPECT_TRUE(wanted.Answer());
  EXPECT_FALSE(wanted.IsSet());
  EXPECT_FALSE(wanted.Answer());
}

TEST(WantedTest, FurtherOnesMayBeCalledAndEachAnswerIsOne) {
  Wanted wanted;
  EXPECT_TRUE(wanted.Call(2));
  EXPECT_TRUE(wanted.Call(2));
  EXPECT_FALSE(wanted.Call(2));
  EXPECT_TRUE(wanted.Call(3));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(wanted.IsComing());
    EXPECT_FALSE(wanted.Call());
    EXPECT_TRUE(wanted.Answer());
  }
  EXPECT_FALSE(wanted.IsSet());
}

TEST(WantedTest, ANoteStandsInThePlaceOfAllWhoWereComing) {
  Wanted wanted;
  EXPECT_FALSE(wanted.TakeBack());
  wanted.Call(2);
  wanted.Call(2);
  EXPECT_TRUE(wanted.TakeBack());
  EXPECT_TRUE(wanted.IsNoted());
  EXPECT_FALSE(wanted.IsComing());
  EXPECT_FALSE(wanted.TakeBack());
  // Who comes answers it, and so does a call.
  EXPECT_TRUE(wanted.Answer());
  EXPECT_FALSE(wanted.IsSet());
  wanted.Call();
  wanted.TakeBack();
  EXPECT_TRUE(wanted.Call());
  EXPECT_FALSE(wanted.IsNoted());
  EXPECT_TRUE(wanted.IsComing());
}

TEST(WantedTest, WhoIsThereAnswersNothingButANote) {
  Wanted wanted;
  wanted.Call();
  wanted.AnswerNote();
  EXPECT_TRUE(wanted.IsComing());
  wanted.TakeBack();
  wanted.AnswerNote();
  EXPECT_FALSE(wanted.IsSet());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch

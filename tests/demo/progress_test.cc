#include "tools/demo_programs/progress.h"

#include <thread>

#include "gtest/gtest.h"

namespace demo {
namespace {

TEST(ProgressTest, LineNamesTheShareThatIsDone) {
  EXPECT_EQ(ProgressLine("p", "rows", 1, 3, 9), "p: 1 of 3 rows (33 %)");
  EXPECT_EQ(ProgressLine("p", "rows", 3, 3, 9), "p: 3 of 3 rows (100 %)");
}

TEST(ProgressTest, LineNeverNamesMoreThanEverything) {
  EXPECT_EQ(ProgressLine("p", "rows", 5, 3, 9), "p: 3 of 3 rows (100 %)");
}

TEST(ProgressTest, LineNamesTheTimeWithoutATotal) {
  EXPECT_EQ(ProgressLine("p", "searching", 5, 0, 9), "p: searching, 9 s");
}

// Nothing to compare: it must end, and be free of races.
void CountFromTwoThreads(bool enabled) {
  testing::internal::CaptureStderr();
  {
    Progress progress("p", enabled);
    for (int part = 0; part < 3; ++part) {
      progress.Begin("rows", 2000);
      const auto add = [&progress] {
        for (int i = 0; i < 1000; ++i) progress.Add(1);
      };
      std::thread other(add);
      add();
      other.join();
      if (part != 1) progress.End();  // a part may also end by the next one
    }
    progress.Begin("left open", 0);
  }
  testing::internal::GetCapturedStderr();
}

TEST(ProgressTest, EndsInTheMiddleOfAPart) {
  CountFromTwoThreads(true);
  CountFromTwoThreads(false);
}

}  // namespace
}  // namespace demo

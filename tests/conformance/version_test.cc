#include <tbb/version.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

TEST(VersionTest, TheLibraryThatRunsIsTheOneCompiledFor) {
  EXPECT_EQ(TBB_runtime_interface_version(), TBB_INTERFACE_VERSION);
  EXPECT_STREQ(TBB_runtime_version(), TBB_VERSION_STRING);
}

TEST(VersionTest, TheParts) {
  EXPECT_EQ(TBB_INTERFACE_VERSION_MAJOR, TBB_INTERFACE_VERSION / 1000);
  EXPECT_EQ(TBB_INTERFACE_VERSION_MINOR, TBB_INTERFACE_VERSION % 1000 / 10);
  EXPECT_EQ(__TBB_BINARY_VERSION, 12);
  EXPECT_GE(TBB_VERSION_MAJOR, 2021);
}

TEST(VersionTest, TheStringsOfBothLibrariesTellIt) {
  const std::string scheduler = TBB_VERSION_STRINGS;
  const std::string allocator = TBBMALLOC_VERSION_STRINGS;
  EXPECT_NE(scheduler.find(TBB_VERSION_STRING), std::string::npos);
  EXPECT_NE(allocator.find(TBB_VERSION_STRING), std::string::npos);
  EXPECT_EQ(allocator.find("TBBmalloc"), 0u);
}

TEST(VersionTest, FilchSpellsOneTbb2023) {
  if (kOnOneTbb) GTEST_SKIP() << "says which version filch follows";
  EXPECT_EQ(TBB_VERSION_MAJOR, 2023);
  EXPECT_EQ(TBB_VERSION_MINOR, 2);
  EXPECT_EQ(TBB_VERSION_PATCH, 0);
  EXPECT_EQ(TBB_INTERFACE_VERSION, 12200);
#ifndef CONFORMANCE_ON_ONETBB
  EXPECT_EQ(ONETBB_SPEC_VERSION, 104);
#endif
}

}  // namespace

#include "tools/demo_programs/tree_roots.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace demo {
namespace {

using Texts = std::vector<std::string>;

class TreeRootsTest : public testing::Test {
 protected:
  TreeRootsTest()
      : root_(std::filesystem::canonical(testing::TempDir()).native() + "/tree_roots_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ + "/a/b");
    std::filesystem::create_directories(root_ + "/ab");
  }

  const std::string root_;
  Texts notes_;
};

TEST_F(TreeRootsTest, NestedDirectoriesAreReadOnce) {
  // ".../ab" begins with ".../a" and yet lies beside it.
  EXPECT_EQ(UsableRoots({root_ + "/ab", root_ + "/a/b/../b", root_ + "/a"}, &notes_),
            (Texts{root_ + "/a", root_ + "/ab"}));
  EXPECT_EQ(notes_, Texts{root_ + "/a/b lies inside " + root_ + "/a and is read only once."});
}

TEST_F(TreeRootsTest, ALinkIsFollowedToWhereItLeads) {
  std::filesystem::create_directory_symlink("a", root_ + "/link");
  EXPECT_EQ(UsableRoots({root_ + "/link"}, &notes_), Texts{root_ + "/a"});
  EXPECT_EQ(notes_, Texts{});
}

TEST_F(TreeRootsTest, SaysWhatCannotBeUsed) {
  std::ofstream(root_ + "/file") << "text";
  std::filesystem::create_symlink("loop", root_ + "/loop");
  EXPECT_EQ(UsableRoots({root_ + "/gone", root_ + "/file", root_ + "/loop"}, &notes_), Texts{});
  EXPECT_EQ(notes_,
            (Texts{"There is no directory " + root_ + "/gone.", root_ + "/file is not a directory.",
                   "The directory " + root_ +
                       "/loop cannot be opened: Too many levels of symbolic links."}));
}

}  // namespace
}  // namespace demo

#include "tools/demo_programs/text_files.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace demo {
namespace {

using Outcome = TextReader::Outcome;

class TextFilesTest : public testing::Test {
 protected:
  TextFilesTest()
      : root_(testing::TempDir() + "/" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }

  TextFile Write(const std::string& name, const std::string& text) {
    std::ofstream(root_ + "/" + name, std::ios::binary) << text;
    return {root_ + "/" + name, text.size()};
  }

  const std::string root_;
};

TEST_F(TextFilesTest, ListsEachKindOfEntry) {
  Write("b", "text");
  Write("a", "text");
  Write("empty", "");
  std::filesystem::create_directory(root_ + "/inner");
  std::filesystem::create_directory_symlink(root_, root_ + "/loop");
  FileList found;
  ListDirectory(root_, &found);
  ASSERT_EQ(found.files.size(), 2u);
  EXPECT_EQ(found.files[0].path, root_ + "/a");
  EXPECT_EQ(found.files[0].size, 4u);
  EXPECT_EQ(found.files[1].path, root_ + "/b");
  EXPECT_EQ(found.directories, std::vector<std::string>{root_ + "/inner"});
  EXPECT_EQ(found.listed, 1);
  EXPECT_EQ(found.empty, 1);
  EXPECT_EQ(found.links.count, 1);
  EXPECT_EQ(found.links.example, root_ + "/loop");
  EXPECT_EQ(found.unreadable.count, 0);
}

TEST_F(TextFilesTest, NotesADirectoryThatIsGone) {
  FileList found;
  ListDirectory(root_ + "/gone", &found);
  EXPECT_EQ(found.unreadable.count, 1);
  EXPECT_EQ(found.unreadable.example, root_ + "/gone: No such file or directory");
}

TEST_F(TextFilesTest, AppendKeepsTheOrderOfTheWalk) {
  FileList first;
  FileList second;
  FileList third;
  second.files.push_back({"x", 1});
  second.links.Add("second");
  third.files.push_back({"y", 1});
  third.links.Add("third");
  third.listed = 2;
  first.Append(std::move(second));
  first.Append(std::move(third));
  ASSERT_EQ(first.files.size(), 2u);
  EXPECT_EQ(first.files[0].path, "x");
  EXPECT_EQ(first.files[1].path, "y");
  EXPECT_EQ(first.links.count, 2);
  EXPECT_EQ(first.links.example, "second");
  EXPECT_EQ(first.listed, 2);
}

TEST_F(TextFilesTest, ReadsTextOfAnySize) {
  TextReader reader;
  for (const std::size_t size : {70000, 1, 7999, 8000, 8001}) {  // the buffer is used again
    const std::string text(size, 'x');
    ASSERT_EQ(reader.Read(Write("text", text)), Outcome::kText);
    EXPECT_EQ(std::string_view(reader.text(), reader.size()), text);
  }
}

TEST_F(TextFilesTest, LooksForAZeroAtTheBeginningOnly) {
  TextReader reader;
  EXPECT_EQ(reader.Read(Write("early", std::string(7999, 'x') + '\0')), Outcome::kBinary);
  EXPECT_EQ(reader.Read(Write("late", std::string(8000, 'x') + '\0')), Outcome::kText);
}

TEST_F(TextFilesTest, ReadsWhatIsLeftOfAFileThatShrank) {
  TextFile file = Write("short", "abc");
  file.size = 10000;
  TextReader reader;
  ASSERT_EQ(reader.Read(file), Outcome::kText);
  EXPECT_EQ(std::string_view(reader.text(), reader.size()), "abc");
}

TEST_F(TextFilesTest, SaysWhyAFileCannotBeRead) {
  TextReader reader;
  EXPECT_EQ(reader.Read({root_ + "/gone", 5}), Outcome::kUnreadable);
  EXPECT_EQ(reader.problem(), root_ + "/gone: No such file or directory");
  EXPECT_EQ(reader.Read({root_, 5}), Outcome::kUnreadable);
  EXPECT_EQ(reader.problem(), root_ + ": Is a directory");
}

}  // namespace
}  // namespace demo

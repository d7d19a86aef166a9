// CapturedTree: a directory that stands for "/" in a test, filled with the
// files that a machine had.
//
//   CapturedTree tree({{"proc/self/cgroup", "0::/app\n"}});
//   ReadCgroupQuotas(tree.root());
//
// The directory is removed with the object.
#ifndef FILCH_TESTS_TOPOLOGY_CAPTURED_TREE_H_
#define FILCH_TESTS_TOPOLOGY_CAPTURED_TREE_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace filch {

class CapturedTree {
 public:
  using Files = std::initializer_list<std::pair<std::string, std::string>>;  // name and content

  explicit CapturedTree(Files files) {
    root_ = testing::TempDir() + "/captured_tree_XXXXXX";
    if (mkdtemp(root_.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    for (const auto& [name, content] : files) Write(name, content);
  }
  CapturedTree(const CapturedTree&) = delete;
  CapturedTree& operator=(const CapturedTree&) = delete;
  ~CapturedTree() { std::filesystem::remove_all(root_); }

  void Write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = std::filesystem::path(root_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
  }

  // A directory in place of a file: it exists, and reading it fails even for
  // the superuser, whom no permission bits stop.
  void WriteUnreadable(const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path(root_) / name);
  }

  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

}  // namespace filch

#endif  // FILCH_TESTS_TOPOLOGY_CAPTURED_TREE_H_

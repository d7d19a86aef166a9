#include "tools/demo_programs/tree_roots.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace demo {

std::vector<std::string> UsableRoots(const std::vector<std::string>& directories,
                                     std::vector<std::string>* notes) {
  std::vector<std::filesystem::path> real;
  for (const std::string& directory : directories) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(directory, error);
    if (error == std::errc::no_such_file_or_directory) {
      notes->push_back("There is no directory " + directory + ".");
    } else if (error) {
      notes->push_back("The directory " + directory + " cannot be opened: " + error.message() +
                       ".");
    } else if (!std::filesystem::is_directory(path, error)) {
      notes->push_back(directory + " is not a directory.");
    } else {
      real.push_back(path);
    }
  }
  // In order of their components, a directory precedes what lies inside it.
  std::sort(real.begin(), real.end());
  std::vector<std::string> roots;
  std::filesystem::path outer;
  for (const std::filesystem::path& path : real) {
    const auto differs = std::mismatch(outer.begin(), outer.end(), path.begin(), path.end()).first;
    if (!outer.empty() && differs == outer.end()) {
      notes->push_back(path.native() + " lies inside " + outer.native() +
                       " and is read only once.");
      continue;
    }
    outer = path;
    roots.push_back(path.native());
  }
  return roots;
}

}  // namespace demo

#include "filch/topology/small_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace filch::topology_internal {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

absl::Status CannotRead(const std::string& path, int error) {
  const std::string sentence = absl::StrCat(path, " cannot be read: ", std::strerror(error), ".");
  return error == ENOENT || error == ENOTDIR ? absl::NotFoundError(sentence)
                                             : absl::UnavailableError(sentence);
}

}  // namespace

absl::StatusOr<std::string> ReadSmallFile(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "re"));
  if (file == nullptr) return CannotRead(path, errno);
  // The size that the file system reports for such files is made up, so this
  // reads until the end.
  std::string content;
  char buffer[4096];
  for (;;) {
    const std::size_t count = std::fread(buffer, 1, sizeof(buffer), file.get());
    content.append(buffer, count);
    if (count == sizeof(buffer)) continue;
    if (std::ferror(file.get()) != 0) return CannotRead(path, errno);
    return content;
  }
}

std::string BelowRoot(const std::string& root, const std::string& path) {
  const std::size_t last = root.find_last_not_of('/');
  return last == std::string::npos ? path : root.substr(0, last + 1) + path;
}

}  // namespace filch::topology_internal

// Reading the small text files in which Linux describes itself (/proc, /sys).
//
// Private to the topology layer.  Any thread may call it.
#ifndef FILCH_TOPOLOGY_SMALL_FILE_H_
#define FILCH_TOPOLOGY_SMALL_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace filch::topology_internal {

// The file's content.  NotFound if there is no such file; another status with a
// sentence if it is there and cannot be read.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path);

// `path`, which begins with a slash, below `root`: ("/", "/proc") is "/proc"
// and ("testdata", "/proc") is "testdata/proc".
std::string BelowRoot(const std::string& root, const std::string& path);

}  // namespace filch::topology_internal

#endif  // FILCH_TOPOLOGY_SMALL_FILE_H_

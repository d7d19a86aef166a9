// ParseCpuList: a set of cpus from Linux's list format.
//
//   absl::StatusOr<CpuSet> cpus = ParseCpuList("0-3,8");
//   cpus->ToString();  // "0-3,8"
#ifndef FILCH_TOPOLOGY_CPU_LIST_H_
#define FILCH_TOPOLOGY_CPU_LIST_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"

namespace filch {

// An empty text is the empty set; white space is allowed around the whole text
// only, as the kernel's files end in a newline. Any thread.
absl::StatusOr<CpuSet> ParseCpuList(std::string_view text);

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CPU_LIST_H_

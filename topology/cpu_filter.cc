#include "filch/topology/cpu_filter.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"

namespace filch {

absl::StatusOr<CpuSet> SelectCpus(const Machine& machine, const CpuSet& among,
                                  const CpuFilter& filter) {
  CpuSet fitting = among & machine.online;
  if (filter.node_id != -1) {
    const auto node =
        std::find_if(machine.nodes.begin(), machine.nodes.end(),
                     [&filter](const Machine::Node& n) { return n.id == filter.node_id; });
    if (node == machine.nodes.end()) {
      return absl::NotFoundError(absl::StrCat("there is no NUMA node ", filter.node_id));
    }
    fitting = fitting & node->cpus;
  }
  if (!filter.core_kinds.empty()) {
    CpuSet of_these_kinds;
    for (const int kind : filter.core_kinds) {
      const auto index = static_cast<std::size_t>(kind);
      if (kind < 0 || index >= machine.core_kinds.size()) {
        return absl::NotFoundError(absl::StrCat("there is no kind of cores ", kind));
      }
      of_these_kinds = of_these_kinds | machine.core_kinds[index].cpus;
    }
    fitting = fitting & of_these_kinds;
  }
  if (filter.cpus_per_core < 1) return fitting;
  CpuSet chosen;
  for (const Machine::Core& core : machine.cores) {
    int left = filter.cpus_per_core;
    for (const int cpu : core.cpus& fitting) {
      if (left-- == 0) break;
      chosen.Add(cpu);
    }
  }
  return chosen;
}

}  // namespace filch

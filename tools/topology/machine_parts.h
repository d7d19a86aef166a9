// The machine as a tree of parts, with the workers in it; what the outputs of
// filch-topology have in common.
#ifndef FILCH_TOOLS_TOPOLOGY_MACHINE_PARTS_H_
#define FILCH_TOOLS_TOPOLOGY_MACHINE_PARTS_H_

#include <string>
#include <vector>

#include "filch/topology/topology_report.h"

namespace filch::topology_tool {

enum class PartKind { kMachine, kPackage, kNode, kCluster, kCore, kCpu };

struct Part {
  PartKind kind = PartKind::kMachine;
  std::string name;
  std::vector<Part> children;

  // Of a core, and of its cpus.
  int core_kind = 0;

  // Of a cpu.
  int cpu = 0;
  bool available = true;     // to workers
  std::vector<int> workers;  // on it
};

// Packages of nodes of clusters of cores of cpus, each once.  A node that is
// nearest to no cpu is a part of the machine without children.
Part PartsOf(const TopologyReport& report);

}  // namespace filch::topology_tool

#endif  // FILCH_TOOLS_TOPOLOGY_MACHINE_PARTS_H_

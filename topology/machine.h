// Machine: the hardware threads of a computer and what they share, as plain
// data.
//
// It says what is there; CpuBudget says how much of it this process may use.
// hwloc reads it, from the system, from a one-line description or from a file,
// so that a program can be tried on a machine that nobody has.  Nothing is
// guessed silently: what the system does not report is replaced by the simplest
// assumption, and `notes` has a sentence about it.
//
// Any thread may call any function.  A Machine is a value and changes only when
// its owner changes it; Detect() takes milliseconds, so keep the result.
//
//   auto machine = Machine::FromSynthetic("package:2 numanode:2 l3cache:2 core:4 pu:2");
//   if (!machine.ok()) return machine.status();
//   machine->nodes.size();   // 4
//   std::puts(machine->Describe().c_str());
#ifndef FILCH_TOPOLOGY_MACHINE_H_
#define FILCH_TOPOLOGY_MACHINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"

namespace filch {

struct Machine {
  // A hardware thread.  The numbers other than `id` are indices into the
  // vectors below and are always valid.
  struct Cpu {
    int id = 0;        // the operating system's number
    int core = 0;      // into cores
    int cluster = 0;   // into clusters
    int node = 0;      // into nodes: where memory is nearest
    int package = 0;   // into packages
    int kind = 0;      // into core_kinds
    int smt_rank = 0;  // 0 for the first cpu of its core, 1 for the second, ...
  };

  struct Core {
    CpuSet cpus;
  };

  // Cores of one make.  Machines whose cores are all alike have one kind.
  struct CoreKind {
    std::string name;
    // 0 for the slowest and most frugal kind, more for faster ones (hwloc calls
    // this "efficiency"); -1 if the system does not rank its kinds.
    int performance_rank = 0;
    CpuSet cpus;
  };

  // A data cache, or one for data and instructions.
  struct Cache {
    int level = 0;
    std::int64_t bytes = 0;  // 0 if unknown
    int line_bytes = 0;      // 0 if unknown
    CpuSet cpus;
  };

  // The cores that share an outermost cache; where no cache is shared, the
  // cores of a package on one node.  Every core is in one cluster.
  struct Cluster {
    int cache = -1;  // into caches; -1 where no cache is shared
    CpuSet cpus;
  };

  struct Node {
    int id = 0;              // the operating system's number
    std::int64_t bytes = 0;  // of local memory; 0 if unknown
    CpuSet cpus;             // whose nearest node it is; may be empty
    CpuSet local_to;         // what the system calls local: more than `cpus` for memory
                             // beside other memory, and for memory without cpus
  };

  struct Package {
    CpuSet cpus;
  };

  std::string source;                // what the description was read from
  std::vector<Cpu> cpus;             // that are online, by rising id
  std::vector<Core> cores;           //
  std::vector<CoreKind> core_kinds;  // slowest first where they are ranked
  std::vector<Cache> caches;         // by level, then by cpus
  std::vector<Cluster> clusters;     //
  std::vector<Node> nodes;           // at least one
  std::vector<Package> packages;     // at least one

  CpuSet online;   // all ids of `cpus`
  CpuSet allowed;  // those that the system lets this process use
  CpuSet offline;  // known to exist, not usable by anybody

  // distances[from][to] between nodes, 10 being local by convention; empty if
  // none are reported.
  std::vector<std::vector<int>> distances;

  // What was assumed because it is not reported, and what is unusual.
  std::vector<std::string> notes;

  // The same machine in hwloc's XML format: FromXmlText(xml) describes it again.
  std::string xml;

  // The machine that the program runs on.
  static absl::StatusOr<Machine> Detect();

  // hwloc's synthetic descriptions, e.g. "numanode:2 core:4 pu:2".
  static absl::StatusOr<Machine> FromSynthetic(const std::string& description);

  // A file written by hwloc (lstopo machine.xml), or its content.
  static absl::StatusOr<Machine> FromXml(const std::string& path);
  static absl::StatusOr<Machine> FromXmlText(const std::string& xml);

  // The cpu with that id; null if it is not online.
  const Cpu* FindCpu(int id) const;

  // Distance of two nodes; 0 if it is not reported.
  int Distance(int from_node, int to_node) const;

  // "node 1 (the system's 2), 8 GiB" and "cluster 3, L3 of 32 MiB".
  std::string NameOfNode(int node) const;
  std::string NameOfCluster(int cluster) const;

  // "2 packages, 4 NUMA nodes, ...".
  std::string Summary() const;

  // Everything above but the XML, for people; a line for each cluster.
  std::string Describe() const;
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_MACHINE_H_

// SelectCpus: the cpus of a machine that a caller asks for by node, kinds of core
// and number of cpus on a core.
//
// For arenas that stay on a part of the machine.  For a cpu of its own for each
// worker use PlaceWorkers.  A pure function of its arguments: it binds nothing.  Any
// thread may call it.
//
//   CpuFilter filter;
//   filter.node_id = 1;
//   filter.cpus_per_core = 1;
//   absl::StatusOr<CpuSet> cpus = SelectCpus(machine, budget.allowed, filter);
#ifndef FILCH_TOPOLOGY_CPU_FILTER_H_
#define FILCH_TOPOLOGY_CPU_FILTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"

namespace filch {

// -1, and no kinds, ask for nothing.
struct CpuFilter {
  int node_id = -1;             // the system's number of a node: the cpus nearest to it
  std::vector<int> core_kinds;  // into Machine::core_kinds: of any of them
  int cpus_per_core = -1;       // at most so many of each core, the first ones
};

// Those of `among` that fit; maybe none.  Fails with a sentence if the machine has
// no such node or kind.
absl::StatusOr<CpuSet> SelectCpus(const Machine& machine, const CpuSet& among,
                                  const CpuFilter& filter);

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CPU_FILTER_H_

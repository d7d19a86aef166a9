// ReadMachine: a loaded hwloc topology as plain data.
//
// Private to the topology layer.  Any thread may call it.
#ifndef FILCH_TOPOLOGY_MACHINE_HWLOC_H_
#define FILCH_TOPOLOGY_MACHINE_HWLOC_H_

#include <hwloc.h>

#include "filch/topology/machine.h"

namespace filch::topology_internal {

// The topology has at least one cpu, and none above CpuSet::kMaxCpu.  The
// result is complete but for its source and its XML.
Machine ReadMachine(hwloc_topology_t topology);

}  // namespace filch::topology_internal

#endif  // FILCH_TOPOLOGY_MACHINE_HWLOC_H_

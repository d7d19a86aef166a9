// LinkMachine: what follows from the parts of a Machine, without hwloc.
//
// Private to the topology layer.  Any thread may call it, on its own Machine.
#ifndef FILCH_TOPOLOGY_MACHINE_LINKS_H_
#define FILCH_TOPOLOGY_MACHINE_LINKS_H_

#include "filch/topology/machine.h"

namespace filch::topology_internal {

// Expects the sets of cpus, and cores, kinds, caches, nodes and packages that
// cover all cpus online.  Tells each cpu its core, node, package, kind and rank
// in the core, forms the clusters and completes the nodes' cpus.
void LinkMachine(Machine* machine);

}  // namespace filch::topology_internal

#endif  // FILCH_TOPOLOGY_MACHINE_LINKS_H_

// ProximityOrder: the neighbours of each worker, nearest first.
//
// It is about where the placement puts the workers, so it is worth something
// only if each worker is bound to its cpu, or at least to its cpu's cluster.
//
// Pure functions of their arguments.  Any thread may call them.
//
//   for (const Ring& ring : RingsOf(machine, placement, worker)) ...
//   VictimSelector victims(worker, workers, NearGroup(machine, placement, worker), seed);
#ifndef FILCH_TOPOLOGY_PROXIMITY_ORDER_H_
#define FILCH_TOPOLOGY_PROXIMITY_ORDER_H_

#include <string>
#include <vector>

#include "filch/topology/machine.h"
#include "filch/topology/placement.h"

namespace filch {

// What a worker shares with the workers of a ring and not with those of the
// rings outside of it.
enum class RingKind { kCore, kCache, kNode, kPackage, kMachine };

struct Ring {
  RingKind kind = RingKind::kMachine;
  int cache_level = 0;  // of a kCache ring: 2 for L2, ...
  std::vector<int> workers;
};

// "core", "L3", "node", "package" or "machine".
std::string RingName(const Ring& ring);

// All other workers, in rings from the nearest outwards; rings with nobody in
// them are left out.  Within a ring the nodes at the smallest distance come
// first, then the workers that follow in number, so that neighbours do not all
// go through a ring in the same order.
std::vector<Ring> RingsOf(const Machine& machine, const Placement& placement, int worker);

// The same workers as one list, in the same order.
std::vector<int> NearestFirst(const Machine& machine, const Placement& placement, int worker);

// The group where stealing is cheap: the other workers of the cluster, or of
// the node if there is none in the cluster.  Empty if there is none there
// either.
std::vector<int> NearGroup(const Machine& machine, const Placement& placement, int worker);

}  // namespace filch

#endif  // FILCH_TOPOLOGY_PROXIMITY_ORDER_H_

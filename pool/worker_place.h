// WorkerPlace: where a thread of a pool runs, and who is near it; plain data.
//
// PlacesByTopology (pool/places_by_topology.h) makes them of what the machine is.
#ifndef FILCH_POOL_WORKER_PLACE_H_
#define FILCH_POOL_WORKER_PLACE_H_

#include <vector>

#include "filch/topology/cpu_set.h"

namespace filch {

struct WorkerPlace {
  CpuSet cpus;            // where the thread may run
  std::vector<int> near;  // other places, by number, from where stealing is cheap
};

}  // namespace filch

#endif  // FILCH_POOL_WORKER_PLACE_H_

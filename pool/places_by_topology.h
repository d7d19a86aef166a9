// PlacesByTopology: a cpu for every thread of a pool, and its neighbours.
//
// For a pool that has its cpus for itself: each worker is bound to one of them
// and steals first from those who share a cache with it.  Where other programs or
// other pools want the same cpus, leave it to the system: a bound worker waits
// for its cpu though others are free.
//
//   filch::PoolOptions options;
//   options.concurrency = 8;
//   options.places = filch::PlacesByTopology(*filch::Machine::Detect(), {8}).value();
//   filch::Pool pool(options);
//
// A pure function of its arguments.  Any thread.
#ifndef FILCH_POOL_PLACES_BY_TOPOLOGY_H_
#define FILCH_POOL_PLACES_BY_TOPOLOGY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "filch/pool/worker_place.h"
#include "filch/topology/machine.h"
#include "filch/topology/placement.h"

namespace filch {

// As many places as options.workers; that is the pool's concurrency, for the
// first place is that of the thread that comes from outside.  Fails as
// PlaceWorkers does.
absl::StatusOr<std::vector<WorkerPlace>> PlacesByTopology(const Machine& machine,
                                                          const PlacementOptions& options);

}  // namespace filch

#endif  // FILCH_POOL_PLACES_BY_TOPOLOGY_H_

#include "filch/pool/places_by_topology.h"

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "filch/pool/worker_place.h"
#include "filch/topology/machine.h"
#include "filch/topology/placement.h"
#include "filch/topology/proximity_order.h"

namespace filch {

absl::StatusOr<std::vector<WorkerPlace>> PlacesByTopology(const Machine& machine,
                                                          const PlacementOptions& options) {
  const absl::StatusOr<Placement> placement = PlaceWorkers(machine, options);
  if (!placement.ok()) return placement.status();
  std::vector<WorkerPlace> places(placement->workers.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].cpus.Add(placement->workers[i].id);
    places[i].near = NearGroup(machine, *placement, static_cast<int>(i));
  }
  return places;
}

}  // namespace filch

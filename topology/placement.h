// Placement: which worker goes on which cpu.
//
// Workers get a core each before any core gets a second worker, and the fastest
// cores before slower ones: a second thread on a core adds a fraction of a core,
// and a frugal core more than that.  Within that, kSpread deals workers out over
// packages, nodes and clusters (each worker has more cache and memory bandwidth),
// and kCompact fills one cluster after another (workers share more).  More
// workers than cpus go round again.
//
// A pure function of its arguments: it binds nothing.  Any thread may call it.
//
//   PlacementOptions options;
//   options.workers = budget.cpus;
//   options.cpus = budget.allowed;
//   absl::StatusOr<Placement> placement = PlaceWorkers(machine, options);
//   placement->workers[0].id;       // the cpu of worker 0
//   placement->workers[0].cluster;  // and everything else about that cpu
#ifndef FILCH_TOPOLOGY_PLACEMENT_H_
#define FILCH_TOPOLOGY_PLACEMENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"

namespace filch {

enum class PlacementPolicy {
  kSpread,   // neighbours in number are far apart
  kCompact,  // neighbours in number are close together
};

struct PlacementOptions {
  int workers = 1;  // 0 is a placement of nobody
  PlacementPolicy policy = PlacementPolicy::kSpread;
  // Where workers may be; cpus that are offline or that the system does not
  // allow are left out.  Empty: all that the system allows.
  CpuSet cpus;
};

struct Placement {
  PlacementPolicy policy = PlacementPolicy::kSpread;
  CpuSet cpus;                        // that were available
  std::vector<Machine::Cpu> workers;  // the cpu of each worker

  // Who is where, by cluster, and who shares what; several lines.
  std::string Describe(const Machine& machine) const;
};

// Fails with a sentence if none of the cpus is available or the number of
// workers is negative.
absl::StatusOr<Placement> PlaceWorkers(const Machine& machine, const PlacementOptions& options);

}  // namespace filch

#endif  // FILCH_TOPOLOGY_PLACEMENT_H_

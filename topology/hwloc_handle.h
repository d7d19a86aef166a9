// HwlocHandle: an hwloc topology that is freed with its owner.
//
// Private to the topology layer, which is the only place that includes hwloc.
#ifndef FILCH_TOPOLOGY_HWLOC_HANDLE_H_
#define FILCH_TOPOLOGY_HWLOC_HANDLE_H_

#include <hwloc.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace filch::topology_internal {

struct HwlocDestroyer {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocHandle = std::unique_ptr<hwloc_topology, HwlocDestroyer>;

// An initialised topology that is not loaded yet.
inline absl::StatusOr<HwlocHandle> NewHwlocHandle() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) {
    return absl::ResourceExhaustedError("hwloc cannot be initialised.");
  }
  return HwlocHandle(topology);
}

}  // namespace filch::topology_internal

#endif  // FILCH_TOPOLOGY_HWLOC_HANDLE_H_

#include "filch/topology/proximity_order.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "filch/topology/contract.h"
#include "filch/topology/cpu_set.h"

namespace filch {
namespace {

const Machine::Cpu& CpuOf(const Placement& placement, int worker) {
  if (worker < 0 || static_cast<std::size_t>(worker) >= placement.workers.size()) {
    Fail("filch::ProximityOrder: the placement has no such worker.");
  }
  return placement.workers[static_cast<std::size_t>(worker)];
}

// What a cpu shares with others.
struct Area {
  RingKind kind;
  int cache_level;
  const CpuSet* cpus;
};

// The areas around a cpu, smallest first.  Sorting by size makes no assumption
// about whether packages have nodes or nodes have packages.
std::vector<Area> AreasAround(const Machine& machine, const Machine::Cpu& cpu) {
  const auto core = static_cast<std::size_t>(cpu.core);
  const auto node = static_cast<std::size_t>(cpu.node);
  const auto package = static_cast<std::size_t>(cpu.package);
  std::vector<Area> areas = {{RingKind::kCore, 0, &machine.cores[core].cpus}};
  for (const Machine::Cache& cache : machine.caches) {
    if (cache.cpus.Contains(cpu.id)) areas.push_back({RingKind::kCache, cache.level, &cache.cpus});
  }
  areas.push_back({RingKind::kNode, 0, &machine.nodes[node].cpus});
  areas.push_back({RingKind::kPackage, 0, &machine.packages[package].cpus});
  areas.push_back({RingKind::kMachine, 0, &machine.online});
  std::stable_sort(areas.begin(), areas.end(),
                   [](const Area& a, const Area& b) { return a.cpus->size() < b.cpus->size(); });
  return areas;
}

}  // namespace

std::string RingName(const Ring& ring) {
  switch (ring.kind) {
    case RingKind::kCore:
      return "core";
    case RingKind::kCache:
      return absl::StrCat("L", ring.cache_level);
    case RingKind::kNode:
      return "node";
    case RingKind::kPackage:
      return "package";
    case RingKind::kMachine:
      return "machine";
  }
  return "";
}

std::vector<Ring> RingsOf(const Machine& machine, const Placement& placement, int worker) {
  const Machine::Cpu& here = CpuOf(placement, worker);
  const std::vector<Area> areas = AreasAround(machine, here);
  std::vector<Ring> rings;
  rings.reserve(areas.size());
  for (const Area& area : areas) rings.push_back({area.kind, area.cache_level, {}});
  const int count = static_cast<int>(placement.workers.size());
  for (int step = 1; step < count; ++step) {
    const int other = (worker + step) % count;
    const int cpu = CpuOf(placement, other).id;
    const auto area = std::find_if(areas.begin(), areas.end(),
                                   [&](const Area& a) { return a.cpus->Contains(cpu); });
    rings[static_cast<std::size_t>(area - areas.begin())].workers.push_back(other);
  }
  const auto distance = [&](int other) {
    return machine.Distance(here.node, CpuOf(placement, other).node);
  };
  for (Ring& ring : rings) {
    std::stable_sort(ring.workers.begin(), ring.workers.end(),
                     [&](int a, int b) { return distance(a) < distance(b); });
  }
  rings.erase(std::remove_if(rings.begin(), rings.end(),
                             [](const Ring& ring) { return ring.workers.empty(); }),
              rings.end());
  return rings;
}

std::vector<int> NearestFirst(const Machine& machine, const Placement& placement, int worker) {
  std::vector<int> order;
  for (const Ring& ring : RingsOf(machine, placement, worker)) {
    order.insert(order.end(), ring.workers.begin(), ring.workers.end());
  }
  return order;
}

std::vector<int> NearGroup(const Machine& machine, const Placement& placement, int worker) {
  const Machine::Cpu& here = CpuOf(placement, worker);
  std::vector<int> in_cluster;
  std::vector<int> in_node;
  for (int other : NearestFirst(machine, placement, worker)) {
    const Machine::Cpu& there = CpuOf(placement, other);
    if (there.cluster == here.cluster) in_cluster.push_back(other);
    if (there.node == here.node) in_node.push_back(other);
  }
  return in_cluster.empty() ? in_node : in_cluster;
}

}  // namespace filch

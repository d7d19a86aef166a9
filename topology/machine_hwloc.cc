#include "filch/topology/machine_hwloc.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine_links.h"

namespace filch::topology_internal {
namespace {

// Bits that a CpuSet cannot hold are rejected before this is called.
CpuSet ToCpuSet(hwloc_const_bitmap_t bitmap) {
  CpuSet set;
  if (bitmap == nullptr) return set;
  for (int cpu = hwloc_bitmap_last(bitmap); cpu >= 0; --cpu) {
    if (hwloc_bitmap_isset(bitmap, static_cast<unsigned>(cpu)) != 0) set.Add(cpu);
  }
  return set;
}

std::vector<hwloc_obj_t> ObjectsOf(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> objects;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    objects.push_back(object);
  }
  return objects;
}

CpuSet OnlineCpusOf(const Machine& machine, hwloc_obj_t object) {
  return ToCpuSet(object->cpuset) & machine.online;
}

// The cpus that are online and in none of the parts.
template <typename Part>
CpuSet Uncovered(const Machine& machine, const std::vector<Part>& parts, CpuSet Part::*cpus) {
  CpuSet rest = machine.online;
  for (const Part& part : parts) rest = rest - part.*cpus;
  return rest;
}

void ReadCpuSets(hwloc_topology_t topology, Machine* machine) {
  const hwloc_obj_t root = hwloc_get_root_obj(topology);
  machine->online = ToCpuSet(root->cpuset);
  machine->allowed = machine->online & ToCpuSet(hwloc_topology_get_allowed_cpuset(topology));
  machine->offline = ToCpuSet(root->complete_cpuset) - machine->online;
  for (int id : machine->online) {
    Machine::Cpu cpu;
    cpu.id = id;
    machine->cpus.push_back(cpu);
  }
  if (!machine->offline.empty()) {
    machine->notes.push_back(absl::StrCat("Offline cpus: ", machine->offline.ToString(), "."));
  }
  if (machine->allowed != machine->online) {
    machine->notes.push_back(absl::StrCat("This process may not use the cpus ",
                                          (machine->online - machine->allowed).ToString(), "."));
  }
}

void ReadPackages(hwloc_topology_t topology, Machine* machine) {
  for (hwloc_obj_t object : ObjectsOf(topology, HWLOC_OBJ_PACKAGE)) {
    machine->packages.push_back({OnlineCpusOf(*machine, object)});
  }
  const CpuSet rest = Uncovered(*machine, machine->packages, &Machine::Package::cpus);
  if (rest.empty()) return;
  machine->notes.push_back(absl::StrCat("No package is reported for the cpus ", rest.ToString(),
                                        "; they count as one package."));
  machine->packages.push_back({rest});
}

void ReadCores(hwloc_topology_t topology, Machine* machine) {
  for (hwloc_obj_t object : ObjectsOf(topology, HWLOC_OBJ_CORE)) {
    machine->cores.push_back({OnlineCpusOf(*machine, object)});
  }
  const CpuSet rest = Uncovered(*machine, machine->cores, &Machine::Core::cpus);
  if (rest.empty()) return;
  for (int cpu : rest) machine->cores.push_back({CpuSet({cpu})});
  machine->notes.push_back(absl::StrCat("No cores are reported for the cpus ", rest.ToString(),
                                        "; each counts as a core of its own."));
}

// Ranked kinds are told apart by their rank, others by their number.
std::string KindName(int rank, int kinds, int number) {
  if (kinds == 1) return "uniform";
  if (rank < 0) return absl::StrCat("kind ", number);
  if (rank == 0) return "efficiency";
  if (rank == kinds - 1) return "performance";
  return kinds == 3 ? "middle" : absl::StrCat("middle ", rank);
}

void ReadCoreKinds(hwloc_topology_t topology, Machine* machine) {
  const int kinds = hwloc_cpukinds_get_nr(topology, 0);
  const hwloc_bitmap_t bitmap = hwloc_bitmap_alloc();
  for (int i = 0; bitmap != nullptr && i < kinds; ++i) {
    int rank = -1;
    unsigned info_count = 0;
    hwloc_info_s* infos = nullptr;
    const auto index = static_cast<unsigned>(i);
    if (hwloc_cpukinds_get_info(topology, index, bitmap, &rank, &info_count, &infos, 0) != 0) {
      continue;
    }
    CpuSet cpus = ToCpuSet(bitmap) & machine->online;
    if (cpus.empty()) continue;
    machine->core_kinds.push_back({KindName(rank, kinds, i), rank, std::move(cpus)});
  }
  hwloc_bitmap_free(bitmap);
  const CpuSet rest = Uncovered(*machine, machine->core_kinds, &Machine::CoreKind::cpus);
  if (rest.empty()) return;
  if (machine->core_kinds.empty()) {
    machine->core_kinds.push_back({"uniform", 0, rest});
    return;
  }
  machine->notes.push_back(
      absl::StrCat("No kind of core is reported for the cpus ", rest.ToString(), "."));
  machine->core_kinds.push_back({"unknown", -1, rest});
}

void ReadCaches(hwloc_topology_t topology, Machine* machine) {
  for (hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
    for (hwloc_obj_t object : ObjectsOf(topology, type)) {
      const hwloc_obj_attr_u::hwloc_cache_attr_s& cache = object->attr->cache;
      machine->caches.push_back({static_cast<int>(cache.depth),
                                 static_cast<std::int64_t>(cache.size),
                                 static_cast<int>(cache.linesize), OnlineCpusOf(*machine, object)});
    }
  }
  if (machine->caches.empty()) machine->notes.push_back("No caches are reported.");
}

void ReadNodes(hwloc_topology_t topology, Machine* machine) {
  for (hwloc_obj_t object : ObjectsOf(topology, HWLOC_OBJ_NUMANODE)) {
    machine->nodes.push_back({static_cast<int>(object->os_index),
                              static_cast<std::int64_t>(object->attr->numanode.local_memory),
                              CpuSet(), OnlineCpusOf(*machine, object)});
  }
  const CpuSet rest = Uncovered(*machine, machine->nodes, &Machine::Node::local_to);
  if (rest.empty()) return;
  machine->notes.push_back(absl::StrCat("No NUMA node is reported for the cpus ", rest.ToString(),
                                        "; they count as one node."));
  machine->nodes.push_back({-1, 0, CpuSet(), rest});
}

void ReadDistances(hwloc_topology_t topology, Machine* machine) {
  const std::size_t count = machine->nodes.size();
  if (count < 2) return;
  hwloc_distances_s* distances = nullptr;
  unsigned found = 1;
  const int error = hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &found, &distances,
                                                HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
  if (error != 0 || found == 0 || distances->nbobjs != count) {
    machine->notes.push_back("No distances between all NUMA nodes are reported.");
  } else {
    machine->distances.assign(count, std::vector<int>(count, 0));
    for (std::size_t i = 0; i < count * count; ++i) {
      const unsigned from = distances->objs[i / count]->logical_index;
      const unsigned to = distances->objs[i % count]->logical_index;
      machine->distances[from][to] = static_cast<int>(distances->values[i]);
    }
  }
  if (error == 0 && found > 0) hwloc_distances_release(topology, distances);
}

}  // namespace

Machine ReadMachine(hwloc_topology_t topology) {
  Machine machine;
  ReadCpuSets(topology, &machine);
  ReadPackages(topology, &machine);
  ReadCores(topology, &machine);
  ReadCoreKinds(topology, &machine);
  ReadCaches(topology, &machine);
  ReadNodes(topology, &machine);
  ReadDistances(topology, &machine);
  LinkMachine(&machine);
  return machine;
}

}  // namespace filch::topology_internal

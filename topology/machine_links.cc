#include "filch/topology/machine_links.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "filch/topology/cpu_set.h"

namespace filch::topology_internal {
namespace {

// For each cpu number the index of the part that has it; -1 for numbers that are
// not online.
// Every cpu is in a part; of several the smallest counts, then the first.
template <typename Part>
std::vector<int> PartsOf(const Machine& machine, const std::vector<Part>& parts,
                         CpuSet Part::*cpus) {
  std::vector<int> sizes;
  sizes.reserve(parts.size());
  for (const Part& part : parts) sizes.push_back((part.*cpus).size());
  std::vector<std::size_t> by_size(parts.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
  std::vector<int> part_of(static_cast<std::size_t>(machine.online.Last() + 1), -1);
  for (std::size_t i : by_size) {
    for (int id : parts[i].*cpus) {
      int& part = part_of[static_cast<std::size_t>(id)];
      if (part < 0) part = static_cast<int>(i);
    }
  }
  return part_of;
}

// Places every cpu in its core, node and package.
void LinkCpus(Machine* machine) {
  const std::vector<int> core = PartsOf(*machine, machine->cores, &Machine::Core::cpus);
  const std::vector<int> kind = PartsOf(*machine, machine->core_kinds, &Machine::CoreKind::cpus);
  const std::vector<int> node = PartsOf(*machine, machine->nodes, &Machine::Node::local_to);
  const std::vector<int> package = PartsOf(*machine, machine->packages, &Machine::Package::cpus);
  std::vector<int> seen(machine->cores.size(), 0);
  for (Machine::Cpu& cpu : machine->cpus) {
    const auto id = static_cast<std::size_t>(cpu.id);
    cpu.core = core[id];
    cpu.kind = kind[id];
    cpu.node = node[id];
    cpu.package = package[id];
    cpu.smt_rank = seen[static_cast<std::size_t>(cpu.core)]++;
    machine->nodes[static_cast<std::size_t>(cpu.node)].cpus.Add(cpu.id);
  }
}

// For each cpu number the outermost cache over it; -1 if it has none.
std::vector<int> OutermostCaches(const Machine& machine) {
  std::vector<int> outermost(static_cast<std::size_t>(machine.online.Last() + 1), -1);
  for (std::size_t i = 0; i < machine.caches.size(); ++i) {  // from level 1 outwards
    for (int id : machine.caches[i].cpus) {
      outermost[static_cast<std::size_t>(id)] = static_cast<int>(i);
    }
  }
  return outermost;
}

// The clusters are the caches' if any outermost cache is shared by cores, and
// the parts that packages and nodes have in common otherwise.
void FormClusters(Machine* machine) {
  std::vector<int> cache_of = OutermostCaches(*machine);
  bool shared = false;
  for (const Machine::Cpu& cpu : machine->cpus) {
    const int cache = cache_of[static_cast<std::size_t>(cpu.id)];
    if (cache < 0) continue;
    const CpuSet& core = machine->cores[static_cast<std::size_t>(cpu.core)].cpus;
    shared |= !machine->caches[static_cast<std::size_t>(cache)].cpus.IsSubsetOf(core);
  }
  if (!shared) cache_of.assign(cache_of.size(), -1);
  if (!shared && machine->cores.size() > 1) {
    machine->notes.push_back(
        "No cache is reported to be shared by cores; the cores of a package on one node count as "
        "a cluster.");
  }
  std::map<std::tuple<int, int, int>, int> numbers;  // of (cache, package, node)
  for (Machine::Cpu& cpu : machine->cpus) {
    const int cache = cache_of[static_cast<std::size_t>(cpu.id)];
    const auto key =
        cache >= 0 ? std::make_tuple(cache, -1, -1) : std::make_tuple(-1, cpu.package, cpu.node);
    const int next = static_cast<int>(machine->clusters.size());
    const auto [place, is_new] = numbers.emplace(key, next);
    if (is_new) machine->clusters.push_back({cache, CpuSet()});
    cpu.cluster = place->second;
    machine->clusters[static_cast<std::size_t>(cpu.cluster)].cpus.Add(cpu.id);
  }
}

}  // namespace

void LinkMachine(Machine* machine) {
  LinkCpus(machine);
  FormClusters(machine);
}

}  // namespace filch::topology_internal

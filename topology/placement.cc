#include "filch/topology/placement.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace filch {
namespace {

using Cpus = std::vector<Machine::Cpu>;

// The parts of a machine, from the largest to the smallest.
constexpr int Machine::Cpu::*kLevels[] = {&Machine::Cpu::package, &Machine::Cpu::node,
                                          &Machine::Cpu::cluster, &Machine::Cpu::core};

// Cpus of equal worth: those of an earlier tier are all taken before a later.
struct Tier {
  int place_in_core;  // among the cpus of its core that are available
  int slowness;
  bool operator<(const Tier& other) const {
    return std::tie(place_in_core, slowness) < std::tie(other.place_in_core, other.slowness);
  }
};

std::map<Tier, Cpus> SortIntoTiers(const Machine& machine, const CpuSet& available) {
  std::map<Tier, Cpus> tiers;
  std::vector<int> seen(machine.cores.size(), 0);
  for (const Machine::Cpu& cpu : machine.cpus) {
    if (!available.Contains(cpu.id)) continue;
    const Machine::CoreKind& kind = machine.core_kinds[static_cast<std::size_t>(cpu.kind)];
    const int place = seen[static_cast<std::size_t>(cpu.core)]++;
    tiers[{place, -kind.performance_rank}].push_back(cpu);
  }
  return tiers;
}

// One cpu from each part in turn, and so on within each part.
Cpus Deal(const Cpus& cpus, std::size_t level) {
  if (level == std::size(kLevels)) return cpus;
  std::map<int, Cpus> parts;
  for (const Machine::Cpu& cpu : cpus) parts[cpu.*kLevels[level]].push_back(cpu);
  for (auto& [index, part] : parts) part = Deal(part, level + 1);
  Cpus dealt;
  for (std::size_t round = 0; dealt.size() < cpus.size(); ++round) {
    for (const auto& [index, part] : parts) {
      if (round < part.size()) dealt.push_back(part[round]);
    }
  }
  return dealt;
}

// One part after another.
Cpus Fill(Cpus cpus) {
  std::sort(cpus.begin(), cpus.end(), [](const Machine::Cpu& a, const Machine::Cpu& b) {
    return std::tie(a.package, a.node, a.cluster, a.core, a.id) <
           std::tie(b.package, b.node, b.cluster, b.core, b.id);
  });
  return cpus;
}

std::string Sharing(const Placement& placement) {
  CpuSet cpus;
  CpuSet cores;
  for (const Machine::Cpu& worker : placement.workers) {
    cpus.Add(worker.id);
    cores.Add(worker.core);
  }
  const int workers = static_cast<int>(placement.workers.size());
  if (workers > cpus.size()) return absl::StrCat("sharing ", cpus.size(), " cpus");
  if (workers > cores.size()) return absl::StrCat("sharing ", cores.size(), " cores");
  return workers == 1 ? "on a core of its own" : "each on a core of its own";
}

}  // namespace

absl::StatusOr<Placement> PlaceWorkers(const Machine& machine, const PlacementOptions& options) {
  if (options.workers < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("Cannot place ", options.workers, " workers: the number is negative."));
  }
  Placement placement;
  placement.policy = options.policy;
  placement.cpus = options.cpus.empty() ? machine.allowed : options.cpus & machine.allowed;
  if (placement.cpus.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Cannot place workers on the cpus ", options.cpus.ToString(),
        ": the process may use the cpus ", machine.allowed.ToString(), " of this machine."));
  }
  Cpus order;
  for (auto& [tier, cpus] : SortIntoTiers(machine, placement.cpus)) {
    const bool spread = options.policy == PlacementPolicy::kSpread;
    const Cpus sorted = spread ? Deal(cpus, 0) : Fill(std::move(cpus));
    order.insert(order.end(), sorted.begin(), sorted.end());
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(options.workers); ++i) {
    placement.workers.push_back(order[i % order.size()]);
  }
  return placement;
}

std::string Placement::Describe(const Machine& machine) const {
  std::string text =
      absl::StrCat("placement: ", workers.size(), workers.size() == 1 ? " worker" : " workers");
  if (workers.empty()) return text + "\n";
  absl::StrAppend(&text, ", ", policy == PlacementPolicy::kSpread ? "spread" : "compact",
                  " over cpus ", cpus.ToString(), ", ", Sharing(*this),
                  machine.core_kinds.size() > 1 ? ", fastest cores first" : "", "\n");
  std::map<int, std::string> lines;  // by cluster
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const Machine::Cpu& cpu = workers[i];
    std::string& line = lines[cpu.cluster];
    absl::StrAppend(&line, line.empty() ? "" : ", ", "worker ", i, " on cpu ", cpu.id);
    if (machine.core_kinds.size() > 1) {
      absl::StrAppend(&line, " (", machine.core_kinds[static_cast<std::size_t>(cpu.kind)].name,
                      ")");
    }
  }
  for (const auto& [cluster, line] : lines) {
    absl::StrAppend(&text, "  cluster ", cluster, ": ", line, "\n");
  }
  return text;
}

}  // namespace filch

#include "filch/topology/machine.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_cat.h"

namespace filch {
namespace {

std::string Bytes(std::int64_t bytes) {
  constexpr std::int64_t kStep = 1024;
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; unit + 1 < std::size(units) && value >= kStep; ++unit) value /= kStep;
  return absl::StrCat(std::round(value * 10) / 10, " ", units[unit]);
}

std::string Count(std::size_t count, const std::string& noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "cluster 3, L3 of 32 MiB: cores 24-31, cpus 24-31,56-63"
std::string ClusterLine(const Machine& machine, std::size_t index) {
  const Machine::Cluster& cluster = machine.clusters[index];
  CpuSet cores;
  CpuSet kinds;
  for (int id : cluster.cpus) {
    cores.Add(machine.FindCpu(id)->core);
    kinds.Add(machine.FindCpu(id)->kind);
  }
  std::string line = absl::StrCat(machine.NameOfCluster(static_cast<int>(index)), ": cores ",
                                  cores.ToString(), ", cpus ", cluster.cpus.ToString());
  if (machine.core_kinds.size() > 1) {
    for (int kind : kinds) {
      const Machine::CoreKind& k = machine.core_kinds[static_cast<std::size_t>(kind)];
      absl::StrAppend(&line, "; ", k.name, ": ", (k.cpus & cluster.cpus).ToString());
    }
  }
  return line;
}

void AppendTree(const Machine& machine, std::string* text) {
  for (std::size_t p = 0; p < machine.packages.size(); ++p) {
    const CpuSet& package = machine.packages[p].cpus;
    absl::StrAppend(text, "  package ", p, ": cpus ", package.ToString(), "\n");
    for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
      const CpuSet here = machine.nodes[n].cpus & package;
      if (here.empty()) continue;
      absl::StrAppend(text, "    ", machine.NameOfNode(static_cast<int>(n)), "\n");
      for (std::size_t c = 0; c < machine.clusters.size(); ++c) {
        if (here.Contains(machine.clusters[c].cpus.First())) {
          absl::StrAppend(text, "      ", ClusterLine(machine, c), "\n");
        }
      }
    }
  }
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    if (machine.nodes[n].cpus.empty()) {
      absl::StrAppend(text, "  ", machine.NameOfNode(static_cast<int>(n)), "\n");
    }
  }
}

}  // namespace

const Machine::Cpu* Machine::FindCpu(int id) const {
  const auto found = std::lower_bound(cpus.begin(), cpus.end(), id,
                                      [](const Cpu& cpu, int value) { return cpu.id < value; });
  return found != cpus.end() && found->id == id ? &*found : nullptr;
}

int Machine::Distance(int from_node, int to_node) const {
  if (distances.empty()) return 0;
  return distances[static_cast<std::size_t>(from_node)][static_cast<std::size_t>(to_node)];
}

std::string Machine::NameOfNode(int index) const {
  const Node& node = nodes[static_cast<std::size_t>(index)];
  std::string name = absl::StrCat("node ", index);
  if (node.id >= 0 && node.id != index) absl::StrAppend(&name, " (the system's ", node.id, ")");
  if (node.bytes > 0) absl::StrAppend(&name, ", ", Bytes(node.bytes));
  if (node.cpus != node.local_to) {
    absl::StrAppend(&name, ", local to cpus ", node.local_to.ToString(), " and the nearest of ",
                    node.cpus.empty() ? "none" : node.cpus.ToString());
  }
  return name;
}

std::string Machine::NameOfCluster(int index) const {
  const Cluster& cluster = clusters[static_cast<std::size_t>(index)];
  std::string name = absl::StrCat("cluster ", index);
  if (cluster.cache < 0) return name;
  const Cache& cache = caches[static_cast<std::size_t>(cluster.cache)];
  absl::StrAppend(&name, ", L", cache.level);
  if (cache.bytes > 0) absl::StrAppend(&name, " of ", Bytes(cache.bytes));
  return name;
}

std::string Machine::Summary() const {
  return absl::StrCat(Count(packages.size(), "package"), ", ", Count(nodes.size(), "NUMA node"),
                      ", ", Count(clusters.size(), "cluster"), ", ", Count(cores.size(), "core"),
                      ", ", Count(cpus.size(), "cpu"));
}

std::string Machine::Describe() const {
  std::string text = absl::StrCat("machine: ", source, "\n  ", Summary(), "\n");
  AppendTree(*this, &text);
  for (std::size_t from = 0; from < distances.size(); ++from) {
    absl::StrAppend(&text, "  distances from node ", from, ":");
    for (int distance : distances[from]) absl::StrAppend(&text, " ", distance);
    absl::StrAppend(&text, "\n");
  }
  for (const std::string& note : notes) absl::StrAppend(&text, "  note: ", note, "\n");
  return text;
}

}  // namespace filch

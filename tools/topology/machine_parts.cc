#include "filch/tools/topology/machine_parts.h"

#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "filch/topology/machine.h"

namespace filch::topology_tool {
namespace {

using Cpus = std::vector<Machine::Cpu>;

Part CpuPart(const TopologyReport& report, const Machine::Cpu& cpu) {
  Part part;
  part.kind = PartKind::kCpu;
  part.name = absl::StrCat("cpu ", cpu.id);
  part.core_kind = cpu.kind;
  part.cpu = cpu.id;
  part.available = report.placement.cpus.Contains(cpu.id);
  for (std::size_t i = 0; i < report.placement.workers.size(); ++i) {
    if (report.placement.workers[i].id == cpu.id) part.workers.push_back(static_cast<int>(i));
  }
  return part;
}

std::string NameOf(const Machine& machine, PartKind kind, int index, int core_kind) {
  switch (kind) {
    case PartKind::kPackage:
      return absl::StrCat("package ", index);
    case PartKind::kNode:
      return machine.NameOfNode(index);
    case PartKind::kCluster:
      return machine.NameOfCluster(index);
    default:
      if (machine.core_kinds.size() == 1) return absl::StrCat("core ", index);
      return absl::StrCat("core ", index, ", ",
                          machine.core_kinds[static_cast<std::size_t>(core_kind)].name);
  }
}

// The parts of one sort that the cpus are in, with all that is in them.
std::vector<Part> Split(const TopologyReport& report, const Cpus& cpus, PartKind kind) {
  std::vector<Part> parts;
  if (kind == PartKind::kCpu) {
    for (const Machine::Cpu& cpu : cpus) parts.push_back(CpuPart(report, cpu));
    return parts;
  }
  int Machine::Cpu::*const index_of = kind == PartKind::kPackage   ? &Machine::Cpu::package
                                      : kind == PartKind::kNode    ? &Machine::Cpu::node
                                      : kind == PartKind::kCluster ? &Machine::Cpu::cluster
                                                                   : &Machine::Cpu::core;
  std::map<int, Cpus> groups;
  for (const Machine::Cpu& cpu : cpus) groups[cpu.*index_of].push_back(cpu);
  for (const auto& [index, group] : groups) {
    Part part;
    part.kind = kind;
    part.core_kind = group.front().kind;
    part.name = NameOf(report.machine, kind, index, part.core_kind);
    part.children = Split(report, group, static_cast<PartKind>(static_cast<int>(kind) + 1));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

Part PartsOf(const TopologyReport& report) {
  Part root;
  root.name = report.machine.source;
  root.children = Split(report, report.machine.cpus, PartKind::kPackage);
  for (std::size_t i = 0; i < report.machine.nodes.size(); ++i) {
    if (!report.machine.nodes[i].cpus.empty()) continue;
    Part part;
    part.kind = PartKind::kNode;
    part.name = report.machine.NameOfNode(static_cast<int>(i));
    root.children.push_back(std::move(part));
  }
  return root;
}

}  // namespace filch::topology_tool

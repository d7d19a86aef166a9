#include "filch/tools/topology/tree_text.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "filch/tools/topology/machine_parts.h"
#include "filch/topology/machine.h"

namespace filch::topology_tool {
namespace {

std::string CpuText(const Part& cpu) {
  std::string text = cpu.name;
  if (!cpu.available) absl::StrAppend(&text, " (not for us)");
  if (!cpu.workers.empty()) {
    absl::StrAppend(&text, " [worker", cpu.workers.size() > 1 ? "s " : " ",
                    absl::StrJoin(cpu.workers, ","), "]");
  }
  return text;
}

void Append(const Part& part, std::size_t depth, std::string* text) {
  absl::StrAppend(text, std::string(2 * depth, ' '), part.name);
  if (part.kind == PartKind::kCore) {
    for (std::size_t i = 0; i < part.children.size(); ++i) {
      absl::StrAppend(text, i == 0 ? ": " : ", ", CpuText(part.children[i]));
    }
    absl::StrAppend(text, "\n");
    return;
  }
  absl::StrAppend(text, "\n");
  for (const Part& child : part.children) Append(child, depth + 1, text);
}

}  // namespace

std::string TreeText(const TopologyReport& report) {
  const Machine& machine = report.machine;
  std::string text = absl::StrCat("filch starts ", report.budget.cpus,
                                  report.budget.cpus == 1 ? " worker" : " workers", ", because of ",
                                  report.budget.reason, ".\n\n");
  Append(PartsOf(report), 0, &text);
  absl::StrAppend(&text, "\n", machine.Summary(), "\n");
  for (std::size_t from = 0; from < machine.distances.size(); ++from) {
    absl::StrAppend(&text, "distances from node ", from, ": ",
                    absl::StrJoin(machine.distances[from], " "), "\n");
  }
  for (const std::string& note : machine.notes) absl::StrAppend(&text, "note: ", note, "\n");
  // The first line of the placement; its others are in the tree.
  const std::string placement = report.placement.Describe(machine);
  absl::StrAppend(&text, "\n", placement.substr(0, placement.find('\n') + 1),
                  report.budget.Describe());
  return text;
}

}  // namespace filch::topology_tool

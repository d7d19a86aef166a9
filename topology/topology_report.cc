#include "filch/topology/topology_report.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace filch {

absl::StatusOr<TopologyReport> TopologyReport::Detect() {
  absl::StatusOr<Machine> machine = Machine::Detect();
  if (!machine.ok()) return machine.status();
  return Of(*std::move(machine), CpuBudgetOptions(), PlacementPolicy::kSpread);
}

absl::StatusOr<TopologyReport> TopologyReport::Of(Machine machine, const CpuBudgetOptions& options,
                                                  PlacementPolicy policy) {
  TopologyReport report;
  report.machine = std::move(machine);
  report.budget = CpuBudget::Detect(options);
  PlacementOptions places;
  places.workers = report.budget.cpus;
  places.policy = policy;
  places.cpus = report.budget.allowed;
  absl::StatusOr<Placement> placement = PlaceWorkers(report.machine, places);
  if (!placement.ok()) return placement.status();
  report.placement = *std::move(placement);
  return report;
}

std::string TopologyReport::Describe() const {
  return absl::StrCat("filch starts ", budget.cpus, budget.cpus == 1 ? " worker" : " workers",
                      ", because of ", budget.reason, ".\n", budget.Describe(),
                      placement.Describe(machine), machine.Describe());
}

CpuBudgetOptions BudgetOptionsFor(const Machine& machine) {
  CpuBudgetOptions options;
  options.filesystem_root = "";
  options.affinity = machine.allowed;
  options.hardware = machine.online;
  return options;
}

}  // namespace filch

// TopologyReport: why filch would start how many workers, and where.
//
// It brings the three answers together: the machine, the budget of cpus and the
// placement of one worker for each of them.  Use it for start-up messages and
// bug reports; a program that needs one of the answers asks for that one.
//
// Any thread may call it.
//
//   absl::StatusOr<TopologyReport> report = TopologyReport::Detect();
//   if (report.ok()) std::puts(report->Describe().c_str());
#ifndef FILCH_TOPOLOGY_TOPOLOGY_REPORT_H_
#define FILCH_TOPOLOGY_TOPOLOGY_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "filch/topology/cpu_budget.h"
#include "filch/topology/machine.h"
#include "filch/topology/placement.h"

namespace filch {

struct TopologyReport {
  Machine machine;
  CpuBudget budget;
  Placement placement;

  // This machine and this process.
  static absl::StatusOr<TopologyReport> Detect();

  // That machine with that budget.
  static absl::StatusOr<TopologyReport> Of(Machine machine, const CpuBudgetOptions& options,
                                           PlacementPolicy policy);

  // First the conclusion, then everything that led to it; many lines.
  std::string Describe() const;
};

// Options with which CpuBudget::Detect looks at `machine` instead of the one it
// runs on: the cpus are the machine's, and no files are read.
CpuBudgetOptions BudgetOptionsFor(const Machine& machine);

}  // namespace filch

#endif  // FILCH_TOPOLOGY_TOPOLOGY_REPORT_H_

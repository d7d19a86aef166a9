// Reports on the fixture machines, the same on every machine that tests run on.
#ifndef FILCH_TESTS_TOPOLOGY_FIXTURE_REPORTS_H_
#define FILCH_TESTS_TOPOLOGY_FIXTURE_REPORTS_H_

#include <optional>
#include <string>

#include "filch/topology/topology_report.h"
#include "tests/topology/fixture_machines.h"

namespace filch {

inline TopologyReport FixtureReport(const std::string& name, std::optional<int> workers = {},
                                    PlacementPolicy policy = PlacementPolicy::kSpread) {
  Machine machine = FixtureMachine(name);
  CpuBudgetOptions options = BudgetOptionsFor(machine);
  options.environment = [](const std::string&) { return std::nullopt; };
  options.cpus = workers;
  absl::StatusOr<TopologyReport> report = TopologyReport::Of(machine, options, policy);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : TopologyReport();
}

}  // namespace filch

#endif  // FILCH_TESTS_TOPOLOGY_FIXTURE_REPORTS_H_

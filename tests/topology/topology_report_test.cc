#include "filch/topology/topology_report.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"
#include "gtest/gtest.h"
#include "tests/topology/captured_tree.h"
#include "tests/topology/fixture_machines.h"

namespace filch {
namespace {

// The machine with nobody's wishes.
CpuBudgetOptions Options(const Machine& machine) {
  CpuBudgetOptions options = BudgetOptionsFor(machine);
  options.environment = [](const std::string&) { return std::nullopt; };
  return options;
}

bool Has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(TopologyReportTest, ExplainsEveryFixture) {
  for (const std::string& name : AllFixtures()) {
    SCOPED_TRACE(name);
    const Machine machine = FixtureMachine(name);
    const auto report = TopologyReport::Of(machine, Options(machine), PlacementPolicy::kSpread);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->budget.cpus, machine.allowed.size());
    EXPECT_EQ(static_cast<int>(report->placement.workers.size()), report->budget.cpus);
    const std::string text = report->Describe();
    EXPECT_EQ(text.rfind("filch starts " + std::to_string(machine.allowed.size()) + " worker", 0),
              0u);
    EXPECT_TRUE(Has(text, "because of"));
    EXPECT_TRUE(Has(text, "budget: "));
    EXPECT_TRUE(Has(text, "placement: "));
    EXPECT_TRUE(Has(text, "machine: " + machine.source));
    for (const std::string& note : machine.notes) EXPECT_TRUE(Has(text, note));
    const std::string last = "worker " + std::to_string(report->budget.cpus - 1) + " on cpu ";
    EXPECT_TRUE(Has(text, last)) << text;
  }
}

TEST(TopologyReportTest, ExplainsAQuotaOnALargeMachine) {
  const CapturedTree tree(
      {{"proc/self/mountinfo", "26 22 0:23 / /sys/fs/cgroup rw - cgroup2 c rw\n"},
       {"proc/self/cgroup", "0::/kube/pod\n"},
       {"sys/fs/cgroup/kube/cpu.max", "350000 100000\n"},
       {"sys/fs/cgroup/kube/pod/cpu.max", "max 100000\n"}});
  const Machine machine = FixtureMachine(kServer);
  CpuBudgetOptions options = Options(machine);
  options.filesystem_root = tree.root();
  const auto report = TopologyReport::Of(machine, options, PlacementPolicy::kCompact);
  ASSERT_TRUE(report.ok()) << report.status();
  const std::string text = report->Describe();
  EXPECT_EQ(text.substr(0, text.find("machine:")),
            "filch starts 4 workers, because of the quota of 3.5 cpus in "
            "/sys/fs/cgroup/kube/cpu.max, rounded up.\n"
            "budget: 4 cpus, because of the quota of 3.5 cpus in /sys/fs/cgroup/kube/cpu.max, "
            "rounded up\n"
            "  cpu time for 3.5 cpus\n"
            "  the environment variable FILCH_NUM_THREADS: not set\n"
            "  /sys/fs/cgroup/kube/pod/cpu.max: no limit\n"
            "  /sys/fs/cgroup/kube/cpu.max: grants 3.5 cpus\n"
            "  the affinity mask: allows 128 cpus: 0-127\n"
            "  the given hardware: has 128 cpus: 0-127\n"
            "placement: 4 workers, compact over cpus 0-127, each on a core of its own\n"
            "  cluster 0: worker 0 on cpu 0, worker 1 on cpu 2, worker 2 on cpu 4, worker 3 on "
            "cpu 6\n");
}

TEST(TopologyReportTest, PlacesWorkersInTheAffinityMask) {
  const Machine machine = FixtureMachine(kHybrid);
  CpuBudgetOptions options = Options(machine);
  options.affinity = CpuSet({1, 14, 21});
  const auto report = TopologyReport::Of(machine, options, PlacementPolicy::kSpread);
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->placement.workers.size(), 3u);
  EXPECT_EQ(report->placement.workers[0].id, 1) << "the fast core first";
  EXPECT_EQ(report->placement.workers[2].id, 21);
}

TEST(TopologyReportTest, AMaskWithoutCpusOfTheMachineGivesASentence) {
  const Machine machine = FixtureMachine(kBare);
  CpuBudgetOptions options = Options(machine);
  options.affinity = CpuSet({99});
  const auto report = TopologyReport::Of(machine, options, PlacementPolicy::kSpread);
  EXPECT_EQ(report.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(TopologyReportTest, ReportsThisMachine) {
  const absl::StatusOr<TopologyReport> report = TopologyReport::Detect();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_GE(report->budget.cpus, 1);
  EXPECT_EQ(static_cast<int>(report->placement.workers.size()), report->budget.cpus);
}

}  // namespace
}  // namespace filch

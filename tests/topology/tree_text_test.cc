#include "filch/tools/topology/tree_text.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/topology/fixture_reports.h"

namespace filch::topology_tool {
namespace {

TEST(TreeTextTest, DrawsWorkersAndBudgetIntoTheTree) {
  EXPECT_EQ(TreeText(FixtureReport(kHoles, 10)),
            "filch starts 10 workers, because of the explicit option; they share 9 cpus, because "
            "of the affinity mask, which allows 9 cpus: 0-1,4-8,10-11.\n"
            "\n"
            "the XML file tests/topology/testdata/holes.xml\n"
            "  package 0\n"
            "    node 0, 8 GiB\n"
            "      cluster 0, L3 of 16 MiB\n"
            "        core 0: cpu 0 [workers 0,9], cpu 1 [worker 5]\n"
            "        core 1: cpu 4 [worker 2], cpu 5 [worker 7]\n"
            "        core 2: cpu 6 [worker 4], cpu 7 [worker 8]\n"
            "  package 1\n"
            "    node 1 (the system's 2), 8 GiB\n"
            "      cluster 1, L3 of 16 MiB\n"
            "        core 3: cpu 8 [worker 1]\n"
            "        core 4: cpu 10 [worker 3], cpu 11 [worker 6]\n"
            "        core 5: cpu 12 (not for us), cpu 13 (not for us)\n"
            "        core 6: cpu 14 (not for us), cpu 15 (not for us)\n"
            "  node 2 (the system's 4), 64 GiB, local to cpus 0-1,4-8,10-15 and the nearest of "
            "none\n"
            "\n"
            "2 packages, 3 NUMA nodes, 2 clusters, 7 cores, 13 cpus\n"
            "distances from node 0: 10 21 14\n"
            "distances from node 1: 21 10 24\n"
            "distances from node 2: 14 24 10\n"
            "note: Offline cpus: 2-3,9.\n"
            "note: This process may not use the cpus 12-15.\n"
            "\n"
            "placement: 10 workers, spread over cpus 0-1,4-8,10-11, sharing 9 cpus\n"
            "budget: 10 cpus, because of the explicit option; they share 9 cpus, because of the "
            "affinity mask, which allows 9 cpus: 0-1,4-8,10-11\n"
            "  cpu time for 9 cpus\n"
            "  the explicit option: asks for 10 cpus\n"
            "  the environment variable FILCH_NUM_THREADS: not set\n"
            "  the control groups: no file with a quota\n"
            "  the affinity mask: allows 9 cpus: 0-1,4-8,10-11\n"
            "  the given hardware: has 13 cpus: 0-1,4-8,10-15\n");
}

TEST(TreeTextTest, HasEveryCpuAndEveryWorkerOfEveryFixture) {
  for (const std::string& name : AllFixtures()) {
    const TopologyReport report = FixtureReport(name);
    const std::string text = TreeText(report);
    for (const Machine::Cpu& cpu : report.machine.cpus) {
      const std::string word = "cpu " + std::to_string(cpu.id);
      EXPECT_TRUE(text.find(word + "\n") != std::string::npos ||
                  text.find(word + ",") != std::string::npos ||
                  text.find(word + " ") != std::string::npos)
          << name << ": " << word;
    }
    for (std::size_t i = 0; i < report.placement.workers.size(); ++i) {
      EXPECT_NE(text.find("[worker " + std::to_string(i) + "]"), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace filch::topology_tool

#include "filch/topology/machine.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filch/topology/thread_binding.h"
#include "gtest/gtest.h"
#include "tests/topology/fixture_machines.h"

namespace filch {
namespace {

bool Mentions(const std::vector<std::string>& notes, const std::string& words) {
  for (const std::string& note : notes) {
    if (note.find(words) != std::string::npos) return true;
  }
  return false;
}

// The description without the line that names the source.
std::string Body(const Machine& machine) {
  const std::string text = machine.Describe();
  return text.substr(text.find('\n'));
}

template <typename Part>
CpuSet Union(const std::vector<Part>& parts) {
  CpuSet all;
  for (const Part& part : parts) all = all | part.cpus;
  return all;
}

template <typename Part>
int TotalSize(const std::vector<Part>& parts) {
  int total = 0;
  for (const Part& part : parts) total += part.cpus.size();
  return total;
}

// What holds for every machine, however it was read.
void ExpectConsistent(const Machine& machine) {
  ASSERT_FALSE(machine.cpus.empty());
  EXPECT_EQ(static_cast<int>(machine.cpus.size()), machine.online.size());
  EXPECT_TRUE(machine.allowed.IsSubsetOf(machine.online));
  EXPECT_FALSE(machine.offline.Intersects(machine.online));
  // Every cpu is in exactly one part of each sort, and knows which.
  EXPECT_EQ(Union(machine.cores), machine.online);
  EXPECT_EQ(Union(machine.clusters), machine.online);
  EXPECT_EQ(Union(machine.nodes), machine.online);
  EXPECT_EQ(Union(machine.packages), machine.online);
  EXPECT_EQ(Union(machine.core_kinds), machine.online);
  const int count = machine.online.size();
  EXPECT_EQ(TotalSize(machine.cores), count);
  EXPECT_EQ(TotalSize(machine.clusters), count);
  EXPECT_EQ(TotalSize(machine.nodes), count);
  EXPECT_EQ(TotalSize(machine.packages), count);
  EXPECT_EQ(TotalSize(machine.core_kinds), count);
  for (const Machine::Cpu& cpu : machine.cpus) {
    EXPECT_EQ(machine.FindCpu(cpu.id), &cpu);
    EXPECT_TRUE(machine.cores.at(static_cast<std::size_t>(cpu.core)).cpus.Contains(cpu.id));
    EXPECT_TRUE(machine.clusters.at(static_cast<std::size_t>(cpu.cluster)).cpus.Contains(cpu.id));
    EXPECT_TRUE(machine.nodes.at(static_cast<std::size_t>(cpu.node)).cpus.Contains(cpu.id));
    EXPECT_TRUE(machine.packages.at(static_cast<std::size_t>(cpu.package)).cpus.Contains(cpu.id));
    EXPECT_TRUE(machine.core_kinds.at(static_cast<std::size_t>(cpu.kind)).cpus.Contains(cpu.id));
  }
}

TEST(MachineTest, FixturesAreConsistent) {
  for (const std::string& name : AllFixtures()) {
    SCOPED_TRACE(name);
    ExpectConsistent(FixtureMachine(name));
  }
}

TEST(MachineTest, ReadsASyntheticServer) {
  const Machine machine = FixtureMachine(kServer);
  EXPECT_EQ(machine.packages.size(), 2u);
  EXPECT_EQ(machine.nodes.size(), 4u);
  EXPECT_EQ(machine.clusters.size(), 16u);
  EXPECT_EQ(machine.cores.size(), 64u);
  EXPECT_EQ(machine.cpus.size(), 128u);
  EXPECT_EQ(machine.core_kinds.size(), 1u);
  EXPECT_EQ(machine.core_kinds[0].name, "uniform");
  EXPECT_EQ(machine.clusters[5].cpus.ToString(), "40-47");
  EXPECT_EQ(machine.caches.at(static_cast<std::size_t>(machine.clusters[5].cache)).level, 3);
  const Machine::Cpu& cpu = *machine.FindCpu(75);
  EXPECT_EQ(cpu.core, 37);
  EXPECT_EQ(cpu.smt_rank, 1);
  EXPECT_EQ(cpu.cluster, 9);
  EXPECT_EQ(cpu.node, 2);
  EXPECT_EQ(cpu.package, 1);
}

TEST(MachineTest, HasMoreThan64AndMoreThan1024Cpus) {
  const Machine large = FixtureMachine(k256Cpus);
  EXPECT_EQ(large.cpus.size(), 256u);
  EXPECT_EQ(large.cores[0].cpus.ToString(), "0,128");
  EXPECT_EQ(large.FindCpu(128)->smt_rank, 1);
  const Machine huge = FixtureMachine(k2048Cpus);
  EXPECT_EQ(huge.cpus.size(), 2048u);
  EXPECT_EQ(huge.nodes.size(), 16u);
  EXPECT_EQ(huge.FindCpu(2047)->package, 7);
  EXPECT_EQ(huge.FindCpu(2048), nullptr);
}

TEST(MachineTest, OneCpuIsAWholeMachine) {
  const Machine machine = FixtureMachine(kOneCpu);
  EXPECT_EQ(machine.cpus.size(), 1u);
  EXPECT_EQ(machine.packages.size(), 1u);
  EXPECT_EQ(machine.nodes.size(), 1u);
  EXPECT_EQ(machine.clusters.size(), 1u);
}

TEST(MachineTest, SaysWhatIsNotReported) {
  const Machine machine = FixtureMachine(kBare);
  EXPECT_EQ(machine.cores.size(), 6u);
  EXPECT_EQ(machine.clusters.size(), 1u);
  EXPECT_EQ(machine.clusters[0].cache, -1);
  EXPECT_EQ(machine.nodes.size(), 1u);
  EXPECT_TRUE(machine.caches.empty());
  EXPECT_TRUE(Mentions(machine.notes, "No package is reported"));
  EXPECT_TRUE(Mentions(machine.notes, "No cores are reported"));
  EXPECT_TRUE(Mentions(machine.notes, "No caches are reported"));
  EXPECT_TRUE(Mentions(machine.notes, "No cache is reported to be shared"));
}

TEST(MachineTest, PrivateCachesFormNoClusters) {
  const Machine machine = FixtureMachine("package:2 core:4 l2cache:1 pu:2");
  EXPECT_EQ(machine.clusters.size(), 2u);
  EXPECT_EQ(machine.clusters[1].cpus.ToString(), "8-15");
  EXPECT_TRUE(Mentions(machine.notes, "No cache is reported to be shared"));
}

TEST(MachineTest, AnL2SharedByCoresFormsClusters) {
  const Machine machine = FixtureMachine("package:1 l2cache:3 core:4 pu:1");
  EXPECT_EQ(machine.clusters.size(), 3u);
  EXPECT_FALSE(Mentions(machine.notes, "No cache is reported to be shared"));
}

TEST(MachineTest, ReadsHybridCores) {
  const Machine machine = FixtureMachine(kHybrid);
  ASSERT_EQ(machine.core_kinds.size(), 3u);
  EXPECT_EQ(machine.core_kinds[0].name, "efficiency");
  EXPECT_EQ(machine.core_kinds[0].cpus.ToString(), "20-21");
  EXPECT_EQ(machine.core_kinds[1].name, "middle");
  EXPECT_EQ(machine.core_kinds[1].performance_rank, 1);
  EXPECT_EQ(machine.core_kinds[2].name, "performance");
  EXPECT_EQ(machine.core_kinds[2].cpus.ToString(), "0-11");
  EXPECT_EQ(machine.cores.size(), 16u);
  ASSERT_EQ(machine.clusters.size(), 2u);
  EXPECT_EQ(machine.clusters[0].cpus.ToString(), "0-19");
  EXPECT_EQ(machine.clusters[1].cpus.ToString(), "20-21") << "they have an L2 of their own";
}

TEST(MachineTest, ReadsHolesOfflineCpusAndForeignOnes) {
  const Machine machine = FixtureMachine(kHoles);
  EXPECT_EQ(machine.online.ToString(), "0-1,4-8,10-15");
  EXPECT_EQ(machine.offline.ToString(), "2-3,9");
  EXPECT_EQ(machine.allowed.ToString(), "0-1,4-8,10-11");
  EXPECT_TRUE(Mentions(machine.notes, "Offline cpus: 2-3,9."));
  EXPECT_TRUE(Mentions(machine.notes, "may not use the cpus 12-15"));
  EXPECT_EQ(machine.FindCpu(3), nullptr);
  EXPECT_EQ(machine.FindCpu(10)->node, 1);
}

TEST(MachineTest, ReadsNodesWithNumbersAndDistancesOfTheirOwn) {
  const Machine machine = FixtureMachine(kHoles);
  ASSERT_EQ(machine.nodes.size(), 3u);
  EXPECT_EQ(machine.nodes[1].id, 2);
  EXPECT_EQ(machine.nodes[2].id, 4);
  EXPECT_EQ(machine.nodes[2].bytes, std::int64_t{64} << 30);
  EXPECT_TRUE(machine.nodes[2].cpus.empty());
  EXPECT_EQ(machine.nodes[2].local_to, machine.online);
  EXPECT_EQ(machine.Distance(0, 0), 10);
  EXPECT_EQ(machine.Distance(0, 1), 21);
  EXPECT_EQ(machine.Distance(1, 2), 24);
}

TEST(MachineTest, TwoMemoriesOfTheSameCpusAreTwoNodes) {
  const Machine machine = FixtureMachine("package:2 [numanode] [numanode(memory=4GB)] core:2 pu:1");
  ASSERT_EQ(machine.nodes.size(), 4u);
  EXPECT_EQ(machine.nodes[0].cpus.ToString(), "0-1");
  EXPECT_TRUE(machine.nodes[1].cpus.empty());
  EXPECT_EQ(machine.nodes[1].local_to.ToString(), "0-1");
}

TEST(MachineTest, UnreportedDistancesAreZeroAndNoted) {
  const Machine machine = FixtureMachine(kServer);
  EXPECT_TRUE(machine.distances.empty());
  EXPECT_EQ(machine.Distance(0, 3), 0);
  EXPECT_TRUE(Mentions(machine.notes, "No distances"));
}

TEST(MachineTest, SurvivesTheRoundTripThroughXml) {
  for (const std::string& name : AllFixtures()) {
    SCOPED_TRACE(name);
    const Machine machine = FixtureMachine(name);
    const absl::StatusOr<Machine> again = Machine::FromXmlText(machine.xml);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(Body(*again), Body(machine));
    ASSERT_EQ(again->cpus.size(), machine.cpus.size());
    for (std::size_t i = 0; i < machine.cpus.size(); ++i) {
      EXPECT_EQ(again->cpus[i].id, machine.cpus[i].id);
      EXPECT_EQ(again->cpus[i].core, machine.cpus[i].core);
      EXPECT_EQ(again->cpus[i].smt_rank, machine.cpus[i].smt_rank);
    }
    // What hwloc wrote it writes again.
    const absl::StatusOr<Machine> third = Machine::FromXmlText(again->xml);
    ASSERT_TRUE(third.ok()) << third.status();
    EXPECT_EQ(third->xml, again->xml);
  }
}

TEST(MachineTest, InvalidDescriptionsGiveASentence) {
  for (const char* text : {"", "nonsense", "package:2", "pu:0", "core:-1 pu:1", "pu:1 core:2",
                           "package:2 numanode:"}) {
    const absl::StatusOr<Machine> machine = Machine::FromSynthetic(text);
    ASSERT_FALSE(machine.ok()) << text;
    EXPECT_EQ(machine.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(machine.status().message().back(), '.') << machine.status();
  }
  for (const char* xml :
       {"", "<foo", "no xml at all", "<topology version=\"2.0\">\n</topology>\n"}) {
    const absl::StatusOr<Machine> machine = Machine::FromXmlText(xml);
    ASSERT_FALSE(machine.ok()) << xml;
    EXPECT_EQ(machine.status().message().back(), '.') << machine.status();
  }
  EXPECT_EQ(Machine::FromXml("no/such/file.xml").status().code(), absl::StatusCode::kNotFound);
}

TEST(MachineTest, CpuNumbersBeyondASetsLimitGiveASentence) {
  // A machine whose only cpu is number 32 * 2187 + 4 = 69988.
  std::string mask = "0x00000010";
  for (int i = 0; i < 2187; ++i) mask += ",0x00000000";
  const std::string sets = " cpuset=\"" + mask + "\" complete_cpuset=\"" + mask +
                           "\" nodeset=\"0x1\" complete_nodeset=\"0x1\"";
  const std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<topology version=\"2.0\">\n"
      "<object type=\"Machine\" os_index=\"0\" gp_index=\"1\"" +
      sets + " allowed_cpuset=\"" + mask +
      "\" allowed_nodeset=\"0x1\">\n"
      "<object type=\"NUMANode\" os_index=\"0\" gp_index=\"2\"" +
      sets +
      "/>\n"
      "<object type=\"PU\" os_index=\"69988\" gp_index=\"3\"" +
      sets +
      "/>\n"
      "</object>\n</topology>\n";
  const absl::StatusOr<Machine> machine = Machine::FromXmlText(xml);
  ASSERT_FALSE(machine.ok());
  EXPECT_NE(machine.status().message().find("no cpus with numbers from 0 to"), std::string::npos)
      << machine.status();
}

TEST(MachineTest, DescribesTheWholeTree) {
  EXPECT_EQ(Body(FixtureMachine(kHoles)),
            "\n"
            "  2 packages, 3 NUMA nodes, 2 clusters, 7 cores, 13 cpus\n"
            "  package 0: cpus 0-1,4-7\n"
            "    node 0, 8 GiB\n"
            "      cluster 0, L3 of 16 MiB: cores 0-2, cpus 0-1,4-7\n"
            "  package 1: cpus 8,10-15\n"
            "    node 1 (the system's 2), 8 GiB\n"
            "      cluster 1, L3 of 16 MiB: cores 3-6, cpus 8,10-15\n"
            "  node 2 (the system's 4), 64 GiB, local to cpus 0-1,4-8,10-15 and the nearest of "
            "none\n"
            "  distances from node 0: 10 21 14\n"
            "  distances from node 1: 21 10 24\n"
            "  distances from node 2: 14 24 10\n"
            "  note: Offline cpus: 2-3,9.\n"
            "  note: This process may not use the cpus 12-15.\n");
}

TEST(MachineTest, DetectsTheMachineItRunsOn) {
  const absl::StatusOr<Machine> machine = Machine::Detect();
  ASSERT_TRUE(machine.ok()) << machine.status();
  ExpectConsistent(*machine);
  EXPECT_TRUE(ThisThreadBinding()->IsSubsetOf(machine->online));
}

}  // namespace
}  // namespace filch

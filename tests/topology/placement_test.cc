#include "filch/topology/placement.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filch/topology/cpu_list.h"
#include "gtest/gtest.h"
#include "tests/topology/fixture_machines.h"

namespace filch {
namespace {

constexpr PlacementPolicy kPolicies[] = {PlacementPolicy::kSpread, PlacementPolicy::kCompact};

Placement Place(const Machine& machine, int workers, PlacementPolicy policy,
                const CpuSet& cpus = CpuSet()) {
  PlacementOptions options;
  options.workers = workers;
  options.policy = policy;
  options.cpus = cpus;
  absl::StatusOr<Placement> placement = PlaceWorkers(machine, options);
  EXPECT_TRUE(placement.ok()) << placement.status();
  return placement.ok() ? *placement : Placement();
}

std::vector<int> CpusOf(const Placement& placement) {
  std::vector<int> cpus;
  for (const Machine::Cpu& worker : placement.workers) cpus.push_back(worker.id);
  return cpus;
}

// How many workers each part got.
std::map<int, int> Load(const Placement& placement, int Machine::Cpu::*part) {
  std::map<int, int> load;
  for (const Machine::Cpu& worker : placement.workers) ++load[worker.*part];
  return load;
}

TEST(PlacementTest, SpreadDealsOutOverPackagesNodesAndClusters) {
  const Machine machine = FixtureMachine(kServer);
  // Packages in turn; the second visit to a package takes its other node; ...
  EXPECT_EQ(CpusOf(Place(machine, 6, PlacementPolicy::kSpread)),
            (std::vector<int>{0, 64, 32, 96, 8, 72}));
  for (int workers = 1; workers <= 64; ++workers) {
    const Placement placement = Place(machine, workers, PlacementPolicy::kSpread);
    for (auto part : {&Machine::Cpu::package, &Machine::Cpu::node, &Machine::Cpu::cluster}) {
      int least = workers;
      int most = 0;
      std::map<int, int> load = Load(placement, part);
      const std::size_t parts = part == &Machine::Cpu::package ? machine.packages.size()
                                : part == &Machine::Cpu::node  ? machine.nodes.size()
                                                               : machine.clusters.size();
      for (std::size_t i = 0; i < parts; ++i) {
        least = std::min(least, load[static_cast<int>(i)]);
        most = std::max(most, load[static_cast<int>(i)]);
      }
      EXPECT_LE(most - least, 1) << workers << " workers";
    }
  }
}

TEST(PlacementTest, CompactFillsOneClusterAfterAnother) {
  const Machine machine = FixtureMachine(kServer);
  EXPECT_EQ(CpusOf(Place(machine, 6, PlacementPolicy::kCompact)),
            (std::vector<int>{0, 2, 4, 6, 8, 10}));
  for (int workers = 1; workers <= 64; ++workers) {
    const Placement placement = Place(machine, workers, PlacementPolicy::kCompact);
    EXPECT_EQ(Load(placement, &Machine::Cpu::cluster).size(),
              static_cast<std::size_t>((workers + 3) / 4));
  }
}

TEST(PlacementTest, EveryCoreGetsAWorkerBeforeAnyGetsTwo) {
  for (const char* name : {kServer, kSquare, kHybrid, k256Cpus}) {
    const Machine machine = FixtureMachine(name);
    const int cores = static_cast<int>(machine.cores.size());
    for (PlacementPolicy policy : kPolicies) {
      const Placement one_each = Place(machine, cores, policy);
      EXPECT_EQ(Load(one_each, &Machine::Cpu::core).size(), machine.cores.size()) << name;
      for (const Machine::Cpu& cpu : one_each.workers) EXPECT_EQ(cpu.smt_rank, 0);
    }
  }
}

TEST(PlacementTest, EveryCpuGetsAWorkerBeforeAnyGetsTwo) {
  for (const std::string& name : AllFixtures()) {
    const Machine machine = FixtureMachine(name);
    const int cpus = machine.allowed.size();
    for (PlacementPolicy policy : kPolicies) {
      const std::vector<int> all = CpusOf(Place(machine, cpus, policy));
      EXPECT_EQ(std::set<int>(all.begin(), all.end()),
                std::set<int>(machine.allowed.begin(), machine.allowed.end()))
          << name;
      const std::vector<int> twice = CpusOf(Place(machine, 2 * cpus, policy));
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(twice[i], twice[i + all.size()]);
    }
  }
}

TEST(PlacementTest, AddingAWorkerMovesNobody) {
  const Machine machine = FixtureMachine(kHybrid);
  for (PlacementPolicy policy : kPolicies) {
    std::vector<int> before;
    for (int workers = 1; workers < 50; ++workers) {
      const std::vector<int> now = CpusOf(Place(machine, workers, policy));
      EXPECT_EQ(std::vector<int>(now.begin(), now.end() - 1), before);
      before = now;
    }
  }
}

TEST(PlacementTest, FastCoresComeFirstAndTheirSecondThreadsLast) {
  const Machine machine = FixtureMachine(kHybrid);
  const std::vector<int> compact = CpusOf(Place(machine, 22, PlacementPolicy::kCompact));
  EXPECT_EQ(compact, (std::vector<int>{0,  2,  4,  6,  8,  10,          // fast cores
                                       12, 13, 14, 15, 16, 17, 18, 19,  // frugal cores
                                       20, 21,                          // the slowest
                                       1,  3,  5,  7,  9,  11}));       // second threads
  const std::vector<int> spread = CpusOf(Place(machine, 22, PlacementPolicy::kSpread));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LT(spread[i], 12);
  for (std::size_t i = 16; i < 22; ++i) EXPECT_EQ(spread[i] % 2, 1);
}

TEST(PlacementTest, StaysOnTheCpusItIsGiven) {
  const Machine machine = FixtureMachine(kServer);
  const CpuSet mine = *ParseCpuList("1,3,40-43,120,500");
  for (PlacementPolicy policy : kPolicies) {
    const Placement placement = Place(machine, 20, policy, mine);
    EXPECT_EQ(placement.cpus.ToString(), "1,3,40-43,120") << "cpu 500 is not there";
    for (int cpu : CpusOf(placement)) EXPECT_TRUE(mine.Contains(cpu));
  }
}

TEST(PlacementTest, ASecondThreadAloneIsACoreOfItsOwn) {
  // Of core 0 only the second cpu is available, of core 1 both.
  const Machine machine = FixtureMachine("core:2 pu:2");
  EXPECT_EQ(CpusOf(Place(machine, 3, PlacementPolicy::kCompact, {1, 2, 3})),
            (std::vector<int>{1, 2, 3}));
}

TEST(PlacementTest, LeavesOutForeignAndOfflineCpus) {
  const Machine machine = FixtureMachine(kHoles);
  for (PlacementPolicy policy : kPolicies) {
    for (int cpu : CpusOf(Place(machine, 40, policy, CpuSet::Range(0, 15)))) {
      EXPECT_TRUE(machine.allowed.Contains(cpu)) << cpu;
    }
  }
}

TEST(PlacementTest, NobodyIsPlacedNowhere) {
  const Placement placement = Place(FixtureMachine(kServer), 0, PlacementPolicy::kSpread);
  EXPECT_TRUE(placement.workers.empty());
  EXPECT_EQ(placement.Describe(FixtureMachine(kServer)), "placement: 0 workers\n");
}

TEST(PlacementTest, ImpossibleWishesGiveASentence) {
  const Machine machine = FixtureMachine(kHoles);
  PlacementOptions options;
  options.cpus = {3, 12};
  absl::StatusOr<Placement> placement = PlaceWorkers(machine, options);
  ASSERT_FALSE(placement.ok());
  EXPECT_EQ(placement.status().message(),
            "Cannot place workers on the cpus 3,12: the process may use the cpus 0-1,4-8,10-11 of "
            "this machine.");
  options = PlacementOptions();
  options.workers = -1;
  placement = PlaceWorkers(machine, options);
  EXPECT_EQ(placement.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(PlacementTest, DescribesWhoIsWhereAndWhatIsShared) {
  const Machine machine = FixtureMachine(kHybrid);
  EXPECT_EQ(Place(machine, 1, PlacementPolicy::kSpread).Describe(machine),
            "placement: 1 worker, spread over cpus 0-21, on a core of its own, fastest cores "
            "first\n"
            "  cluster 0: worker 0 on cpu 0 (performance)\n");
  const Machine server = FixtureMachine(kServer);
  EXPECT_EQ(Place(server, 3, PlacementPolicy::kCompact, CpuSet::Range(0, 3)).Describe(server),
            "placement: 3 workers, compact over cpus 0-3, sharing 2 cores\n"
            "  cluster 0: worker 0 on cpu 0, worker 1 on cpu 2, worker 2 on cpu 1\n");
  EXPECT_EQ(Place(server, 3, PlacementPolicy::kSpread, {0, 127}).Describe(server),
            "placement: 3 workers, spread over cpus 0,127, sharing 2 cpus\n"
            "  cluster 0: worker 0 on cpu 0, worker 2 on cpu 0\n"
            "  cluster 15: worker 1 on cpu 127\n");
}

}  // namespace
}  // namespace filch

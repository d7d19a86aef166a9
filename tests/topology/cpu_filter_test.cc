#include "filch/topology/cpu_filter.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"
#include "gtest/gtest.h"
#include "tests/topology/fixture_machines.h"

namespace filch {
namespace {

std::string Selected(const Machine& machine, const CpuSet& among, const CpuFilter& filter) {
  const absl::StatusOr<CpuSet> cpus = SelectCpus(machine, among, filter);
  return cpus.ok() ? cpus->ToString() : std::string(cpus.status().message());
}

TEST(CpuFilterTest, AsksForNothingByDefault) {
  const Machine machine = FixtureMachine(kServer);
  EXPECT_EQ(Selected(machine, machine.online, {}), "0-127");
  EXPECT_EQ(Selected(machine, CpuSet::Range(3, 9), {}), "3-9");
  EXPECT_EQ(Selected(machine, CpuSet::Range(120, 200), {}), "120-127");
}

TEST(CpuFilterTest, KeepsToANode) {
  const Machine machine = FixtureMachine(kServer);
  EXPECT_EQ(Selected(machine, machine.online, {1, {}, -1}), "32-63");
  EXPECT_EQ(Selected(machine, CpuSet::Range(0, 40), {1, {}, -1}), "32-40");
  EXPECT_EQ(Selected(machine, CpuSet::Range(0, 9), {1, {}, -1}), "");
}

TEST(CpuFilterTest, NodesHaveTheSystemsNumbers) {
  const Machine machine = FixtureMachine(kHoles);
  EXPECT_EQ(Selected(machine, machine.online, {1, {}, -1}), "there is no NUMA node 1");
  EXPECT_NE(Selected(machine, machine.online, {2, {}, -1}), "");
  EXPECT_EQ(Selected(machine, machine.online, {4, {}, -1}), "");  // it has no cpus
}

TEST(CpuFilterTest, KeepsToAKindOfCores) {
  const Machine machine = FixtureMachine(kHybrid);
  ASSERT_EQ(machine.core_kinds.size(), 3u);
  EXPECT_EQ(Selected(machine, machine.online, {-1, {0}, -1}), "20-21");
  EXPECT_EQ(Selected(machine, machine.online, {-1, {2}, -1}), "0-11");
  EXPECT_EQ(Selected(machine, machine.online, {-1, {3}, -1}), "there is no kind of cores 3");
  EXPECT_EQ(Selected(machine, machine.online, {-1, {-2}, -1}), "there is no kind of cores -2");
}

TEST(CpuFilterTest, KeepsToSeveralKindsOfCores) {
  const Machine machine = FixtureMachine(kHybrid);
  EXPECT_EQ(Selected(machine, machine.online, {-1, {2, 0}, -1}), "0-11,20-21");
  EXPECT_EQ(Selected(machine, machine.online, {-1, {0, 2}, 1}), "0,2,4,6,8,10,20-21");
  EXPECT_EQ(Selected(machine, machine.online, {-1, {0, 1, 2}, -1}), machine.online.ToString());
  EXPECT_EQ(Selected(machine, machine.online, {-1, {0, 3}, -1}), "there is no kind of cores 3");
}

TEST(CpuFilterTest, TakesSoManyOfACore) {
  const Machine machine = FixtureMachine(kHybrid);
  EXPECT_EQ(Selected(machine, machine.online, {-1, {2}, 1}), "0,2,4,6,8,10");
  EXPECT_EQ(Selected(machine, machine.online, {-1, {2}, 2}), "0-11");
  // The first of a core may be out of reach.
  EXPECT_EQ(Selected(machine, CpuSet::Range(1, 4), {-1, {2}, 1}), "1-2,4");
}

}  // namespace
}  // namespace filch

#include "filch/topology/cpu_budget.h"

#include <sched.h>

#include <string>
#include <thread>

#include "filch/topology/thread_binding.h"
#include "gtest/gtest.h"
#include "tests/topology/captured_tree.h"

namespace filch {
namespace {

constexpr char kMountinfo[] = "26 22 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";

CapturedTree TreeWithQuota(const std::string& quota) {
  return CapturedTree({{"proc/self/mountinfo", kMountinfo},
                       {"proc/self/cgroup", "0::/app\n"},
                       {"sys/fs/cgroup/app/cpu.max", quota},
                       {"sys/devices/system/cpu/online", "0-15\n"}});
}

// A machine with 16 cpus, all of them allowed, and no environment.
CpuBudgetOptions OptionsFor(const CapturedTree& tree) {
  CpuBudgetOptions options;
  options.filesystem_root = tree.root();
  options.affinity = CpuSet::Range(0, 15);
  options.environment = [](const std::string&) { return std::nullopt; };
  return options;
}

void SetVariable(const std::string& value, CpuBudgetOptions* options) {
  options->environment = [value](const std::string& name) -> std::optional<std::string> {
    if (name == "FILCH_NUM_THREADS") return value;
    return std::nullopt;
  };
}

TEST(CpuBudgetTest, TakesTheHardwareWhenNothingLimits) {
  const CapturedTree tree = TreeWithQuota("max 100000\n");
  const CpuBudget budget = CpuBudget::Detect(OptionsFor(tree));
  EXPECT_EQ(budget.cpus, 16);
  EXPECT_EQ(budget.exact, 16);
  EXPECT_EQ(budget.reason, "the hardware, which has 16 cpus");
}

TEST(CpuBudgetTest, AMaskOrQuotaOfTheWholeMachineIsNotTheReason) {
  const CapturedTree tree = TreeWithQuota("1600000 100000\n");
  EXPECT_EQ(CpuBudget::Detect(OptionsFor(tree)).reason, "the hardware, which has 16 cpus");
}

TEST(CpuBudgetTest, RoundsTheQuotaUpAndKeepsItExactly) {
  const CapturedTree tree = TreeWithQuota("250000 100000\n");
  const CpuBudget budget = CpuBudget::Detect(OptionsFor(tree));
  EXPECT_EQ(budget.cpus, 3);
  EXPECT_EQ(budget.exact, 2.5);
  EXPECT_EQ(budget.reason, "the quota of 2.5 cpus in /sys/fs/cgroup/app/cpu.max, rounded up");
}

TEST(CpuBudgetTest, AQuotaBelowOneCpuGivesOneThread) {
  const CapturedTree tree = TreeWithQuota("5000 100000\n");
  const CpuBudget budget = CpuBudget::Detect(OptionsFor(tree));
  EXPECT_EQ(budget.cpus, 1);
  EXPECT_EQ(budget.exact, 0.05);
}

TEST(CpuBudgetTest, TakesTheSmallestQuotaOfAllAncestors) {
  const CapturedTree tree({{"proc/self/mountinfo", kMountinfo},
                           {"proc/self/cgroup", "0::/a/b/c\n"},
                           {"sys/fs/cgroup/a/cpu.max", "600000 100000\n"},
                           {"sys/fs/cgroup/a/b/cpu.max", "300000 100000\n"},
                           {"sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n"},
                           {"sys/devices/system/cpu/online", "0-15\n"}});
  const CpuBudget budget = CpuBudget::Detect(OptionsFor(tree));
  EXPECT_EQ(budget.cpus, 3);
  EXPECT_EQ(budget.reason, "the quota of 3 cpus in /sys/fs/cgroup/a/b/cpu.max");
}

TEST(CpuBudgetTest, TheAffinityMaskLimits) {
  const CapturedTree tree = TreeWithQuota("1200000 100000\n");
  CpuBudgetOptions options = OptionsFor(tree);
  options.affinity = CpuSet({1, 3, 5});
  const CpuBudget budget = CpuBudget::Detect(options);
  EXPECT_EQ(budget.cpus, 3);
  EXPECT_EQ(budget.exact, 3);
  EXPECT_EQ(budget.reason, "the affinity mask, which allows 3 cpus: 1,3,5");
}

TEST(CpuBudgetTest, TheEnvironmentOverridesTheSystem) {
  const CapturedTree tree = TreeWithQuota("250000 100000\n");
  CpuBudgetOptions options = OptionsFor(tree);
  SetVariable("8", &options);
  const CpuBudget budget = CpuBudget::Detect(options);
  EXPECT_EQ(budget.cpus, 8);
  EXPECT_EQ(budget.exact, 2.5) << "the threads share what the quota grants";
  EXPECT_EQ(budget.reason,
            "the environment variable FILCH_NUM_THREADS; they share 2.5 cpus, because of the quota "
            "of 2.5 cpus in /sys/fs/cgroup/app/cpu.max");
}

TEST(CpuBudgetTest, TheExplicitOptionOverridesEverything) {
  const CapturedTree tree = TreeWithQuota("max 100000\n");
  CpuBudgetOptions options = OptionsFor(tree);
  SetVariable("8", &options);
  options.cpus = 2;
  const CpuBudget budget = CpuBudget::Detect(options);
  EXPECT_EQ(budget.cpus, 2);
  EXPECT_EQ(budget.exact, 2);
  EXPECT_EQ(budget.reason, "the explicit option");
}

TEST(CpuBudgetTest, AWishOfFewerThanTheQuotaIsExact) {
  const CapturedTree tree = TreeWithQuota("50000 100000\n");
  CpuBudgetOptions options = OptionsFor(tree);
  options.cpus = 1;
  const CpuBudget budget = CpuBudget::Detect(options);
  EXPECT_EQ(budget.cpus, 1);
  EXPECT_EQ(budget.exact, 0.5);
  EXPECT_EQ(budget.reason, "the explicit option");
}

TEST(CpuBudgetTest, UselessWishesArePassedOverAndReported) {
  const CapturedTree tree = TreeWithQuota("max 100000\n");
  for (const char* value : {"", "0", "-1", "four", "4x", "1.5", "65537", "99999999999"}) {
    CpuBudgetOptions options = OptionsFor(tree);
    SetVariable(value, &options);
    const CpuBudget budget = CpuBudget::Detect(options);
    EXPECT_EQ(budget.cpus, 16) << value;
    EXPECT_NE(budget.Describe().find("passed over: \"" + std::string(value) + "\""),
              std::string::npos)
        << budget.Describe();
  }
  for (int cpus : {0, -7, kMostThreads + 1}) {
    CpuBudgetOptions options = OptionsFor(tree);
    options.cpus = cpus;
    EXPECT_EQ(CpuBudget::Detect(options).cpus, 16);
  }
}

TEST(CpuBudgetTest, UnreadableFilesAreReportedAndDoNotLimit) {
  CapturedTree tree = TreeWithQuota("max 100000\n");
  tree.WriteUnreadable("sys/fs/cgroup/cpu.max");
  const CpuBudget budget = CpuBudget::Detect(OptionsFor(tree));
  EXPECT_EQ(budget.cpus, 16);
  EXPECT_NE(budget.Describe().find("/sys/fs/cgroup/cpu.max cannot be read"), std::string::npos)
      << budget.Describe();
}

TEST(CpuBudgetTest, SurvivesATreeWithNothingInIt) {
  const CapturedTree tree({});
  CpuBudgetOptions options = OptionsFor(tree);
  options.affinity = CpuSet();
  const CpuBudget budget = CpuBudget::Detect(options);
  EXPECT_GE(budget.cpus, 1);
  EXPECT_EQ(budget.reason.find("the hardware"), 0u) << budget.reason;
}

TEST(CpuBudgetTest, ListsEveryLimitInTheOrderOfPrecedence) {
  const CapturedTree tree = TreeWithQuota("250000 100000\n");
  CpuBudgetOptions options = OptionsFor(tree);
  options.cpus = 4;
  const CpuBudget budget = CpuBudget::Detect(options);
  ASSERT_EQ(budget.limits.size(), 5u);
  for (std::size_t i = 0; i < budget.limits.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(budget.limits[i].source), i);
  }
}

TEST(CpuBudgetTest, SeesAChangedQuotaWhenAskedAgain) {
  CapturedTree tree = TreeWithQuota("400000 100000\n");
  EXPECT_EQ(CpuBudget::Detect(OptionsFor(tree)).cpus, 4);
  tree.Write("sys/fs/cgroup/app/cpu.max", "200000 100000\n");
  EXPECT_EQ(CpuBudget::Detect(OptionsFor(tree)).cpus, 2);
}

TEST(CpuBudgetTest, HasMoreThan1024Cpus) {
  const CapturedTree tree({{"sys/devices/system/cpu/online", "0-2047\n"}});
  CpuBudgetOptions options = OptionsFor(tree);
  options.affinity = CpuSet::Range(0, 2047) - CpuSet::Range(100, 199);
  EXPECT_EQ(CpuBudget::Detect(options).cpus, 1948);
}

// What nproc prints: with the real files, and no wish.
TEST(CpuBudgetTest, DoesNotExceedTheAffinityMaskOfThisMachine) {
  CpuBudgetOptions options;
  options.environment = [](const std::string&) { return std::nullopt; };
  const CpuBudget budget = CpuBudget::Detect(options);
  EXPECT_GE(budget.cpus, 1);
  EXPECT_LE(budget.cpus, ThisThreadBinding()->size());
  EXPECT_GT(budget.exact, 0);
}

TEST(CpuBudgetTest, ABoundThreadGetsTheBudgetOfItsCpu) {
  std::thread([] {
    ASSERT_TRUE(BindThisThread({ThisThreadBinding()->Last()}).ok());
    CpuBudgetOptions options;
    options.environment = [](const std::string&) { return std::nullopt; };
    EXPECT_EQ(CpuBudget::Detect(options).cpus, 1);
  }).join();
}

}  // namespace
}  // namespace filch

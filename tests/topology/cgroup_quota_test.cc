#include "filch/topology/cgroup_quota.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/topology/captured_tree.h"

namespace filch {
namespace {

// As a systemd machine with version 2 only has it.
constexpr char kMountinfo2[] =
    "22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
    "26 22 0:23 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 "
    "rw,nsdelegate,memory_recursiveprot\n";

// As a systemd machine with version 1 has it: cpu and cpuacct in one tree.
constexpr char kMountinfo1[] =
    "32 24 0:28 / /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory\n"
    "33 24 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:10 - cgroup cgroup "
    "rw,cpu,cpuacct\n"
    "34 24 0:30 / /sys/fs/cgroup/cpuset rw,nosuid shared:11 - cgroup cgroup rw,cpuset\n";

std::vector<CgroupQuota> Read(CapturedTree::Files files) {
  return ReadCgroupQuotas(CapturedTree(files).root());
}

TEST(CgroupQuotaTest, ReadsVersion2OfTheGroupAndAllAncestors) {
  const auto quotas =
      Read({{"proc/self/mountinfo", kMountinfo2},
            {"proc/self/cgroup", "0::/outer.slice/middle/inner.scope\n"},
            {"sys/fs/cgroup/outer.slice/cpu.max", "150000 100000\n"},
            {"sys/fs/cgroup/outer.slice/middle/cpu.max", "max 100000\n"},
            {"sys/fs/cgroup/outer.slice/middle/inner.scope/cpu.max", "80000 20000\n"},
            {"sys/fs/cgroup/elsewhere/cpu.max", "1000 100000\n"}});
  ASSERT_EQ(quotas.size(), 3u);
  EXPECT_EQ(quotas[0].file, "/sys/fs/cgroup/outer.slice/middle/inner.scope/cpu.max");
  EXPECT_EQ(quotas[0].cpus, 4.0);
  EXPECT_EQ(quotas[1].file, "/sys/fs/cgroup/outer.slice/middle/cpu.max");
  EXPECT_EQ(quotas[1].cpus, std::nullopt);
  EXPECT_EQ(quotas[1].problem, "");
  EXPECT_EQ(quotas[2].cpus, 1.5);
  for (const CgroupQuota& quota : quotas) EXPECT_EQ(quota.version, 2);
}

TEST(CgroupQuotaTest, ReadsVersion1OfTheGroupAndAllAncestors) {
  const auto quotas = Read({{"proc/self/mountinfo", kMountinfo1},
                            {"proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/a/b\n3:cpuset:/c\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "300000\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n"},
                            {"sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "1000\n"}});
  ASSERT_EQ(quotas.size(), 3u);
  EXPECT_EQ(quotas[0].cpus, 3.0);
  EXPECT_EQ(quotas[1].cpus, 0.5);
  EXPECT_EQ(quotas[2].cpus, std::nullopt);
  for (const CgroupQuota& quota : quotas) EXPECT_EQ(quota.version, 1);
}

TEST(CgroupQuotaTest, ReadsBothVersionsWhereBothAreMounted) {
  const std::string both =
      std::string(kMountinfo1) + "40 24 0:38 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 c rw\n";
  const auto quotas = Read({{"proc/self/mountinfo", both},
                            {"proc/self/cgroup", "4:cpu,cpuacct:/a\n0::/u\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"},
                            {"sys/fs/cgroup/unified/u/cpu.max", "100000 100000\n"}});
  ASSERT_EQ(quotas.size(), 2u);
  EXPECT_EQ(quotas[0].version, 1);
  EXPECT_EQ(quotas[0].cpus, 2.0);
  EXPECT_EQ(quotas[1].version, 2);
  EXPECT_EQ(quotas[1].cpus, 1.0);
}

TEST(CgroupQuotaTest, FollowsAContainersMountOfItsOwnGroup) {
  // Without a cgroup namespace the container sees the whole path, and only its
  // own part of the tree is mounted.
  const auto quotas = Read({{"proc/self/mountinfo",
                             "700 690 0:29 /docker/1f3a /sys/fs/cgroup/cpu ro,nosuid master:10 - "
                             "cgroup cgroup rw,cpu\n"},
                            {"proc/self/cgroup", "4:cpu:/docker/1f3a/job\n"},
                            {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n"},
                            {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
                            {"sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "250000\n"},
                            {"sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n"}});
  ASSERT_EQ(quotas.size(), 2u);
  EXPECT_EQ(quotas[0].file, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us");
  EXPECT_EQ(quotas[0].cpus, 2.5);
  EXPECT_EQ(quotas[1].cpus, 4.0);
}

TEST(CgroupQuotaTest, ReadsTheMountPointWhenTheGroupLiesOutsideOfIt) {
  for (const char* group : {"/docker/1f3a", "/../../other", "/kubepods-else", "nonsense"}) {
    const auto quotas = Read(
        {{"proc/self/mountinfo", "26 22 0:23 /kubepods /sys/fs/cgroup rw - cgroup2 cgroup rw\n"},
         {"proc/self/cgroup", std::string("0::") + group + "\n"},
         {"sys/fs/cgroup/cpu.max", "700000 100000\n"}});
    ASSERT_EQ(quotas.size(), 1u) << group;
    EXPECT_EQ(quotas[0].cpus, 7.0);
  }
}

TEST(CgroupQuotaTest, UnderstandsAMountPointWithBlanks) {
  const auto quotas =
      Read({{"proc/self/mountinfo", "26 22 0:23 / /my\\040groups\\134x rw - cgroup2 cgroup rw\n"},
            {"proc/self/cgroup", "0::/\n"},
            {"my groups\\x/cpu.max", "100000 50000\n"}});
  ASSERT_EQ(quotas.size(), 1u);
  EXPECT_EQ(quotas[0].cpus, 2.0);
}

TEST(CgroupQuotaTest, GroupNamesMayContainColons) {
  const auto quotas = Read({{"proc/self/mountinfo", kMountinfo2},
                            {"proc/self/cgroup", "0::/run-p1:u2.scope\n"},
                            {"sys/fs/cgroup/run-p1:u2.scope/cpu.max", "200000 100000\n"}});
  ASSERT_EQ(quotas.size(), 1u);
  EXPECT_EQ(quotas[0].cpus, 2.0);
}

TEST(CgroupQuotaTest, ReportsWhatItCannotUnderstand) {
  for (const char* content : {"", "fast\n", "100000\n", "0 100000\n", "-5 100000\n", "1 0\n",
                              "1e5 100000\n", "99999999999999999999 100000\n", "1 2 3\n"}) {
    const auto quotas = Read({{"proc/self/mountinfo", kMountinfo2},
                              {"proc/self/cgroup", "0::/a\n"},
                              {"sys/fs/cgroup/a/cpu.max", content}});
    ASSERT_EQ(quotas.size(), 1u) << content;
    EXPECT_EQ(quotas[0].cpus, std::nullopt) << content;
    EXPECT_NE(quotas[0].problem.find("is not a quota."), std::string::npos) << content;
  }
}

TEST(CgroupQuotaTest, ReportsUnreadableFilesAndGoesOn) {
  CapturedTree tree({{"proc/self/mountinfo", kMountinfo2},
                     {"proc/self/cgroup", "0::/a/b\n"},
                     {"sys/fs/cgroup/a/cpu.max", "300000 100000\n"}});
  tree.WriteUnreadable("sys/fs/cgroup/a/b/cpu.max");
  const auto quotas = ReadCgroupQuotas(tree.root());
  ASSERT_EQ(quotas.size(), 2u);
  EXPECT_NE(quotas[0].problem.find("cannot be read"), std::string::npos) << quotas[0].problem;
  EXPECT_EQ(quotas[1].cpus, 3.0);
}

TEST(CgroupQuotaTest, ReportsThatTheGroupsCannotBeFoundOut) {
  for (const char* file : {"proc/self/cgroup", "proc/self/mountinfo"}) {
    CapturedTree tree({{"sys/fs/cgroup/cpu.max", "300000 100000\n"}});
    tree.WriteUnreadable(file);
    const auto quotas = ReadCgroupQuotas(tree.root());
    ASSERT_EQ(quotas.size(), 1u) << file;
    EXPECT_EQ(quotas[0].file, "/" + std::string(file));
    EXPECT_EQ(quotas[0].cpus, std::nullopt);
    EXPECT_NE(quotas[0].problem.find("cannot be read"), std::string::npos) << quotas[0].problem;
  }
}

TEST(CgroupQuotaTest, ReportsAMissingPeriod) {
  const auto quotas = Read({{"proc/self/mountinfo", kMountinfo1},
                            {"proc/self/cgroup", "4:cpu,cpuacct:/\n"},
                            {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "1000\n"}});
  ASSERT_EQ(quotas.size(), 1u);
  EXPECT_EQ(quotas[0].cpus, std::nullopt);
  EXPECT_NE(quotas[0].problem, "");
}

TEST(CgroupQuotaTest, NoControlGroupsMeansNoQuotas) {
  EXPECT_TRUE(Read({}).empty());
  EXPECT_TRUE(Read({{"proc/self/cgroup", "0::/\n"}}).empty());
  EXPECT_TRUE(
      Read({{"proc/self/cgroup", "0::/\n"}, {"proc/self/mountinfo", "junk\n - \n"}}).empty());
  EXPECT_TRUE(Read({{"proc/self/cgroup", "\n::\n"}, {"proc/self/mountinfo", kMountinfo2}}).empty());
}

TEST(CgroupQuotaTest, ReadsALongMountinfo) {
  std::string mountinfo;
  for (int i = 0; i < 5000; ++i) {
    mountinfo += "50 22 0:50 / /var/lib/layer" + std::to_string(i) + " rw - overlay o rw\n";
  }
  const auto quotas = Read({{"proc/self/mountinfo", mountinfo + kMountinfo2},
                            {"proc/self/cgroup", "0::/\n"},
                            {"sys/fs/cgroup/cpu.max", "100000 100000\n"}});
  ASSERT_EQ(quotas.size(), 1u);
  EXPECT_EQ(quotas[0].cpus, 1.0);
}

TEST(CgroupQuotaTest, ReadsThisMachine) {
  for (const CgroupQuota& quota : ReadCgroupQuotas("/")) {
    EXPECT_GT(quota.cpus.value_or(1), 0) << quota.file;
  }
}

}  // namespace
}  // namespace filch

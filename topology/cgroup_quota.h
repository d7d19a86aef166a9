// The cpu time that Linux control groups grant to this process.
//
// A container with "4 cpus" on a machine with 64 usually still sees all 64: the
// limit is a quota of cpu time, written in the process's control group or in
// any of that group's ancestors, and only the smallest one counts.  This reads
// them all: version 2 (cpu.max), version 1 (cpu.cfs_quota_us), and systems that
// mount both.  Most callers want CpuBudget, which weighs the quota against
// every other limit.
//
// Any thread may call it.  It keeps nothing: each call reads the files anew.
#ifndef FILCH_TOPOLOGY_CGROUP_QUOTA_H_
#define FILCH_TOPOLOGY_CGROUP_QUOTA_H_

#include <optional>
#include <string>
#include <vector>

namespace filch {

// What one file says about one group.
struct CgroupQuota {
  int version = 2;  // of the control groups: 1 or 2, if `file` is one of theirs
  std::string file;
  // Cpu time a second, in cpus; absent for "max" and where `problem` is set.
  std::optional<double> cpus;
  std::string problem;  // a sentence if the file exists and cannot be understood
};

// The quotas of the calling process and of all ancestors of its groups, from
// the process's own group upwards.  Groups without a file (the root group has
// none) are left out; where the groups cannot be found out because a file of
// the kernel's is unreadable, its `problem` stands alone.  `filesystem_root` is "/" or, in tests,
// the directory of a captured tree; the names in the result are below it.
std::vector<CgroupQuota> ReadCgroupQuotas(const std::string& filesystem_root);

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CGROUP_QUOTA_H_

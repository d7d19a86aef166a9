// CpuBudget: how many cpus this process may really use, and why.
//
// Use it to size a pool of threads.  For the shape of the machine use Machine.
// It reads a few small files and asks one system call, about a tenth of a
// millisecond, and keeps nothing: call Detect() again to see a changed quota.
//
// The order of precedence, first that is there:
//   1. the explicit option of the caller;
//   2. the environment variable FILCH_NUM_THREADS;
//   3. the smallest of: the control groups' quota rounded up, the affinity
//      mask, the hardware.
// 1 and 2 are wishes and may exceed 3; then the threads share fewer cpus, and
// the budget says so.  A wish that is not a whole number from 1 to kMostThreads is
// reported and passed over.  The answer is never below 1.
//
// Any thread may call it.  The affinity mask is the calling thread's: a thread
// that is bound to a cpu for its work gets the budget of that cpu.
//
//   CpuBudget budget = CpuBudget::Detect();
//   budget.cpus;    // 3
//   budget.exact;   // 2.5
//   budget.reason;  // "the quota of 2.5 cpus in /sys/fs/cgroup/app/cpu.max, rounded up"
#ifndef FILCH_TOPOLOGY_CPU_BUDGET_H_
#define FILCH_TOPOLOGY_CPU_BUDGET_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "filch/topology/cpu_set.h"

namespace filch {

enum class CpuLimitSource {
  kExplicit,     // CpuBudgetOptions::cpus
  kEnvironment,  // FILCH_NUM_THREADS
  kCgroupQuota,  // a control group or one of its ancestors
  kAffinity,     // the calling thread's affinity mask, cpusets included
  kHardware,     // the cpus that are online
};

// One limit that was considered.
struct CpuLimit {
  CpuLimitSource source = CpuLimitSource::kHardware;
  std::string where;           // file, variable or system call
  std::optional<double> cpus;  // absent if this source sets no limit
  std::string note;            // what the source says, or why it was passed over
};

// The world that Detect() looks at; the defaults are the real one.
struct CpuBudgetOptions {
  // The caller's own wish.
  std::optional<int> cpus;

  // The directory that stands for "/"; tests give a captured tree.  Empty: no
  // files are read.
  std::string filesystem_root = "/";

  // Looks up an environment variable; empty: std::getenv.
  std::function<std::optional<std::string>(const std::string&)> environment;

  // Instead of the calling thread's affinity mask.
  std::optional<CpuSet> affinity;

  // Instead of the cpus that the files or the standard library report.
  std::optional<CpuSet> hardware;
};

struct CpuBudget {
  // How many threads to start: at least 1.
  int cpus = 1;

  // How many cpus' worth of time those threads can get: the quota not rounded,
  // and never more than `cpus`.  0.5 under a quota of half a cpu.
  double exact = 1;

  // The cpus on which those threads may run: the affinity mask, or the hardware
  // if the mask cannot be read.  More than `cpus` under a quota.
  CpuSet allowed;

  // Which limit decided, as the end of the sentence "3 cpus, because of ...".
  std::string reason;

  // Every limit that was considered, in the order of precedence.
  std::vector<CpuLimit> limits;

  static CpuBudget Detect();
  static CpuBudget Detect(const CpuBudgetOptions& options);

  // The result, the reason and all limits, for people; several lines.
  std::string Describe() const;
};

// The largest wish that is taken for one, and not for a typing error: as many as
// a CpuSet holds.
inline constexpr int kMostThreads = CpuSet::kMaxCpu + 1;

// The variable that Detect() reads.
inline constexpr char kNumThreadsVariable[] = "FILCH_NUM_THREADS";

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CPU_BUDGET_H_

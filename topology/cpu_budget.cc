#include "filch/topology/cpu_budget.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/cgroup_quota.h"
#include "filch/topology/cpu_list.h"
#include "filch/topology/small_file.h"
#include "filch/topology/thread_binding.h"

namespace filch {
namespace {

constexpr char kOnlineFile[] = "/sys/devices/system/cpu/online";

std::string Cpus(double cpus) { return absl::StrCat(cpus, cpus == 1 ? " cpu" : " cpus"); }

// A wish, from whichever source, that must be a whole number from 1 to kMostThreads.
CpuLimit Wish(CpuLimitSource source, const std::string& where, const std::string& text) {
  CpuLimit limit{source, where, std::nullopt, ""};
  int cpus = 0;
  if (absl::SimpleAtoi(text, &cpus) && cpus >= 1 && cpus <= kMostThreads) {
    limit.cpus = cpus;
    limit.note = absl::StrCat("asks for ", Cpus(cpus));
  } else {
    limit.note =
        absl::StrCat("passed over: \"", text, "\" is not a whole number from 1 to ", kMostThreads);
  }
  return limit;
}

CpuLimit Environment(const CpuBudgetOptions& options) {
  std::optional<std::string> value;
  if (options.environment) {
    value = options.environment(kNumThreadsVariable);
  } else if (const char* text = std::getenv(kNumThreadsVariable); text != nullptr) {
    value = text;
  }
  const std::string where = absl::StrCat("the environment variable ", kNumThreadsVariable);
  if (value.has_value()) return Wish(CpuLimitSource::kEnvironment, where, *value);
  return {CpuLimitSource::kEnvironment, where, std::nullopt, "not set"};
}

void AppendQuotas(const CpuBudgetOptions& options, std::vector<CpuLimit>* limits) {
  const auto source = CpuLimitSource::kCgroupQuota;
  std::vector<CgroupQuota> quotas;
  if (!options.filesystem_root.empty()) quotas = ReadCgroupQuotas(options.filesystem_root);
  for (CgroupQuota& quota : quotas) {
    std::string note = quota.problem;
    if (note.empty()) note = quota.cpus ? absl::StrCat("grants ", Cpus(*quota.cpus)) : "no limit";
    limits->push_back({source, std::move(quota.file), quota.cpus, std::move(note)});
  }
  if (quotas.empty()) {
    limits->push_back({source, "the control groups", std::nullopt, "no file with a quota"});
  }
}

CpuLimit Affinity(const CpuBudgetOptions& options, CpuSet* allowed) {
  CpuLimit limit{CpuLimitSource::kAffinity, "the affinity mask", std::nullopt, ""};
  const absl::StatusOr<CpuSet> mask =
      options.affinity ? absl::StatusOr<CpuSet>(*options.affinity) : ThisThreadBinding();
  if (!mask.ok()) {
    limit.note = std::string(mask.status().message());
  } else if (mask->empty()) {
    limit.note = "passed over: it is empty";
  } else {
    limit.cpus = mask->size();
    limit.note = absl::StrCat("allows ", Cpus(*limit.cpus), ": ", mask->ToString());
    *allowed = *mask;
  }
  return limit;
}

// The cpus that the kernel says are online; empty if it does not say.
CpuSet ReadOnline(const std::string& filesystem_root) {
  if (filesystem_root.empty()) return CpuSet();
  const absl::StatusOr<std::string> text =
      topology_internal::ReadSmallFile(topology_internal::BelowRoot(filesystem_root, kOnlineFile));
  if (!text.ok()) return CpuSet();
  return ParseCpuList(*text).value_or(CpuSet());
}

CpuLimit Hardware(const CpuBudgetOptions& options, CpuSet* online) {
  *online = options.hardware ? *options.hardware : ReadOnline(options.filesystem_root);
  CpuLimit limit{CpuLimitSource::kHardware, kOnlineFile, std::nullopt, ""};
  if (options.hardware) limit.where = "the given hardware";
  if (online->empty()) {
    limit.where = "std::thread::hardware_concurrency()";
    *online = CpuSet::Range(0, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    // 0 means "unknown".
    if (online->empty()) online->Add(0);
  }
  limit.cpus = online->size();
  limit.note = absl::StrCat("has ", Cpus(*limit.cpus), ": ", online->ToString());
  return limit;
}

std::string ReasonOf(const CpuLimit& limit) {
  switch (limit.source) {
    case CpuLimitSource::kExplicit:
      return "the explicit option";
    case CpuLimitSource::kEnvironment:
      return limit.where;
    case CpuLimitSource::kCgroupQuota:
      return absl::StrCat("the quota of ", Cpus(*limit.cpus), " in ", limit.where);
    case CpuLimitSource::kAffinity:
      return absl::StrCat("the affinity mask, which ", limit.note);
    case CpuLimitSource::kHardware:
      return absl::StrCat("the hardware, which has ", Cpus(*limit.cpus));
  }
  return "";
}

// What the system grants whatever anybody wishes: the smallest of the limits
// that are no wishes.  Of equal ones the last, because an affinity mask of all
// cpus, or a quota of as many, is not the reason for anything.
const CpuLimit& Granted(const std::vector<CpuLimit>& limits) {
  const CpuLimit* granted = &limits.back();
  for (auto limit = limits.rbegin(); limit != limits.rend(); ++limit) {
    const bool is_wish = limit->source <= CpuLimitSource::kEnvironment;
    if (!is_wish && limit->cpus && *limit->cpus < *granted->cpus) granted = &*limit;
  }
  return *granted;
}

int RoundUp(double cpus) { return std::max(1, static_cast<int>(std::ceil(cpus))); }

}  // namespace

CpuBudget CpuBudget::Detect() { return Detect(CpuBudgetOptions()); }

CpuBudget CpuBudget::Detect(const CpuBudgetOptions& options) {
  CpuBudget budget;
  if (options.cpus) {
    budget.limits.push_back(
        Wish(CpuLimitSource::kExplicit, "the explicit option", absl::StrCat(*options.cpus)));
  }
  budget.limits.push_back(Environment(options));
  AppendQuotas(options, &budget.limits);
  CpuSet online;
  budget.limits.push_back(Affinity(options, &budget.allowed));
  budget.limits.push_back(Hardware(options, &online));
  if (budget.allowed.empty()) budget.allowed = online;

  const CpuLimit& granted = Granted(budget.limits);
  const CpuLimit* deciding = &granted;
  for (const CpuLimit& limit : budget.limits) {
    if (limit.source <= CpuLimitSource::kEnvironment && limit.cpus) {
      deciding = &limit;
      break;
    }
  }
  budget.cpus = RoundUp(*deciding->cpus);
  budget.exact = std::min<double>(budget.cpus, *granted.cpus);
  budget.reason = ReasonOf(*deciding);
  if (budget.cpus != *deciding->cpus) absl::StrAppend(&budget.reason, ", rounded up");
  if (budget.cpus > RoundUp(*granted.cpus)) {
    absl::StrAppend(&budget.reason, "; they share ", Cpus(*granted.cpus), ", because of ",
                    ReasonOf(granted));
  }
  return budget;
}

std::string CpuBudget::Describe() const {
  std::string text = absl::StrCat("budget: ", Cpus(cpus), ", because of ", reason, "\n");
  if (exact != cpus) absl::StrAppend(&text, "  cpu time for ", Cpus(exact), "\n");
  for (const CpuLimit& limit : limits) {
    absl::StrAppend(&text, "  ", limit.where, ": ", limit.note, "\n");
  }
  return text;
}

}  // namespace filch

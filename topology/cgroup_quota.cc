#include "filch/topology/cgroup_quota.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "filch/topology/small_file.h"

namespace filch {
namespace {

using topology_internal::BelowRoot;
using topology_internal::ReadSmallFile;

// A mounted tree of control groups that can limit cpu time.
struct Mount {
  int version;
  std::string group;      // the group that is mounted; "/" unless it is a part of the tree
  std::string directory;  // where
};

// mountinfo writes blanks and the like as a backslash and three octal digits.
std::string Unescape(absl::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    int digits = 0;
    while (text[i] == '\\' && digits < 3 && i + 1 + digits < text.size()) {
      const char digit = text[i + 1 + static_cast<std::size_t>(digits)];
      if (digit < '0' || digit > '7') break;
      code = code * 8 + (digit - '0');
      ++digits;
    }
    if (digits == 3) {
      result.push_back(static_cast<char>(code));
      i += 3;
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

bool ListHasCpu(absl::string_view comma_separated) {
  for (absl::string_view word : absl::StrSplit(comma_separated, ',')) {
    if (word == "cpu") return true;
  }
  return false;
}

// proc(5): 36 35 98:0 /group /directory rw,noatime shared:1 - cgroup2 source rw
std::vector<Mount> ParseMounts(const std::string& mountinfo) {
  std::vector<Mount> mounts;
  for (absl::string_view line : absl::StrSplit(mountinfo, '\n')) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    std::size_t dash = 6;  // behind any number of optional words
    while (dash < words.size() && words[dash] != "-") ++dash;
    if (dash + 3 >= words.size()) continue;
    const absl::string_view type = words[dash + 1];
    if (type == "cgroup2") {
      mounts.push_back({2, Unescape(words[3]), Unescape(words[4])});
    } else if (type == "cgroup" && ListHasCpu(words[dash + 3])) {
      mounts.push_back({1, Unescape(words[3]), Unescape(words[4])});
    }
  }
  return mounts;
}

// cgroups(7): "0::/group" for version 2, "4:cpu,cpuacct:/group" for version 1.
// The group of this process in the tree of that version; empty if it has none.
std::string FindGroup(const std::string& proc_self_cgroup, int version) {
  for (absl::string_view line : absl::StrSplit(proc_self_cgroup, '\n')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const bool is_version_2 = parts[0] == "0" && parts[1].empty();
    if (version == 2 ? is_version_2 : ListHasCpu(parts[1])) return std::string(parts[2]);
  }
  return "";
}

// The path of `group` below the mount point, "" for the mount point itself.  A
// process in a container may see a path that does not lie in what is mounted
// there ("/docker/1f3a" or "/../other"); then the mount point is all we can see
// of its groups, and by convention it is the container's own group.
std::string BelowMount(const std::string& group, const Mount& mount) {
  absl::string_view rest = group;
  if (mount.group != "/" && !absl::ConsumePrefix(&rest, mount.group)) return "";
  if (!rest.empty() && rest.front() != '/') return "";
  for (absl::string_view part : absl::StrSplit(rest, '/')) {
    if (part == "..") return "";
  }
  absl::ConsumeSuffix(&rest, "/");
  return std::string(rest);
}

CgroupQuota Problem(CgroupQuota quota, absl::string_view content) {
  quota.problem = absl::StrCat("\"", absl::StripAsciiWhitespace(content), "\" is not a quota.");
  return quota;
}

// quota/period in microseconds.  Version 2 writes "max" for none, version 1 -1.
CgroupQuota Divide(CgroupQuota quota, absl::string_view limit, absl::string_view period) {
  std::int64_t limit_us = 0;
  std::int64_t period_us = 0;
  if (limit == "max" || limit == "-1") return quota;
  if (!absl::SimpleAtoi(limit, &limit_us) || !absl::SimpleAtoi(period, &period_us) ||
      limit_us <= 0 || period_us <= 0) {
    return Problem(std::move(quota), absl::StrCat(limit, " ", period));
  }
  quota.cpus = static_cast<double>(limit_us) / static_cast<double>(period_us);
  return quota;
}

// What the group in `directory` says, if anything.
std::optional<CgroupQuota> ReadGroup(const std::string& root, const Mount& mount,
                                     const std::string& directory) {
  CgroupQuota quota;
  quota.version = mount.version;
  quota.file = absl::StrCat(directory, mount.version == 2 ? "/cpu.max" : "/cpu.cfs_quota_us");
  const absl::StatusOr<std::string> content = ReadSmallFile(BelowRoot(root, quota.file));
  if (absl::IsNotFound(content.status())) return std::nullopt;
  if (!content.ok()) {
    quota.problem = std::string(content.status().message());
    return quota;
  }
  if (mount.version == 1) {
    const absl::StatusOr<std::string> period =
        ReadSmallFile(BelowRoot(root, absl::StrCat(directory, "/cpu.cfs_period_us")));
    if (!period.ok()) {
      quota.problem = std::string(period.status().message());
      return quota;
    }
    return Divide(quota, absl::StripAsciiWhitespace(*content), absl::StripAsciiWhitespace(*period));
  }
  const std::vector<absl::string_view> words =
      absl::StrSplit(*content, absl::ByAnyChar(" \t\n"), absl::SkipEmpty());
  if (words.size() != 2) return Problem(quota, *content);
  return Divide(quota, words[0], words[1]);
}

// What the kernel says about this process in that file.  Without the file there
// are no control groups, as on a kernel built so; that it cannot be read is
// reported.
std::optional<std::string> ReadSelf(const std::string& root, const std::string& file,
                                    std::vector<CgroupQuota>* quotas) {
  absl::StatusOr<std::string> content = ReadSmallFile(BelowRoot(root, file));
  if (content.ok()) return *std::move(content);
  if (!absl::IsNotFound(content.status())) {
    CgroupQuota unknown;
    unknown.file = file;
    unknown.problem = std::string(content.status().message());
    quotas->push_back(std::move(unknown));
  }
  return std::nullopt;
}

void AppendQuotasOf(const std::string& root, const Mount& mount, const std::string& group,
                    std::vector<CgroupQuota>* quotas) {
  std::string below = BelowMount(group, mount);
  for (;;) {
    std::optional<CgroupQuota> quota = ReadGroup(root, mount, mount.directory + below);
    if (quota.has_value()) quotas->push_back(*std::move(quota));
    if (below.empty()) return;
    below.resize(below.rfind('/'));
  }
}

}  // namespace

std::vector<CgroupQuota> ReadCgroupQuotas(const std::string& filesystem_root) {
  std::vector<CgroupQuota> quotas;
  const auto cgroup = ReadSelf(filesystem_root, "/proc/self/cgroup", &quotas);
  const auto mountinfo = ReadSelf(filesystem_root, "/proc/self/mountinfo", &quotas);
  if (!cgroup || !mountinfo) return quotas;
  for (const Mount& mount : ParseMounts(*mountinfo)) {
    const std::string group = FindGroup(*cgroup, mount.version);
    if (!group.empty()) AppendQuotasOf(filesystem_root, mount, group, &quotas);
  }
  return quotas;
}

}  // namespace filch

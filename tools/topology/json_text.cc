#include "filch/tools/topology/json_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "filch/topology/cpu_budget.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"
#include "filch/topology/placement.h"
#include "filch/topology/proximity_order.h"

namespace filch::topology_tool {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&quoted, "\\u%04x", static_cast<int>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string Value(const std::string& text) { return Quoted(text); }
std::string Value(const CpuSet& cpus) { return Quoted(cpus.ToString()); }
std::string Value(std::int64_t number) { return absl::StrCat(number); }
std::string Value(int number) { return absl::StrCat(number); }
std::string Value(double number) { return absl::StrCat(number); }
std::string Value(const std::optional<double>& number) {
  return number ? absl::StrCat(*number) : "null";
}

// {"name": value, ...}
class Object {
 public:
  template <typename T>
  Object& Add(const char* name, const T& value) {
    return AddText(name, Value(value));
  }
  Object& AddText(const char* name, const std::string& json) {
    absl::StrAppend(&text_, text_.empty() ? "" : ", ", Quoted(name), ": ", json);
    return *this;
  }
  std::string Text() const { return absl::StrCat("{", text_, "}"); }

 private:
  std::string text_;
};

// [item, ...], an item a line.
template <typename T, typename Convert>
std::string List(const std::vector<T>& items, Convert convert) {
  std::vector<std::string> texts;
  for (const T& item : items) texts.push_back(absl::StrCat("\n  ", convert(item)));
  return absl::StrCat("[", absl::StrJoin(texts, ","), "]");
}

std::string Numbers(const std::vector<int>& numbers) {
  return absl::StrCat("[", absl::StrJoin(numbers, ", "), "]");
}

std::string CpuText(const Machine::Cpu& cpu) {
  return Object()
      .Add("id", cpu.id)
      .Add("core", cpu.core)
      .Add("cluster", cpu.cluster)
      .Add("node", cpu.node)
      .Add("package", cpu.package)
      .Add("kind", cpu.kind)
      .Add("smt_rank", cpu.smt_rank)
      .Text();
}

std::string MachineText(const Machine& machine) {
  Object object;
  object.Add("source", machine.source)
      .Add("online", machine.online)
      .Add("allowed", machine.allowed)
      .Add("offline", machine.offline);
  object.AddText("packages", List(machine.packages, [](const Machine::Package& package) {
                   return Object().Add("cpus", package.cpus).Text();
                 }));
  object.AddText("nodes", List(machine.nodes, [](const Machine::Node& node) {
                   return Object()
                       .Add("id", node.id)
                       .Add("bytes", node.bytes)
                       .Add("cpus", node.cpus)
                       .Add("local_to", node.local_to)
                       .Text();
                 }));
  object.AddText("clusters", List(machine.clusters, [](const Machine::Cluster& cluster) {
                   return Object()
                       .Add("cpus", cluster.cpus)
                       .AddText("cache", cluster.cache < 0 ? "null" : Value(cluster.cache))
                       .Text();
                 }));
  object.AddText("caches", List(machine.caches, [](const Machine::Cache& cache) {
                   return Object()
                       .Add("level", cache.level)
                       .Add("bytes", cache.bytes)
                       .Add("line_bytes", cache.line_bytes)
                       .Add("cpus", cache.cpus)
                       .Text();
                 }));
  object.AddText("core_kinds", List(machine.core_kinds, [](const Machine::CoreKind& kind) {
                   return Object()
                       .Add("name", kind.name)
                       .Add("performance_rank", kind.performance_rank)
                       .Add("cpus", kind.cpus)
                       .Text();
                 }));
  object.AddText("cores", List(machine.cores, [](const Machine::Core& core) {
                   return Object().Add("cpus", core.cpus).Text();
                 }));
  object.AddText("cpus", List(machine.cpus, CpuText));
  object.AddText("distances", List(machine.distances, Numbers));
  object.AddText("notes", List(machine.notes, Quoted));
  return object.Text();
}

std::string SourceName(CpuLimitSource source) {
  switch (source) {
    case CpuLimitSource::kExplicit:
      return "explicit";
    case CpuLimitSource::kEnvironment:
      return "environment";
    case CpuLimitSource::kCgroupQuota:
      return "cgroup_quota";
    case CpuLimitSource::kAffinity:
      return "affinity";
    case CpuLimitSource::kHardware:
      return "hardware";
  }
  return "";
}

std::string BudgetText(const CpuBudget& budget) {
  return Object()
      .Add("cpus", budget.cpus)
      .Add("exact", budget.exact)
      .Add("allowed", budget.allowed)
      .Add("reason", budget.reason)
      .AddText("limits", List(budget.limits,
                              [](const CpuLimit& limit) {
                                return Object()
                                    .Add("source", SourceName(limit.source))
                                    .Add("where", limit.where)
                                    .Add("cpus", limit.cpus)
                                    .Add("note", limit.note)
                                    .Text();
                              }))
      .Text();
}

std::string PlacementText(const TopologyReport& report) {
  const bool spread = report.placement.policy == PlacementPolicy::kSpread;
  std::vector<std::string> workers;
  for (int worker = 0; worker < static_cast<int>(report.placement.workers.size()); ++worker) {
    const auto rings = RingsOf(report.machine, report.placement, worker);
    workers.push_back(
        Object()
            .Add("cpu", report.placement.workers[static_cast<std::size_t>(worker)].id)
            .AddText("near_group", Numbers(NearGroup(report.machine, report.placement, worker)))
            .AddText("rings", List(rings,
                                   [](const Ring& ring) {
                                     return Object()
                                         .Add("shares", RingName(ring))
                                         .AddText("workers", Numbers(ring.workers))
                                         .Text();
                                   }))
            .Text());
  }
  return Object()
      .Add("policy", std::string(spread ? "spread" : "compact"))
      .Add("cpus", report.placement.cpus)
      .AddText("workers", List(workers, [](const std::string& text) { return text; }))
      .Text();
}

}  // namespace

std::string JsonText(const TopologyReport& report) {
  return Object()
             .AddText("machine", MachineText(report.machine))
             .AddText("budget", BudgetText(report.budget))
             .AddText("placement", PlacementText(report))
             .Text() +
         "\n";
}

}  // namespace filch::topology_tool

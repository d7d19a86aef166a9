#include "../include/oneapi/tbb/info.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../include/oneapi/tbb/detail/_usable_cpus.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/first_use.h"
#include "filch/pool/pool.h"
#include "filch/topology/contract.h"
#include "filch/topology/cpu_budget.h"
#include "filch/topology/cpu_filter.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/machine.h"
#include "filch/topology/thread_binding.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

using filch::CpuSet;
using filch::Machine;

// What is known when somebody asks first. Asking takes milliseconds.
struct Hardware {
  Hardware() : cpus(filch::MainThreadBinding().value_or(filch::CpuSet())) {
    if (cpus.empty()) cpus = filch::CpuBudget::Detect().allowed;
    auto detected = Machine::Detect();
    if (detected.ok()) machine = *std::move(detected);
  }

  std::optional<Machine> machine;  // unless the system does not tell
  CpuSet cpus;                     // that this process may use
};

// Never destroyed: arenas are made while statics go away.
const Hardware& TheHardware() {
  static filch::pool_internal::FirstUse<const Hardware> hardware;
  if (const Hardware* const known = hardware.Find()) return *known;
  // By each thread that asks first.  hwloc may load plugins, and a thread that holds the loader's
  // lock may be waiting for FirstUse's.
  Hardware detected;
  return hardware.Get(
      [&detected](void* memory) { return ::new (memory) Hardware(std::move(detected)); });
}

bool Constrains(const d1::constraints& wanted) {
  return wanted.numa_id != -1 || wanted.core_type != -1 || wanted.max_threads_per_core != -1;
}

// Several kinds of cores as one number: a bit for each, and binary 1000 above them, which
// neither a kind's own number has nor -1 and -2.
constexpr unsigned kSeveral = 0x80000000;
constexpr int kMostKinds = 28;

std::vector<int> KindsIn(d1::core_type_id core_type) {
  if (core_type == -1) return {};
  const auto bits = static_cast<unsigned>(core_type);
  if (bits >> kMostKinds != kSeveral >> kMostKinds) return {core_type};
  std::vector<int> kinds;
  for (int kind = 0; kind < kMostKinds; ++kind) {
    if ((bits >> kind & 1) != 0) kinds.push_back(kind);
  }
  return kinds;
}

// All that fit; the machine is known.
CpuSet Fitting(const d1::constraints& wanted) {
  const Hardware& hardware = TheHardware();
  const auto cpus =
      filch::SelectCpus(*hardware.machine, hardware.cpus,
                        {wanted.numa_id, KindsIn(wanted.core_type), wanted.max_threads_per_core});
  if (!cpus.ok()) {
    const std::string sentence = "tbb: constraints: " + std::string(cpus.status().message()) + ".";
    filch::Fail(sentence.c_str());
  }
  return *cpus;
}

std::vector<d1::numa_node_id> NumaNodes() {
  const Hardware& hardware = TheHardware();
  std::vector<d1::numa_node_id> ids;
  if (hardware.machine.has_value()) {
    for (const Machine::Node& node : hardware.machine->nodes) {
      if (node.cpus.Intersects(hardware.cpus)) ids.push_back(node.id);
    }
  }
  if (ids.empty()) ids.push_back(-1);
  return ids;
}

std::vector<d1::core_type_id> CoreTypes() {
  const Hardware& hardware = TheHardware();
  std::vector<d1::core_type_id> ids;
  if (hardware.machine.has_value()) {
    const std::vector<Machine::CoreKind>& kinds = hardware.machine->core_kinds;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i].cpus.Intersects(hardware.cpus)) ids.push_back(static_cast<int>(i));
    }
  }
  if (ids.empty()) ids.push_back(-1);
  return ids;
}

}  // namespace

std::size_t numa_node_count() { return NumaNodes().size(); }

void fill_numa_indices(d1::numa_node_id* ids) {
  const std::vector<d1::numa_node_id> nodes = NumaNodes();
  std::copy(nodes.begin(), nodes.end(), ids);
}

std::size_t core_type_count(std::intptr_t /*reserved*/) { return CoreTypes().size(); }

void fill_core_type_indices(d1::core_type_id* ids, std::intptr_t /*reserved*/) {
  const std::vector<d1::core_type_id> kinds = CoreTypes();
  std::copy(kinds.begin(), kinds.end(), ids);
}

d1::core_type_id any_core_type_of(const d1::core_type_id* kinds, std::size_t count) {
  if (count == 0) return -1;
  if (count == 1) return *kinds;
  unsigned bits = kSeveral;
  for (std::size_t i = 0; i != count; ++i) {
    const d1::core_type_id kind = kinds[i];
    if (kind < 0 || kind >= kMostKinds) {
      filch::Fail("tbb: a core type selector chose a kind of cores that has no number.");
    }
    bits |= 1U << kind;
  }
  return static_cast<d1::core_type_id>(bits);
}

int constraints_default_concurrency(const d1::constraints& wanted) {
  // It is what programs size their tables by.
  filch::DefaultPool().CountOnSlots();
  return UsableConcurrency(wanted);
}

int unconstrained_default_concurrency() { return constraints_default_concurrency({}); }

int UsableConcurrency(const d1::constraints& wanted) {
  const int all = filch::DefaultPool().concurrency();
  if (!Constrains(wanted) || !TheHardware().machine.has_value()) return all;
  return std::max(1, std::min(all, Fitting(wanted).size()));
}

CpuSet UsableCpus(const d1::constraints& wanted) {
  if (!Constrains(wanted) || !TheHardware().machine.has_value()) return {};
  CpuSet cpus = Fitting(wanted);
  return cpus == TheHardware().cpus ? CpuSet() : cpus;
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

// Where a Machine comes from: the functions that point hwloc at something.
#include <hwloc.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/hwloc_handle.h"
#include "filch/topology/machine.h"
#include "filch/topology/machine_hwloc.h"
#include "filch/topology/small_file.h"

namespace filch {
namespace {

using topology_internal::HwlocHandle;
using topology_internal::NewHwlocHandle;

absl::StatusOr<std::string> ExportXml(hwloc_topology_t topology) {
  char* buffer = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology, &buffer, &length, 0) != 0) {
    return absl::InternalError("hwloc cannot write the machine as XML.");
  }
  std::string xml(buffer);
  hwloc_free_xmlbuffer(topology, buffer);
  return xml;
}

// Loads what `topology` was pointed at and turns it into plain data.
absl::StatusOr<Machine> Load(hwloc_topology_t topology, const std::string& source) {
  // With the cpus that we may not use, so that the machine is seen whole.
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(topology) != 0) {
    return absl::InvalidArgumentError(absl::StrCat("hwloc cannot load ", source, "."));
  }
  const hwloc_const_bitmap_t all = hwloc_topology_get_complete_cpuset(topology);
  if (hwloc_bitmap_last(all) < 0 || hwloc_bitmap_last(all) > CpuSet::kMaxCpu ||
      hwloc_bitmap_iszero(hwloc_topology_get_topology_cpuset(topology)) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("In ", source, " are no cpus with numbers from 0 to ", CpuSet::kMaxCpu, "."));
  }
  Machine machine = topology_internal::ReadMachine(topology);
  machine.source = source;
  absl::StatusOr<std::string> xml = ExportXml(topology);
  if (!xml.ok()) return xml.status();
  machine.xml = *std::move(xml);
  return machine;
}

absl::StatusOr<Machine> LoadXml(const std::string& xml, const std::string& source) {
  absl::StatusOr<HwlocHandle> handle = NewHwlocHandle();
  if (!handle.ok()) return handle.status();
  if (hwloc_topology_set_xmlbuffer(handle->get(), xml.c_str(), static_cast<int>(xml.size()) + 1) !=
      0) {
    return absl::InvalidArgumentError(absl::StrCat("hwloc finds no XML in ", source, "."));
  }
  return Load(handle->get(), source);
}

}  // namespace

absl::StatusOr<Machine> Machine::Detect() {
  absl::StatusOr<HwlocHandle> handle = NewHwlocHandle();
  if (!handle.ok()) return handle.status();
  absl::StatusOr<Machine> machine =
      Load(handle->get(), absl::StrCat("this machine, read by hwloc ", HWLOC_VERSION));
  // HWLOC_XMLFILE and HWLOC_SYNTHETIC make hwloc describe something else.
  if (machine.ok() && hwloc_topology_is_thissystem(handle->get()) == 0) {
    machine->source = "another machine, which hwloc's environment variables name";
  }
  return machine;
}

absl::StatusOr<Machine> Machine::FromSynthetic(const std::string& description) {
  absl::StatusOr<HwlocHandle> handle = NewHwlocHandle();
  if (!handle.ok()) return handle.status();
  const std::string source = absl::StrCat("the synthetic description \"", description, "\"");
  if (hwloc_topology_set_synthetic(handle->get(), description.c_str()) != 0) {
    return absl::InvalidArgumentError(absl::StrCat("hwloc does not understand ", source, "."));
  }
  return Load(handle->get(), source);
}

absl::StatusOr<Machine> Machine::FromXml(const std::string& path) {
  const absl::StatusOr<std::string> xml = topology_internal::ReadSmallFile(path);
  if (!xml.ok()) return xml.status();
  return LoadXml(*xml, absl::StrCat("the XML file ", path));
}

absl::StatusOr<Machine> Machine::FromXmlText(const std::string& xml) {
  return LoadXml(xml, "the XML text");
}

}  // namespace filch

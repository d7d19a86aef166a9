// The report as JSON, for programs.
#ifndef FILCH_TOOLS_TOPOLOGY_JSON_TEXT_H_
#define FILCH_TOOLS_TOPOLOGY_JSON_TEXT_H_

#include <string>

#include "filch/topology/topology_report.h"

namespace filch::topology_tool {

// One object with the members machine, budget and placement.  Sets of cpus are
// strings ("0-3,8"), unknown numbers are null.
std::string JsonText(const TopologyReport& report);

}  // namespace filch::topology_tool

#endif  // FILCH_TOOLS_TOPOLOGY_JSON_TEXT_H_

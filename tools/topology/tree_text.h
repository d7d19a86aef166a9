// The machine as an indented tree with the workers in it, for people.
#ifndef FILCH_TOOLS_TOPOLOGY_TREE_TEXT_H_
#define FILCH_TOOLS_TOPOLOGY_TREE_TEXT_H_

#include <string>

#include "filch/topology/topology_report.h"

namespace filch::topology_tool {

// A line for each core, the conclusion first and its reasons last.
std::string TreeText(const TopologyReport& report);

}  // namespace filch::topology_tool

#endif  // FILCH_TOOLS_TOPOLOGY_TREE_TEXT_H_

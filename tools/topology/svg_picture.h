// The machine, the workers and the rings around one of them, as a picture.
#ifndef FILCH_TOOLS_TOPOLOGY_SVG_PICTURE_H_
#define FILCH_TOOLS_TOPOLOGY_SVG_PICTURE_H_

#include <string>

#include "filch/topology/topology_report.h"

namespace filch::topology_tool {

// A complete SVG file.  Boxes are parts of the machine, circles are workers,
// their colours the rings around the worker `centre` if there is one.
std::string SvgPicture(const TopologyReport& report, int centre);

}  // namespace filch::topology_tool

#endif  // FILCH_TOOLS_TOPOLOGY_SVG_PICTURE_H_

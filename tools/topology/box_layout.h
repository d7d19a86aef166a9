// Where the boxes of a picture of nested parts go.
#ifndef FILCH_TOOLS_TOPOLOGY_BOX_LAYOUT_H_
#define FILCH_TOOLS_TOPOLOGY_BOX_LAYOUT_H_

#include <vector>

#include "filch/tools/topology/machine_parts.h"

namespace filch::topology_tool {

// Sizes in pixels, position from the upper left corner of the picture.
struct Box {
  const Part* part = nullptr;  // outlives the box
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  std::vector<Box> children;
};

// The height of a line of text in a box of that kind; 0 for cpus, whose text is
// inside.
double LabelHeight(PartKind kind);

// Lays out the part and all parts in it, children in rows that make each box
// about as wide as a screen is.
Box LayOut(const Part& part, double x, double y);

}  // namespace filch::topology_tool

#endif  // FILCH_TOOLS_TOPOLOGY_BOX_LAYOUT_H_

#include "filch/tools/topology/box_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace filch::topology_tool {
namespace {

constexpr double kCpuSize = 34;
constexpr double kScreen = 1.6;  // width to height

double Gap(PartKind kind) { return kind == PartKind::kCore ? 3 : 8; }

// Generous: text that is wider than its box would cross the border.
double TextWidth(const Part& part) {
  const double letter = part.kind == PartKind::kCore ? 5.0 : 6.6;
  return letter * static_cast<double>(part.name.size());
}

// The children in rows of `columns`; sets their positions relative to the box,
// and the size of the box.
void Arrange(std::size_t columns, Box* box) {
  const double gap = Gap(box->part->kind);
  std::vector<double> widths(columns, 0);
  for (std::size_t i = 0; i < box->children.size(); ++i) {
    widths[i % columns] = std::max(widths[i % columns], box->children[i].width);
  }
  double y = gap + LabelHeight(box->part->kind);
  double right = 0;
  for (std::size_t first = 0; first < box->children.size(); first += columns) {
    const std::size_t last = std::min(first + columns, box->children.size());
    double x = gap;
    double height = 0;
    for (std::size_t i = first; i < last; ++i) {
      box->children[i].x = x;
      box->children[i].y = y;
      x += widths[i - first] + gap;
      height = std::max(height, box->children[i].height);
    }
    right = std::max(right, x);
    y += height + gap;
  }
  box->width = std::max(right, TextWidth(*box->part) + 2 * gap);
  box->height = y;
}

// How far from the shape of a screen, and how much of the grid is left empty.
double Ugliness(std::size_t columns, const Box& box) {
  const std::size_t count = box.children.size();
  const std::size_t cells = (count + columns - 1) / columns * columns;
  const double empty = static_cast<double>(cells - count) / static_cast<double>(cells);
  return std::abs(std::log(box.width / box.height / kScreen)) + 3 * empty;
}

Box Measure(const Part& part) {
  Box box;
  box.part = &part;
  if (part.kind == PartKind::kCpu) {
    box.width = box.height = kCpuSize;
    return box;
  }
  for (const Part& child : part.children) box.children.push_back(Measure(child));
  if (box.children.empty()) {
    Arrange(1, &box);
    return box;
  }
  // The cpus of a core stay side by side.
  std::size_t best = box.children.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t columns = 1; part.kind != PartKind::kCore && columns <= box.children.size();
       ++columns) {
    Arrange(columns, &box);
    const double ugliness = Ugliness(columns, box);
    if (ugliness < least) {
      least = ugliness;
      best = columns;
    }
  }
  Arrange(best, &box);
  return box;
}

void Move(double x, double y, Box* box) {
  box->x += x;
  box->y += y;
  for (Box& child : box->children) Move(box->x, box->y, &child);
}

}  // namespace

double LabelHeight(PartKind kind) {
  if (kind == PartKind::kCpu) return 0;
  return kind == PartKind::kCore ? 11 : 15;
}

Box LayOut(const Part& part, double x, double y) {
  Box box = Measure(part);
  Move(x, y, &box);
  return box;
}

}  // namespace filch::topology_tool

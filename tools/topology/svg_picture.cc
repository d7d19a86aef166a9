#include "filch/tools/topology/svg_picture.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "filch/tools/topology/box_layout.h"
#include "filch/tools/topology/machine_parts.h"
#include "filch/topology/machine.h"
#include "filch/topology/proximity_order.h"

namespace filch::topology_tool {
namespace {

constexpr double kMargin = 16;
constexpr double kLeastWidth = 560;  // so that the sentences above have room
constexpr double kLine = 17;

struct Colour {
  const char* fill;
  const char* text;
};

// The centre, then rings from the nearest to the farthest: from dark and warm to
// pale and cold, told apart in grey too.
constexpr Colour kRingColours[] = {
    {"#111111", "#ffffff"}, {"#a50026", "#ffffff"}, {"#e34a33", "#ffffff"}, {"#fdae61", "#111111"},
    {"#fee090", "#111111"}, {"#abd9e9", "#111111"}, {"#4575b4", "#ffffff"}, {"#313695", "#ffffff"},
};
// A worker when there is no centre.
constexpr Colour kPlainWorker = {"#4575b4", "#ffffff"};

const Colour& RingColour(std::size_t ring) {
  return kRingColours[std::min(ring, std::size(kRingColours) - 1)];
}

// The fill of a core: the faster, the warmer.
const char* CoreColour(const Machine& machine, int kind) {
  constexpr const char* kColours[] = {"#dce9f5", "#ecf4e4", "#fdebd3"};
  if (machine.core_kinds.size() == 1) return "#ffffff";
  const int rank = machine.core_kinds[static_cast<std::size_t>(kind)].performance_rank;
  const int fastest = static_cast<int>(machine.core_kinds.size()) - 1;
  if (rank < 0) return "#ffffff";
  return rank == 0 ? kColours[0] : rank >= fastest ? kColours[2] : kColours[1];
}

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Breaks a sentence into lines of at most that many letters, at blanks.
std::vector<std::string> Wrapped(const std::string& sentence, std::size_t letters) {
  std::vector<std::string> lines;
  for (absl::string_view word : absl::StrSplit(sentence, ' ')) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > letters) {
      lines.emplace_back(word);
    } else {
      absl::StrAppend(&lines.back(), " ", word);
    }
  }
  return lines;
}

class Painter {
 public:
  Painter(const TopologyReport& report, int centre) : report_(report) {
    const int workers = static_cast<int>(report.placement.workers.size());
    if (centre < 0 || centre >= workers) return;
    centre_ = centre;
    rings_ = RingsOf(report.machine, report.placement, centre);
    ring_of_[centre] = 0;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      for (int worker : rings_[i].workers) ring_of_[worker] = i + 1;
    }
  }

  std::string Paint() {
    const Part root = PartsOf(report_);
    const double width = std::max(kLeastWidth, LayOut(root, 0, 0).width + 2 * kMargin);
    double y = PaintHead(width);
    const Box box = LayOut(root, kMargin, y);
    PaintBox(box);
    y = PaintLegend(width, box.y + box.height + kLine);
    return absl::StrFormat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
        "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%s</svg>\n",
        width, y, width, y, svg_);
  }

 private:
  void Text(double x, double y, double size, const char* attributes, const std::string& text) {
    absl::StrAppendFormat(&svg_, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" %s>%s</text>\n", x,
                          y, size, attributes, Escaped(text));
  }

  void Rectangle(const Box& box, const char* fill, const char* attributes) {
    absl::StrAppendFormat(&svg_,
                          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" "
                          "fill=\"%s\" %s/>\n",
                          box.x, box.y, box.width, box.height, fill, attributes);
  }

  void Circle(double x, double y, const Colour& colour, const std::string& text) {
    absl::StrAppendFormat(&svg_, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"10\" fill=\"%s\"/>\n", x, y,
                          colour.fill);
    // Four digits still fit into the circle.
    const double size = text.size() <= 2 ? 11 : text.size() == 3 ? 9 : 7;
    Text(x, y + size * 0.36, size,
         absl::StrCat("text-anchor=\"middle\" fill=\"", colour.text, "\"").c_str(), text);
  }

  // Returns where the next thing goes.
  double PaintHead(double width) {
    const auto letters = static_cast<std::size_t>((width - 2 * kMargin) / 7.4);
    double y = kMargin + 10;
    const std::string headline = absl::StrCat("filch starts ", report_.budget.cpus,
                                              report_.budget.cpus == 1 ? " worker" : " workers",
                                              ", because of ", report_.budget.reason, ".");
    for (const std::string& line : Wrapped(headline, letters)) {
      Text(kMargin, y, 13, "font-weight=\"bold\"", line);
      y += kLine;
    }
    for (const std::string& line : Wrapped(report_.machine.Summary(), letters)) {
      Text(kMargin, y, 12, "", line);
      y += kLine;
    }
    return y - 4;
  }

  void PaintBox(const Box& box) {
    const Part& part = *box.part;
    if (part.kind == PartKind::kCpu) {
      PaintCpu(box);
      return;
    }
    const bool is_core = part.kind == PartKind::kCore;
    const char* const fill = part.kind == PartKind::kMachine   ? "#f7f7f7"
                             : part.kind == PartKind::kPackage ? "#ececec"
                             : part.kind == PartKind::kNode    ? "#e1e7ee"
                             : part.kind == PartKind::kCluster
                                 ? "#f3f0e8"
                                 : CoreColour(report_.machine, part.core_kind);
    Rectangle(box, fill, "stroke=\"#8a8a8a\"");
    Text(box.x + (is_core ? 4 : 8), box.y + (is_core ? 10 : 16), is_core ? 8.5 : 12,
         "fill=\"#333333\"", part.name);
    for (const Box& child : box.children) PaintBox(child);
  }

  void PaintCpu(const Box& box) {
    const Part& cpu = *box.part;
    Rectangle(box, cpu.available ? "#ffffff" : "#c9c9c9",
              cpu.available ? "stroke=\"#b0b0b0\"" : "stroke=\"#8a8a8a\" stroke-dasharray=\"3 2\"");
    Text(box.x + 3, box.y + 9, 8, "fill=\"#555555\"", absl::StrCat(cpu.cpu));
    if (cpu.workers.empty()) return;
    const int worker = cpu.workers.front();
    const auto ring = ring_of_.find(worker);
    Circle(box.x + box.width / 2, box.y + box.height / 2 + 4,
           ring == ring_of_.end() ? kPlainWorker : RingColour(ring->second), absl::StrCat(worker));
    if (cpu.workers.size() > 1) {
      Text(box.x + box.width - 3, box.y + 9, 8, "text-anchor=\"end\" fill=\"#a50026\"",
           absl::StrCat("+", cpu.workers.size() - 1));
    }
  }

  // An entry of the legend; returns where the next one goes.
  double PaintEntry(double width, double y, const std::string& text) {
    const auto letters = static_cast<std::size_t>((width - 2 * kMargin - 28) / 6.6);
    for (const std::string& line : Wrapped(text, letters)) {
      Text(kMargin + 28, y + 4, 12, "", line);
      y += kLine;
    }
    return y + 7;
  }

  double PaintLegend(double width, double y) {
    if (centre_ >= 0) {
      Circle(kMargin + 10, y, RingColour(0), absl::StrCat(centre_));
      y = PaintEntry(width, y,
                     absl::StrCat("worker ", centre_, " on cpu ",
                                  report_.placement.workers[static_cast<std::size_t>(centre_)].id,
                                  "; around it, nearest first:"));
    }
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      Circle(kMargin + 10, y, RingColour(i + 1), "");
      const std::size_t count = rings_[i].workers.size();
      y = PaintEntry(width, y,
                     absl::StrCat(count, count == 1 ? " worker shares" : " workers share", " its ",
                                  RingName(rings_[i])));
    }
    for (const std::string& note : report_.machine.notes) y = PaintEntry(width, y, note);
    return y;
  }

  const TopologyReport& report_;
  int centre_ = -1;
  std::vector<Ring> rings_;
  std::map<int, std::size_t> ring_of_;  // 0 is the centre itself
  std::string svg_;
};

}  // namespace

std::string SvgPicture(const TopologyReport& report, int centre) {
  return Painter(report, centre).Paint();
}

}  // namespace filch::topology_tool

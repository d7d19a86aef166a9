// The command line of filch-topology.
#ifndef FILCH_TOOLS_TOPOLOGY_ARGUMENTS_H_
#define FILCH_TOOLS_TOPOLOGY_ARGUMENTS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "filch/topology/placement.h"

namespace filch::topology_tool {

enum class OutputFormat { kTree, kJson, kSvg, kHwlocXml };

struct Arguments {
  // Which machine; at most one of the two, this machine without either.
  std::optional<std::string> synthetic;
  std::optional<std::string> xml_file;

  // Where the control groups are read from: "/" for this machine, nowhere for
  // another one, unless this says otherwise.
  std::optional<std::string> root;

  std::optional<int> workers;
  PlacementPolicy policy = PlacementPolicy::kSpread;
  OutputFormat format = OutputFormat::kTree;
  std::optional<int> rings_of;  // the worker whose rings the picture shows
  bool help = false;
};

// The words behind the program's name.  A word that is not understood gives a
// sentence about it.
absl::StatusOr<Arguments> ParseArguments(const std::vector<std::string>& words);

// One line, and what the options mean.
std::string UsageLine();
std::string HelpText();

}  // namespace filch::topology_tool

#endif  // FILCH_TOOLS_TOPOLOGY_ARGUMENTS_H_

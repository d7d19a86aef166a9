#include "filch/tools/topology/arguments.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/cpu_budget.h"

namespace filch::topology_tool {
namespace {

// An option that a word names, with the value behind "=" or in the next word.
struct Option {
  std::string name;
  std::optional<std::string> value;
};

Option SplitWord(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

bool TakesValue(const std::string& name) {
  return name == "--synthetic" || name == "--xml" || name == "--root" || name == "--workers" ||
         name == "--policy" || name == "--rings-of";
}

absl::Status Refuse(const std::string& sentence) { return absl::InvalidArgumentError(sentence); }

absl::Status SetNumber(const Option& option, int least, int most, std::optional<int>* number) {
  int value = 0;
  if (absl::SimpleAtoi(*option.value, &value) && value >= least && value <= most) {
    *number = value;
    return absl::OkStatus();
  }
  return Refuse(absl::StrCat(option.name, " needs a number from ", least, " to ", most, ", not \"",
                             *option.value, "\"."));
}

absl::Status SetValue(const Option& option, Arguments* arguments) {
  if (option.name == "--synthetic") {
    arguments->synthetic = option.value;
  } else if (option.name == "--xml") {
    arguments->xml_file = option.value;
  } else if (option.name == "--root") {
    arguments->root = option.value;
  } else if (option.name == "--workers") {
    return SetNumber(option, 1, kMostThreads, &arguments->workers);
  } else if (option.name == "--rings-of") {
    return SetNumber(option, 0, kMostThreads - 1, &arguments->rings_of);
  } else if (*option.value == "spread") {
    arguments->policy = PlacementPolicy::kSpread;
  } else if (*option.value == "compact") {
    arguments->policy = PlacementPolicy::kCompact;
  } else {
    return Refuse(absl::StrCat("--policy is spread or compact, not \"", *option.value, "\"."));
  }
  return absl::OkStatus();
}

// The format that an option names; the tree if it names none.
OutputFormat FormatOf(const std::string& name) {
  if (name == "--json") return OutputFormat::kJson;
  if (name == "--svg") return OutputFormat::kSvg;
  return name == "--export-xml" ? OutputFormat::kHwlocXml : OutputFormat::kTree;
}

absl::Status SetSwitch(const Option& option, Arguments* arguments) {
  const OutputFormat format = FormatOf(option.name);
  if (format == OutputFormat::kTree && option.name != "--help") {
    return Refuse(absl::StrCat("There is no option \"", option.name, "\"."));
  }
  if (option.value) return Refuse(absl::StrCat(option.name, " takes no value."));
  if (format == OutputFormat::kTree) {
    arguments->help = true;
  } else if (arguments->format == OutputFormat::kTree || arguments->format == format) {
    arguments->format = format;
  } else {
    return Refuse(absl::StrCat(option.name, " is one format too many; choose one."));
  }
  return absl::OkStatus();
}

// Options that contradict each other, or would be passed over.
absl::Status CheckTogether(const Arguments& arguments) {
  if (arguments.synthetic && arguments.xml_file) {
    return Refuse("--synthetic and --xml name two machines; choose one.");
  }
  if (arguments.rings_of && arguments.format != OutputFormat::kSvg) {
    return Refuse("--rings-of is about the picture; it needs --svg.");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Arguments> ParseArguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Option option = SplitWord(words[i]);
    absl::Status status;
    if (TakesValue(option.name)) {
      if (!option.value && i + 1 < words.size()) option.value = words[++i];
      if (!option.value) return Refuse(absl::StrCat(option.name, " needs a value."));
      status = SetValue(option, &arguments);
    } else {
      status = SetSwitch(option, &arguments);
    }
    if (!status.ok()) return status;
  }
  const absl::Status status = CheckTogether(arguments);
  if (!status.ok()) return status;
  return arguments;
}

std::string UsageLine() {
  return "usage: filch-topology [--synthetic DESCRIPTION | --xml FILE] [--root DIRECTORY] "
         "[--workers N] [--policy spread|compact] [--json | --svg [--rings-of WORKER] | "
         "--export-xml] [--help]\n";
}

std::string HelpText() {
  return UsageLine() +
         "\n"
         "Prints the machine, how many workers filch would start on it and why, and where.\n"
         "\n"
         "  --synthetic TEXT  a machine in hwloc's notation: \"package:2 l3cache:2 core:4 pu:2\"\n"
         "  --xml FILE        a machine that hwloc (lstopo file.xml) or --export-xml wrote\n"
         "  --root DIRECTORY  read the control groups below it instead of this machine's\n"
         "  --workers N       start N workers, whatever the budget\n"
         "  --policy WORD     spread workers over the machine (the default), or keep them compact\n"
         "  --json            everything, with the rings of every worker, for programs\n"
         "  --svg             a picture, with the rings around --rings-of (0)\n"
         "  --export-xml      the machine in hwloc's XML format\n";
}

}  // namespace filch::topology_tool

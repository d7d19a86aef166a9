// filch-topology: prints the machine, and how many workers filch would start on
// it, why and where.  See --help.
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "filch/tools/topology/arguments.h"
#include "filch/tools/topology/json_text.h"
#include "filch/tools/topology/svg_picture.h"
#include "filch/tools/topology/tree_text.h"
#include "filch/topology/cpu_budget.h"
#include "filch/topology/machine.h"
#include "filch/topology/topology_report.h"

namespace filch::topology_tool {
namespace {

absl::StatusOr<Machine> LoadMachine(const Arguments& arguments) {
  if (arguments.synthetic) return Machine::FromSynthetic(*arguments.synthetic);
  if (arguments.xml_file) return Machine::FromXml(*arguments.xml_file);
  return Machine::Detect();
}

absl::StatusOr<TopologyReport> Report(const Arguments& arguments) {
  absl::StatusOr<Machine> machine = LoadMachine(arguments);
  if (!machine.ok()) return machine.status();
  const bool is_this_machine = !arguments.synthetic && !arguments.xml_file;
  CpuBudgetOptions options = is_this_machine ? CpuBudgetOptions() : BudgetOptionsFor(*machine);
  options.cpus = arguments.workers;
  if (arguments.root) {
    std::error_code error;
    if (!std::filesystem::is_directory(*arguments.root, error)) {
      return absl::NotFoundError(absl::StrCat("\"", *arguments.root, "\" is not a directory."));
    }
    options.filesystem_root = *arguments.root;
  }
  return TopologyReport::Of(*std::move(machine), options, arguments.policy);
}

absl::StatusOr<std::string> Picture(const TopologyReport& report, int centre) {
  if (static_cast<std::size_t>(centre) >= report.placement.workers.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("There is no worker ", centre, " to draw rings around."));
  }
  return SvgPicture(report, centre);
}

absl::StatusOr<std::string> Output(const Arguments& arguments) {
  if (arguments.help) return HelpText();
  const absl::StatusOr<TopologyReport> report = Report(arguments);
  if (!report.ok()) return report.status();
  switch (arguments.format) {
    case OutputFormat::kTree:
      return TreeText(*report);
    case OutputFormat::kJson:
      return JsonText(*report);
    case OutputFormat::kHwlocXml:
      return report->machine.xml;
    case OutputFormat::kSvg:
      return Picture(*report, arguments.rings_of.value_or(0));
  }
  return absl::InternalError("There is no such format.");
}

int Complain(const absl::Status& status) {
  std::fprintf(stderr, "filch-topology: %s\n", std::string(status.message()).c_str());
  return 1;
}

// 0 if it printed what was asked for, 1 if it could not, 2 if it was not
// understood.
int Run(const std::vector<std::string>& words) {
  const absl::StatusOr<Arguments> arguments = ParseArguments(words);
  if (!arguments.ok()) {
    Complain(arguments.status());
    std::fputs(UsageLine().c_str(), stderr);
    return 2;
  }
  const absl::StatusOr<std::string> output = Output(*arguments);
  if (!output.ok()) return Complain(output.status());
  std::fputs(output->c_str(), stdout);
  if (std::fflush(stdout) == 0) return 0;
  return Complain(absl::DataLossError("The output cannot be written."));
}

}  // namespace
}  // namespace filch::topology_tool

int main(int argc, char** argv) {
  return filch::topology_tool::Run(std::vector<std::string>(argv + 1, argv + argc));
}

#include "tools/demo_programs/command_line.h"

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace demo {
namespace {

// False unless the whole text is one number between the limits.
bool ReadNumber(const std::string& text, long smallest, long largest, long* value) {
  long number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < smallest || number > largest) return false;
  *value = number;
  return true;
}

}  // namespace

CommandLine::CommandLine(std::string program, const std::string& own_usage)
    : program_(std::move(program)) {
  usage_ = "usage: " + program_ + (own_usage.empty() ? "" : " ") + own_usage;
}

void CommandLine::AddFlag(std::string name, bool* value) {
  Option option;
  option.name = std::move(name);
  option.flag = value;
  options_.push_back(std::move(option));
}

void CommandLine::AddNumber(std::string name, long smallest, long largest, long* value) {
  Option option;
  option.name = std::move(name);
  option.number = value;
  option.smallest = smallest;
  option.largest = largest;
  options_.push_back(std::move(option));
}

void CommandLine::AddText(std::string name, std::string* value) {
  Option option;
  option.name = std::move(name);
  option.text = value;
  options_.push_back(std::move(option));
}

void CommandLine::AddRest(std::vector<std::string>* value) { rest_ = value; }

void CommandLine::AddRunOptions(RunOptions* options) {
  usage_.insert(("usage: " + program_).size(),
                " [--serial] [--threads N] [--repeat N] [--progress] [--json FILE]");
  AddFlag("serial", &options->serial);
  AddFlag("progress", &options->progress);
  AddNumber("threads", 1, 1024, &options->threads);
  AddNumber("repeat", 1, 1000, &options->repeat);
  AddText("json", &options->json);
}

const CommandLine::Option* CommandLine::Find(const std::string& name) const {
  for (const Option& option : options_) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::string CommandLine::NotInRange(const Option& option, const std::string& value) {
  return "The option --" + option.name + " takes a number from " + std::to_string(option.smallest) +
         " to " + std::to_string(option.largest) + ", not '" + value + "'.";
}

std::string CommandLine::Parse(const std::vector<std::string>& arguments) {
  bool only_rest = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--" && !only_rest) {
      only_rest = true;
      continue;
    }
    if (only_rest || argument.compare(0, 2, "--") != 0) {
      if (rest_ == nullptr) return "'" + argument + "' is not an option.";
      rest_->push_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Option* option = Find(name);
    if (option == nullptr) return "There is no option --" + name + ".";
    if (option->flag != nullptr) {
      if (equals != std::string::npos) return "The option --" + name + " takes no value.";
      *option->flag = true;
      continue;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    } else {
      return "The option --" + name + " needs a value.";
    }
    if (option->text != nullptr) {
      *option->text = value;
    } else if (!ReadNumber(value, option->smallest, option->largest, option->number)) {
      return NotInRange(*option, value);
    }
  }
  return "";
}

void CommandLine::ParseOrExit(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  for (const std::string& argument : arguments) {
    if (argument == "--help") {
      std::printf("%s\n", usage_.c_str());
      std::exit(0);
    }
  }
  const std::string problem = Parse(arguments);
  if (problem.empty()) return;
  std::fprintf(stderr, "%s: %s\n%s\n", program_.c_str(), problem.c_str(), usage_.c_str());
  std::exit(2);
}

}  // namespace demo

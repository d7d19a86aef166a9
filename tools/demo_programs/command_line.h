// CommandLine: options of the form --name VALUE, --name=VALUE and --flag.
//
// For the demonstration's programs; it knows numbers, texts and flags, and
// nothing else.  Parse() reports what is wrong in a sentence and touches no
// stream; ParseOrExit() prints the sentence and a usage line, and exits with 2.
// One thread.
//
// Example:
//   long size = 30;
//   CommandLine line("fib", "[--size N]");
//   line.AddNumber("size", 0, 90, &size);
//   line.ParseOrExit(argc, argv);
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_COMMAND_LINE_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_COMMAND_LINE_H_

#include <string>
#include <vector>

namespace demo {

// What every program of the demonstration can be asked for.
struct RunOptions {
  bool serial = false;    // the reference: the same job without TBB
  bool progress = false;  // lines on stderr while a long part runs
  long threads = 0;       // 0: as many as TBB chooses
  long repeat = 1;        // how often the timed part runs
  std::string json;       // where the result goes; empty: stdout
};

class CommandLine {
 public:
  // `own_usage` names the options that are added below, as in "[--size N]".
  CommandLine(std::string program, const std::string& own_usage);

  void AddFlag(std::string name, bool* value);
  void AddNumber(std::string name, long smallest, long largest, long* value);
  void AddText(std::string name, std::string* value);
  // Accepts arguments that are not options; without it they are errors.
  void AddRest(std::vector<std::string>* value);
  void AddRunOptions(RunOptions* options);

  // Empty if all went well, else a sentence.  `arguments` has no program name.
  std::string Parse(const std::vector<std::string>& arguments);
  // Also serves --help, which prints the usage line and exits with 0.
  void ParseOrExit(int argc, char** argv);

  const std::string& usage() const { return usage_; }

 private:
  struct Option {
    std::string name;
    bool* flag = nullptr;
    std::string* text = nullptr;
    long* number = nullptr;
    long smallest = 0;
    long largest = 0;
  };

  const Option* Find(const std::string& name) const;
  static std::string NotInRange(const Option& option, const std::string& value);

  std::string program_;
  std::string usage_;
  std::vector<Option> options_;
  std::vector<std::string>* rest_ = nullptr;
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_COMMAND_LINE_H_

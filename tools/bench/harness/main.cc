// The program of a runtime: runs one of the workloads that are linked into it.
//
//   <runtime> [--size N] [--threads N] [--repeat N] [--json FILE] WORKLOAD
//   <runtime> --list
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/bench/harness/run.h"
#include "tools/bench/harness/runtime.h"
#include "tools/demo_programs/command_line.h"
#include "tools/demo_programs/json_object.h"

namespace bench {
namespace {

// Filled by static initialisers of other files, so made by the first of them.
std::map<std::string, Workload>& Workloads() {
  static auto* const workloads = new std::map<std::string, Workload>;
  return *workloads;
}

// The most memory that this process ever had, in kilobytes; 0 if nobody says.
double PeakKilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes;
  }
  return 0;
}

demo::JsonObject Result(const std::string& workload, const Run& run) {
  demo::JsonObject metrics;
  double seconds = 0;
  for (const auto& [name, values] : run.metrics()) {
    metrics.Add(name, values);
    if (name == "ns") seconds = Median(values) * 1e-9;
  }
  metrics.Add("peak_kb", std::vector<double>{PeakKilobytes()});
  demo::JsonObject result;
  result.Add("workload", workload);
  result.Add("runtime", RuntimeName());
  result.Add("version", RuntimeVersion());
  result.Add("threads", run.threads());
  result.Add("seconds", seconds);
  result.Add("answer", run.answer());
  result.Add("metrics", metrics);
  return result;
}

int Main(int argc, char** argv) {
  bool list = false;
  long size = 1;
  long threads = 2;
  long repeat = 3;
  std::string json;
  std::vector<std::string> names;
  demo::CommandLine line(RuntimeName(),
                         "[--size N] [--threads N] [--repeat N] [--json FILE] WORKLOAD | --list");
  line.AddFlag("list", &list);
  line.AddNumber("size", 0, 1000000000, &size);
  line.AddNumber("threads", 1, 1024, &threads);
  line.AddNumber("repeat", 1, 1000000, &repeat);
  line.AddText("json", &json);
  line.AddRest(&names);
  line.ParseOrExit(argc, argv);
  if (list) {
    for (const auto& entry : Workloads()) std::printf("%s\n", entry.first.c_str());
    return 0;
  }
  const auto found = Workloads().find(names.size() == 1 ? names[0] : "");
  if (found == Workloads().end()) {
    std::fprintf(stderr, "%s: Name one workload of those that --list prints.\n%s\n", RuntimeName(),
                 line.usage().c_str());
    return 2;
  }
  Run run(size, static_cast<int>(threads), repeat);
  CallWithThreads(run.threads(), [&] { found->second(run); });
  return demo::WriteJson(Result(found->first, run), json) ? 0 : 1;
}

}  // namespace

void Run::Record(const std::string& metric, double value) {
  for (auto& [name, values] : metrics_) {
    if (name == metric) return values.push_back(value);
  }
  metrics_.push_back({metric, {value}});
}

Registration::Registration(const char* name, Workload workload) {
  Workloads().emplace(name, workload);
}

double Quantile(std::vector<double> values, double share) {
  const auto place = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place),
                   values.end());
  return values[place];
}

}  // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::Main(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: it could not finish: %s.\n", bench::RuntimeName(), problem.what());
    return 1;
  }
}

// Measure: runs the timed part of a program, serially or on TBB's threads.
//
// Plain TBB source: compiled once against each implementation of TBB, so it is
// part of each program and not a library.
//
// Example:
//   const Measurement measurement = Measure(options, [&] { answer = Solve(); });
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_MEASURE_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_MEASURE_H_

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/tick_count.h>
#include <tbb/version.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tools/demo_programs/command_line.h"
#include "tools/demo_programs/json_object.h"

namespace demo {

struct Measurement {
  std::vector<double> seconds;  // of each repetition, in order
  int threads = 1;
};

// Runs `body` options.repeat times: on the calling thread alone if
// options.serial, else with options.threads threads.
template <typename Body>
Measurement Measure(const RunOptions& options, Body body) {
  Measurement measurement;
  const auto repeat = [&] {
    for (long i = 0; i < options.repeat; ++i) {
      const tbb::tick_count begin = tbb::tick_count::now();
      body();
      measurement.seconds.push_back((tbb::tick_count::now() - begin).seconds());
    }
  };
  if (options.serial) {
    repeat();
  } else if (options.threads == 0) {
    measurement.threads = tbb::this_task_arena::max_concurrency();
    repeat();
  } else {
    // The control admits more threads than there are processors; the arena asks
    // for them.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(options.threads));
    tbb::task_arena arena(static_cast<int>(options.threads));
    arena.execute([&] {
      measurement.threads = tbb::this_task_arena::max_concurrency();
      repeat();
    });
  }
  return measurement;
}

inline double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The members that every program's result begins with.
inline JsonObject Result(const std::string& workload, const RunOptions& options,
                         const Measurement& measurement, const std::string& answer) {
  JsonObject result;
  result.Add("workload", workload);
  result.Add("mode", options.serial ? "serial" : "parallel");
  result.Add("threads", measurement.threads);
  result.Add("seconds", Median(measurement.seconds));
  result.Add("all_seconds", measurement.seconds);
  result.Add("answer", answer);
  result.Add("tbb_version",
             std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR));
  return result;
}

// Calls `program`, which returns the exit status, and turns what it throws into
// a sentence.
template <typename Program>
int RunProgram(const char* name, Program program) {
  try {
    return program();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: it could not finish: %s.\n", name, problem.what());
    return 1;
  }
}

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_MEASURE_H_

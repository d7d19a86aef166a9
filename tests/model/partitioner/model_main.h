// Runs Relacy test suites: a bounded search by default, a long one with the
// argument "exhaustive".
//
// Include it after everything else.
#ifndef FILCH_TESTS_MODEL_PARTITIONER_MODEL_MAIN_H_
#define FILCH_TESTS_MODEL_PARTITIONER_MODEL_MAIN_H_

#include <cstring>
#include <iostream>

#include "tests/model/any_scenario.h"

namespace filch {
namespace model {

struct Effort {
  int random_iterations;
  // How often an execution may switch away from a thread that could go on; the
  // search is complete up to that.  kRandomOnly where even 0 is too many.
  int preemptions;

  static constexpr int kRandomOnly = -1;
};

inline bool WantsExhaustive(int argc, char** argv) {
  return argc > 1 && std::strcmp(argv[1], "exhaustive") == 0;
}

template <typename Suite>
bool Run(rl::test_params params, const char* name) {
  const bool holds = Simulate<Suite>(params);
  std::cout << name << ": " << (holds ? "PASSED" : "FAILED") << std::endl;
  return holds;
}

// True if no execution of `Suite` fails: first random ones, then every one
// within the bound.
template <typename Suite>
bool Holds(const char* name, Effort effort) {
  rl::test_params params;
  params.output_history = true;
  params.execution_depth_limit = 4000;
  params.search_type = rl::random_scheduler_type;
  params.iteration_count = effort.random_iterations;
  if (!Run<Suite>(params, name)) return false;
  if (effort.preemptions == Effort::kRandomOnly) return true;
  params.search_type = rl::fair_context_bound_scheduler_type;
  params.context_bound = effort.preemptions;
  params.iteration_count = 1000000000;
  return Run<Suite>(params, name);
}

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_PARTITIONER_MODEL_MAIN_H_

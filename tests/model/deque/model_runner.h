// ModelRun: searches the executions of scenarios, in the manner the command
// line asks for.
//
//   model_test                quick: some random executions, and all those with
//                             as many preemptions as the scenario affords
//   model_test exhaustive     many random executions, and one preemption more
#ifndef FILCH_TESTS_MODEL_DEQUE_MODEL_RUNNER_H_
#define FILCH_TESTS_MODEL_DEQUE_MODEL_RUNNER_H_

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#include "tests/model/deque/mutable_atomics.h"

namespace filch {
namespace model {

struct Search {
  rl::scheduler_type_e scheduler;
  unsigned executions;   // for the random scheduler
  unsigned preemptions;  // for the context-bound scheduler
};

inline Search Random(unsigned executions) {
  return Search{rl::random_scheduler_type, executions, 0};
}
// Every execution with at most so many preemptions.
inline Search Complete(unsigned preemptions) {
  return Search{rl::fair_context_bound_scheduler_type, 0, preemptions};
}

struct Verdict {
  bool passed;
  unsigned executions;
  std::string report;  // of the execution that failed
};

// Whether every execution found keeps the scenario's promises.
template <typename Scenario>
Verdict Explore(const Search& search) {
  std::ostringstream report;
  std::ostringstream progress;
  rl::test_params params;
  params.search_type = search.scheduler;
  params.iteration_count = search.executions;
  params.context_bound = search.preemptions;
  params.output_stream = &report;
  params.progress_stream = &progress;
  const bool passed = rl::simulate<Scenario>(params);
  return Verdict{passed, static_cast<unsigned>(params.stop_iteration), report.str()};
}

// Whether an execution that Explore<Scenario> finds breaks a promise.  It looks
// in a process of its own: a wrong deque may follow a wild pointer, and a crash
// is a way of being caught.
inline bool IsCaught(Verdict (*explore)(const Search&), const Search& search) {
  const pid_t child = fork();
  if (child == 0) _exit(explore(search).passed ? 0 : 1);
  int status = 0;
  if (child == -1 || waitpid(child, &status, 0) != child) std::abort();
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

class ModelRun {
 public:
  ModelRun(int argc, char** argv)
      : exhaustive_(argc > 1 && std::strcmp(argv[1], "exhaustive") == 0) {}

  // `preemptions` is what a quick run affords.
  template <typename Scenario>
  void Check(const char* name, unsigned preemptions) {
    const Search random = Random(exhaustive_ ? 1000000 : 20000);
    const Search complete = Complete(exhaustive_ ? preemptions + 1 : preemptions);
    Print(name, "random", Explore<Scenario>(random));
    Print(name, "complete", Explore<Scenario>(complete));
  }

  int exit_status() const { return passed_ ? 0 : 1; }

 private:
  void Print(const char* name, const char* search, const Verdict& verdict) {
    std::printf("%-24s %-9s %9u executions  %s\n", name, search, verdict.executions,
                verdict.passed ? "ok" : "FAILED");
    if (!verdict.passed) std::printf("%s\n", verdict.report.c_str());
    std::fflush(stdout);
    passed_ = passed_ && verdict.passed;
  }

  const bool exhaustive_;
  bool passed_ = true;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_MODEL_RUNNER_H_

// ModelRun: searches the executions of scenarios, in the manner the command
// line asks for.
//
//   model_test                quick: some random executions, and all those with
//                             few preemptions; a second or so per scenario
//   model_test exhaustive     many random executions, and all those with as many
//                             preemptions as a few minutes allow
#ifndef FILCH_TESTS_MODEL_DEQUE_MODEL_RUNNER_H_
#define FILCH_TESTS_MODEL_DEQUE_MODEL_RUNNER_H_

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <streambuf>
#include <string>

#include "tests/model/any_scenario.h"
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
  double seconds;
  std::string report;  // of the execution that failed
};

// More preemptions than an execution has steps.
constexpr unsigned kUnbounded = 1000000;
// No complete search: even without preemptions there are too many executions.
constexpr unsigned kRandomOnly = kUnbounded + 1;

// A stream of text that Relacy may write to while it plays an execution: it takes over
// operator new meanwhile, so a string stream would grow in memory that is gone later.
// This one's memory comes from malloc.
class Report final : private std::streambuf {
 public:
  Report() : file_(open_memstream(&text_, &size_)), stream_(this) {
    if (file_ == nullptr) std::abort();
  }
  ~Report() override {
    std::fclose(file_);
    std::free(text_);
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  std::ostream& stream() { return stream_; }
  std::string Text() {
    std::fflush(file_);
    return std::string(text_, size_);
  }

 private:
  int overflow(int character) override { return std::fputc(character, file_); }
  std::streamsize xsputn(const char* text, std::streamsize length) override {
    return static_cast<std::streamsize>(
        std::fwrite(text, 1, static_cast<std::size_t>(length), file_));
  }

  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* const file_;
  std::ostream stream_;
};

// Whether every execution found keeps the scenario's promises.
template <typename Scenario>
Verdict Explore(const Search& search) {
  Report report;
  Report progress;
  rl::test_params params;
  params.search_type = search.scheduler;
  params.iteration_count = search.executions;
  params.context_bound = search.preemptions;
  params.output_stream = &report.stream();
  params.progress_stream = &progress.stream();
  const auto start = std::chrono::steady_clock::now();
  const bool passed = Simulate<Scenario>(params);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return Verdict{passed, static_cast<unsigned>(params.stop_iteration), time.count(), report.Text()};
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

  // The preemptions that a quick run and an exhaustive one allow.
  template <typename Scenario>
  void Check(const char* name, unsigned quick, unsigned exhaustive) {
    const unsigned preemptions = exhaustive_ ? exhaustive : quick;
    Print(name, "random", Explore<Scenario>(Random(exhaustive_ ? 200000 : 10000)));
    if (preemptions == kRandomOnly) return;
    const std::string bound =
        preemptions == kUnbounded ? "no bound" : "bound " + std::to_string(preemptions);
    Print(name, bound.c_str(), Explore<Scenario>(Complete(preemptions)));
  }

  int exit_status() const { return passed_ ? 0 : 1; }

 private:
  void Print(const char* name, const char* search, const Verdict& verdict) {
    std::printf("%-24s %-8s %9u executions %7.1f s  %s\n", name, search, verdict.executions,
                verdict.seconds, verdict.passed ? "ok" : "FAILED");
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

// A scenario that is wrong is reported with the execution that shows it, in every
// manner of searching.
#include "tests/model/deque/mutable_atomics.h"
//
#include <cstdio>
#include <string>

#include "tests/model/deque/model_runner.h"

namespace filch {
namespace model {
namespace {

// What it publishes is not published.
struct Race : rl::test_suite<Race, 2> {
  Plain<int> published;
  Atomic<int> flag;

  void thread(unsigned index) {
    if (index == 0) {
      published = 1;
      flag.store(1, std::memory_order_relaxed);
    } else if (flag.load(std::memory_order_relaxed) == 1) {
      published = 2;
    }
  }
};

bool IsReported(const char* name, const Search& search) {
  const Verdict verdict = Explore<Race>(search);
  const bool reported = !verdict.passed && verdict.report.find("DATA RACE") != std::string::npos &&
                        verdict.report.find("thread 1:") != std::string::npos;
  std::printf("%s: %s\n%s\n", name, reported ? "ok" : "FAILED", verdict.report.c_str());
  return reported;
}

}  // namespace
}  // namespace model
}  // namespace filch

int main() {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  const bool random = IsReported("random", Random(1000));
  const bool complete = IsReported("complete", Complete(1));
  return random && complete ? 0 : 1;
}

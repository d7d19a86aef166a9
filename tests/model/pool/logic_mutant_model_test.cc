// Passes if the scenario FILCH_SCENARIO, of the header FILCH_SCENARIOS, catches the error
// that was put back into the part of the pool that it is built with; see mutant.bzl.
#include FILCH_SCENARIOS
//
#include <cstdio>

#include "tests/model/deque/model_runner.h"

int main() {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  // Some errors show only if one thread is done before another begins, which random
  // executions hardly ever do.
  const bool caught = IsCaught(&Explore<FILCH_SCENARIO>, Complete(0)) ||
                      IsCaught(&Explore<FILCH_SCENARIO>, Random(100000));
  std::puts(caught ? "caught" : "NOT CAUGHT");
  return caught ? 0 : 1;
}

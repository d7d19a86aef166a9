// Passes if the scenario FILCH_SCENARIO, of the header FILCH_SCENARIOS, catches the error
// that was put back into the header it is built with; see mutant.bzl.
#include FILCH_SCENARIOS
//
#include <cstdio>

#include "tests/model/deque/model_runner.h"

int main() {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  const auto explore = &Explore<FILCH_SCENARIO>;
  // Some errors show only if one thread is done before another begins, which random
  // executions hardly ever do.
  const bool caught = IsCaught(explore, Complete(0)) || IsCaught(explore, Random(100000)) ||
                      IsCaught(explore, Complete(2));
  std::puts(caught ? "caught" : "NOT CAUGHT");
  return caught ? 0 : 1;
}

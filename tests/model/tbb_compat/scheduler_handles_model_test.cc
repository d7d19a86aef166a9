// Checks the production source of what finalize decides.
#include "tests/model/tbb_compat/scheduler_handles_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<LastOneEnds<2>>("last of two ends", kUnbounded, kUnbounded);
  run.Check<LastOneEnds<3>>("last of three ends", 3, kUnbounded);
  run.Check<OtherIsThere>("another one is there", kUnbounded, kUnbounded);
  run.Check<OneIsReleased>("one is released", kUnbounded, kUnbounded);
  return run.exit_status();
}

// Checks the production source of what the filters of a pipeline let through.
#include "tests/model/tbb_compat/pipeline_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<SerialPipeline<3, 1, true>>("one token", 1, 3);
  run.Check<SerialPipeline<3, 2, true>>("two tokens, in order", 1, 3);
  run.Check<SerialPipeline<4, 2, true>>("four items, in order", 0, 2);
  run.Check<SerialPipeline<3, 2, false>>("two tokens", 1, 3);
  run.Check<SerialPipeline<4, 3, false>>("three tokens", 0, 2);
  run.Check<ParallelBegin<1>>("parallel, one token", 1, 3);
  run.Check<ParallelBegin<2>>("parallel, two tokens", 1, 3);
  return run.exit_status();
}

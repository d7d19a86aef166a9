// Checks the production source of whether an arena has tasks, and who is in it.
#include "tests/model/pool/looker_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<LookerTakesOne<LastTask::kQueued>>("a looker takes one", 3, kUnbounded);
  run.Check<LookerTakesOne<LastTask::kIsolated>>("the same, isolated", 3, kUnbounded);
  run.Check<LookerTakesOne<LastTask::kInDeque>>("a looker steals one", 3, 5);
  run.Check<OneLeaves>("one leaves something", 3, 4);
  run.Check<TaskGoesOn>("a task goes on", 2, 3);
  run.Check<OneComesBetween>("one comes between", 3, 4);
  run.Check<OneComes<true>>("one comes and goes", 2, 3);
  run.Check<OneComes<false>>("one comes and stays", 2, 3);
  return run.exit_status();
}

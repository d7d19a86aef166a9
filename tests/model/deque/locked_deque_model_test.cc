// Checks LockedDeque's production source in every scenario.
#include "tests/model/deque/locked_deque_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<OneAndOne<ModelLockedDeque>>("one and one", 3, 5);
  run.Check<RingGrows<ModelLockedDeque>>("ring grows", 2, 3);
  run.Check<LockedOwnerAgainstThieves>("owner against thieves", 0, 1);
  run.Check<LockedSlotReuse>("slot reuse", 1, 2);
  run.Check<LockedGiveBack>("give back", 1, 2);
  run.Check<CertifiedEmpty<ModelLockedDeque>>("certified empty", 2, 3);
  return run.exit_status();
}

// Checks the production source of how workers are called away to arenas of higher priority.
#include "tests/model/pool/unserved_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<NoteAgainstLook>("note against look", kUnbounded, kUnbounded);
  run.Check<TwoAreWanted<2>>("two are wanted", 1, 2);
  run.Check<TwoAreWanted<1>>("two of two priorities", 1, 1);
  run.Check<OneBecomesSuperfluous>("one becomes superfluous", 1, 2);
  run.Check<RaiseAgainstSuperfluous>("raise against superfluous", 2, 3);
  run.Check<LimitDipsWhileCalled>("limit dips while called", 2, 3);
  run.Check<NoteForAnother>("note for another", 1, 1);
  return run.exit_status();
}

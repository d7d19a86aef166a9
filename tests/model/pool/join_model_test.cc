// Checks the production source of joins' and branches' latches and of predecessors' counts.
#include "tests/model/pool/join_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<JoinWaits<false>>("join waits", 3, kUnbounded);
  run.Check<JoinWaits<true>>("join waits, it throws", 3, kUnbounded);
  run.Check<JoinIsRenewed>("join is renewed", 4, 6);
  run.Check<JoinIsWatched>("join is watched", 2, 5);
  run.Check<BranchesEnd<1>>("a branch ends", 3, kUnbounded);
  run.Check<BranchesEnd<2>>("two branches end", 2, 5);
  run.Check<BranchOfBranchEnds>("a branch of a branch ends", 2, 5);
  run.Check<LastGoesOn<2>>("last of two goes on", 3, kUnbounded);
  run.Check<LastGoesOn<3>>("last of three goes on", 3, kUnbounded);
  run.Check<OneIsTakenBack>("one is taken back", 3, kUnbounded);
  run.Check<SiblingIsNext>("sibling is next", 3, kUnbounded);
  run.Check<SiblingIsHandedOn>("sibling is handed on", 3, kUnbounded);
  run.Check<CountedByHand>("counted by hand", 3, kUnbounded);
  run.Check<ParentWaits<1>>("parent waits", 3, kUnbounded);
  run.Check<ParentWaits<2>>("parent waits for two", 2, 5);
  run.Check<ParentWaitsInVain>("parent waits in vain", 3, kUnbounded);
  run.Check<ParentRunsOne>("parent runs one", 3, kUnbounded);
  return run.exit_status();
}

// Checks the production source of a loop's parts and invitations.
#include "tests/model/pool/loop_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<TwoMeet>("two meet", 2, 3);
  run.Check<TwoMeetAfterOne>("two meet after one", 2, 3);
  run.Check<ThreeMeet>("three meet", 0, 1);
  run.Check<ThreeMeetAfterOne>("three meet after one", 0, 1);
  run.Check<ThreeMeetOfSeveralInvited>("three meet of several invited", 0, 1);
  run.Check<TwoMeetAfterDealt>("two meet after what was dealt", 2, 4);
  run.Check<ThreeMeetAfterDealt>("three meet after what was dealt", 1, 2);
  run.Check<GuestMeetsHost>("guest meets host", 2, 4);
  return run.exit_status();
}

// Checks the production source of task groups' completion and waits.
#include "tests/model/pool/group_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<HomeWaits>("home waits", 2, kUnbounded);
  run.Check<HomeWaitsForTwo>("home waits for two", 1, 2);
  run.Check<HomeRunsOne>("home runs one", 2, kUnbounded);
  run.Check<RemoteWaits>("remote waits", 2, kUnbounded);
  run.Check<RemoteWaitsForBoth>("remote waits for both", 1, 2);
  run.Check<RemoteWaitsForThree>("remote waits for three", 1, 2);
  run.Check<TwoWait>("two wait", 2, 3);
  run.Check<TaskSpawnsTask>("task spawns task", 1, 2);
  run.Check<TaskSpawnsRemotely>("task spawns remotely", 2, 4);
  run.Check<GroupThrows>("group throws", 1, 2);
  run.Check<SpawnedElsewhere<false>>("spawned elsewhere", 2, 4);
  run.Check<SpawnedElsewhere<true>>("spawned elsewhere from home", 2, 4);
  run.Check<PlacesAreNoted>("places are noted", 3, kUnbounded);
  run.Check<FurtherPlaces>("further places", 2, 3);
  run.Check<NewArenaIsNoted>("new arena is noted", kUnbounded, kUnbounded);
  run.Check<HelperLeaves>("helper leaves", 2, 4);
  return run.exit_status();
}

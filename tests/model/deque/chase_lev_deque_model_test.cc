// Checks ChaseLevDeque's production source in every scenario.
#include "tests/model/deque/chase_lev_deque_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<OwnerAgainstThieves>("owner against thieves", 1);
  run.Check<LastItem>("last item", 1);
  run.Check<TwoAndTwo>("two and two", 3);
  run.Check<ThiefAfterThief>("thief after thief", 2);
  run.Check<CertifiedEmpty>("certified empty", 3);
  return run.exit_status();
}

// Checks ChaseLevDeque's production source in every scenario.
#include "tests/model/deque/chase_lev_deque_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<OneAndOne<ModelChaseLevDeque>>("one and one", 4, kUnbounded);
  run.Check<RingGrows<ModelChaseLevDeque>>("ring grows", 2, 4);
  run.Check<OwnerAgainstThieves>("owner against thieves", 1, 1);
  run.Check<LastItem>("last item", 1, 2);
  run.Check<TwoAndTwo>("two and two", 3, 5);
  run.Check<ThiefAfterThief>("thief after thief", 1, 3);
  run.Check<CertifiedEmpty<ModelChaseLevDeque>>("certified empty", 2, 4);
  return run.exit_status();
}

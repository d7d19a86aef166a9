// Checks the production source of how threads that come at once choose one value.
#include "tests/model/tbb_compat/one_chosen_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<AllUseOne<2>>("two use one", kUnbounded, kUnbounded);
  run.Check<AllUseOne<3>>("three use one", 3, kUnbounded);
  return run.exit_status();
}

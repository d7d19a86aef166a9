// Checks the production source of lists that grow while others look at them.
#include "tests/model/tbb_compat/growing_list_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<LookWhileItGrows<2, 3>>("one looks, three items", 4, kUnbounded);
  run.Check<LookWhileItGrows<3, 3>>("two look, three items", 2, 3);
  run.Check<LookWhileItGrows<2, 5>>("one looks, five items", 3, kUnbounded);
  return run.exit_status();
}

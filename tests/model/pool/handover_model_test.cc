// Checks the production source of what threads hand to each other, and of contexts that end:
// see handover_scenarios.h and context_scenarios.h.
#include "tests/model/pool/context_scenarios.h"
#include "tests/model/pool/handover_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<DelegatedToOne>("delegated to one", 2, 4);
  run.Check<DelegatedToTwo>("delegated to two", 1, 2);
  run.Check<SerialTurns<2>>("serial turns", 2, 5);
  run.Check<SerialTurns<3>>("serial turns of three", 1, 2);
  run.Check<WatchGoesOn<1>>("watch goes on", 3, kUnbounded);
  run.Check<WatchGoesOn<2>>("watch goes on for two", 2, 4);
  run.Check<TableGrows<2>>("table grows", 1, 4);
  run.Check<TableGrows<3>>("table grows for three", kRandomOnly, 1);
  run.Check<HeirFinds>("heir finds", 2, 4);
  run.Check<TraceIsRead<3, 1>>("trace is read", 3, kUnbounded);
  run.Check<TraceIsRead<4, 2>>("trace is read twice", 2, 5);
  run.Check<GuestsEnd<1>>("guest ends", 2, kUnbounded);
  run.Check<GuestsEnd<2>>("two guests end", 1, 3);
  run.Check<GuestComes<false>>("guest comes", 2, kUnbounded);
  run.Check<GuestComes<true>>("guest comes, cancelled", 2, 4);
  return run.exit_status();
}

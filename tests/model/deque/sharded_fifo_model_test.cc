// Checks ShardedFifo's production source in every scenario.
#include "tests/model/deque/sharded_fifo_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<ProducersAndConsumer>("producers and consumer", 1, 2);
  run.Check<TwoConsumers>("two consumers", 2, 3);
  run.Check<SleepCheck>("sleep check", 1, 2);
  return run.exit_status();
}

// Checks the production source of the locks that sleep.
#include "tests/model/pool/lock_scenarios.h"
#include "tests/model/pool/rw_lock_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  using Asleep = ModelLockWaiting;
  using Looking = LookingWaiting;
  ModelRun run(argc, argv);
  run.Check<OwnersCount<2, 2, Asleep>>("two owners", 3, 6);
  run.Check<OwnersCount<2, 1, Looking>>("two owners that look", 3, kUnbounded);
  run.Check<OwnersCount<3, 1, Asleep>>("three owners", 2, 4);
  run.Check<OwnersCount<2, 2, Asleep, true>>("two owners, no membarrier", 3, 6);
  run.Check<OwnersCount<3, 1, Asleep, true>>("three owners, no membarrier", 2, 4);
  run.Check<LocksShareACounter>("locks share a counter", 1, 3);
  run.Check<SleepersShareAFence>("sleepers share a fence", 3, 6);
  run.Check<TriesToLock>("tries to lock", 2, 4);
  run.Check<ReadersAndWriters<Ww, Asleep>>("two writers", 3, kUnbounded);
  run.Check<ReadersAndWriters<Wr, Asleep>>("writer, reader", 3, kUnbounded);
  run.Check<ReadersAndWriters<Wr, Looking>>("writer, reader, looking", 3, 6);
  run.Check<ReadersAndWriters<Wrr, Asleep>>("writer, readers", 2, 4);
  run.Check<ReadersAndWriters<Wwr, Asleep>>("writers, reader", 2, 4);
  run.Check<ReadersAndWriters<Wts, Asleep>>("writer, those who try", 2, 4);
  run.Check<ReadersAndWriters<Ur, Asleep>>("upgrade, reader", 3, 6);
  run.Check<ReadersAndWriters<Uu, Asleep>>("two upgrades", 3, 6);
  run.Check<ReadersAndWriters<Urw, Asleep>>("upgrade, reader, writer", 2, 4);
  run.Check<ReadersAndWriters<Uur, Asleep>>("two upgrades, reader", 2, 4);
  run.Check<ReadersAndWriters<Dr, Asleep>>("downgrade, reader", 3, 6);
  run.Check<ReadersAndWriters<Dw, Asleep>>("downgrade, writer", 3, 6);
  run.Check<ReadersAndWriters<Drw, Asleep>>("downgrade, reader, writer", 2, 4);
  return run.exit_status();
}

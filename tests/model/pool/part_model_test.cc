// Checks the production source of the parts of sleeping and waking.
#include "tests/model/pool/idle_scenarios.h"
#include "tests/model/pool/part_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<TokenPublishes>("token publishes", 3, kUnbounded);
  run.Check<TokensMerge>("tokens merge", 2, 4);
  run.Check<CallPublishes>("call publishes", 3, kUnbounded);
  run.Check<CallAndTokenMerge>("call and token merge", 2, 4);
  run.Check<QueueKeepsOrder>("queue keeps order", 2, 4);
  run.Check<QueueGivesOnce>("queue gives once", 2, 3);
  run.Check<QueueIsReused>("queue is reused", 3, 5);
  run.Check<SleeperAgainstWaker>("sleeper against waker", 3, kUnbounded);
  run.Check<SleeperAgainstLook>("sleeper against look", 3, kUnbounded);
  run.Check<SleeperAgainstMail>("sleeper against mail", 3, kUnbounded);
  run.Check<OneClaims>("one claims", 3, 6);
  run.Check<PushAgainstScan<PoolModelAtomics>>("push against scan", 3, kUnbounded);
  run.Check<PushAgainstScan<SymmetricPoolAtomics>>("push, no membarrier", 3, kUnbounded);
  run.Check<PushAgainstScan<PoolModelAtomics, true>>("push against next scan", 3, kUnbounded);
  run.Check<PushAgainstLastFence>("push against last fence", 2, 4);
  run.Check<OneAnswers>("one answers", 2, 4);
  run.Check<CallsMerge>("calls merge", 2, 4);
  run.Check<NoteIsFound>("note is found", 3, kUnbounded);
  run.Check<IdleAgainstPush>("idle against push", 2, 4);
  run.Check<IdleAgainstMail>("idle against mail", 2, 4);
  run.Check<IdleAgainstQueue>("idle against queue", 2, 4);
  run.Check<SearcherLeaves<true>>("searcher leaves", 1, 2);
  run.Check<SearcherLeaves<false>>("searcher leaves, a note", 1, 2);
  run.Check<ArrivesWhileOneLeaves>("one arrives while one leaves", 1, 2);
  run.Check<QueueSearcherLeaves>("queue searcher leaves", 1, 2);
  run.Check<LastOneAway>("last one away", 2, 4);
  run.Check<SeekerAgainstAway>("seeker against away", 3, kUnbounded);
  run.Check<SlotIsLeft>("slot is left", 3, kUnbounded);
  run.Check<OtherSlotIsLeft>("other slot is left", 2, 3);
  run.Check<LimitEndsInSight>("limit ends in sight", 3, kUnbounded);
  run.Check<ReturnerAgainstEnqueue>("returner against enqueue", 3, kUnbounded);
  run.Check<LeftWhileScanned>("left while scanned", 3, kUnbounded);
  run.Check<ShutdownAgainstSleep>("shutdown against sleep", 2, 4);
  return run.exit_status();
}

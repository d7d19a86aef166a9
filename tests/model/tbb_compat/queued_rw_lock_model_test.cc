// Checks the production source of the lock that queuing_rw_mutex is made of.
#include "tests/model/tbb_compat/queued_rw_lock_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<OwnersInTurn<2, false>>("owners in turn", 2, 4);
  run.Check<OwnersInTurn<2, false, 1>>("owners that look", 2, 4);
  run.Check<OwnersInTurn<3, true>>("one does not wait", 2, 3);
  run.Check<WritersTakeTurns>("writers take turns", 2, 4);
  run.Check<WriterAmongTwo>("writer among readers", 2, 4);
  run.Check<WritersAmongReaders<1, 2, 1, 1>>("they look", 2, 4);
  run.Check<WritersAmongReaders<1, 2, 2>>("they read twice", 2, 3);
  run.Check<WriterAmongThree>("among three", 1, 2);
  run.Check<TwoAmongTwo>("two writers", 1, 2);
  run.Check<ReaderAmongTwo>("two writers, reader", 2, 4);
  run.Check<SomeOnlyTry>("some only try", 3, 5);
  run.Check<ReaderBecomesWriter<Beside::kWriter>>("reader becomes writer", 3, 6);
  run.Check<ReaderBecomesWriter<Beside::kReader>>("beside a reader", 3, 6);
  run.Check<ReaderBecomesWriter<Beside::kAnother>>("both become writers", 3, 6);
  run.Check<ReaderBecomesWriter<Beside::kAnotherAndReader>>("beside a reader", 2, 3);
  run.Check<WriterBecomesReader<false>>("writer becomes reader", 3, 6);
  run.Check<WriterBecomesReader<true>>("and a writer comes", 3, 6);
  run.Check<WriterIsNotPassed>("writer is not passed", 3, 6);
  run.Check<LastOneDestroys<2>>("last of two destroys", 3, 6);
  run.Check<LastOneDestroys<3>>("last of three destroys", 2, 3);
  run.Check<LastReaderDestroys>("last reader destroys", 1, 3);
  return run.exit_status();
}

// Checks the production source of the lock that queuing_rw_mutex is made of.
#include "tests/model/tbb_compat/queued_rw_lock_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<WritersTakeTurns>("writers take turns", 5, kUnbounded);
  run.Check<WriterAmongReaders<1>>("writer among readers", 3, 5);
  run.Check<WriterAmongReaders<2>>("they read twice", 2, 4);
  run.Check<SomeOnlyTry>("some only try", 3, 5);
  run.Check<ReaderBecomesWriter<Beside::kWriter>>("reader becomes writer", 5, kUnbounded);
  run.Check<ReaderBecomesWriter<Beside::kReader>>("beside a reader", 5, kUnbounded);
  run.Check<ReaderBecomesWriter<Beside::kAnother>>("both become writers", 5, kUnbounded);
  run.Check<WriterBecomesReader<false>>("writer becomes reader", 5, kUnbounded);
  run.Check<WriterBecomesReader<true>>("and a writer comes", 5, kUnbounded);
  run.Check<LastOneDestroys<2>>("last of two destroys", 5, kUnbounded);
  run.Check<LastOneDestroys<3>>("last of three destroys", 3, 5);
  run.Check<LastReaderDestroys>("last reader destroys", 3, 4);
  return run.exit_status();
}

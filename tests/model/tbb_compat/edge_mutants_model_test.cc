// Weakens every named edge of the QueuedRwLock in turn, and asks the models.
//
// Every statement with an edge tag has a row below: which scenarios catch it when its order
// is relaxed, or why none does. A row that is wrong either way, and a statement without a
// row, fail the test.
#include <vector>

#include "tests/model/tbb_compat/queued_rw_lock_scenarios.h"
//
#include "tests/model/deque/edge_mutants.h"

namespace filch {
namespace model {
namespace {

constexpr char kRelaxed[] = "relaxed already";

std::vector<EdgeRow> Rows() {
  const char* const lock = "_queued_rw_lock.h";
  return {
      {lock, "M4", "retried", {}, kRelaxed},
      {lock, "M4", "what it did, to the next", {Explore<WritersTakeTurns>}},
      {lock, "M4", "what readers saw is over", {Explore<ReaderBecomesWriter<Beside::kReader>>}},
      {lock, "M4", "what it wrote, to readers", {Explore<WriterBecomesReader<false>>}},
      {lock, "M4", "the next step fails, or not", {}, kRelaxed},
      {lock, "M4", "what was done before", {Explore<WritersTakeTurns>}},
      {lock, "M4", "by those without lock_", {Explore<WritersTakeTurns>}},
      {lock, "M4", "to who comes next", {Explore<WriterAmongReaders<2>>}},
      {lock, "M4", "for who has lock_ next", {}, kRelaxed},
  };
}

}  // namespace
}  // namespace model
}  // namespace filch

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  const char* const folder = argc > 1 ? argv[1] : "tbb_compat/include/oneapi/tbb/detail";
  return CheckEdgeMutants(folder, Rows(), 1000) ? 0 : 1;
}

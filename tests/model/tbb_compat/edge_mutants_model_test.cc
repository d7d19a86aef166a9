// Weakens every named edge of the QueuedRwLock in turn, and asks the models.
//
// Every statement with an edge tag has a row below: which scenarios catch it when its order
// is relaxed, or why none does. A row that is wrong either way, and a statement without a
// row, fail the test.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/model/deque/edge_sites.h"
//
#include "tests/model/tbb_compat/queued_rw_lock_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

namespace filch {
namespace model {
namespace {

constexpr char kFile[] = "_queued_rw_lock.h";
constexpr char kRelaxed[] = "relaxed already";

struct Row {
  const char* comment;  // a part of it that tells the statement from others
  std::vector<Verdict (*)(const Search&)> scenarios;
  const char* why_not = nullptr;
};

std::vector<Row> Rows() {
  return {
      {"retried", {}, kRelaxed},
      {"what it did, to the next", {Explore<WritersTakeTurns>}},
      {"what readers saw is over", {Explore<ReaderBecomesWriter<Beside::kReader>>}},
      {"what it wrote, to readers", {Explore<WriterBecomesReader<false>>}},
      {"the next step fails, or not", {}, kRelaxed},
      {"what was done before", {Explore<WritersTakeTurns>}},
      {"by those without lock_", {Explore<WritersTakeTurns>}},
      {"to who comes next", {Explore<WriterAmongReaders<2>>}},
      {"for who has lock_ next", {}, kRelaxed},
  };
}

bool CheckRow(const Row& row, const EdgeSite& site) {
  ActiveMutation() = Mutation{kFile, site.first_line, site.last_line};
  bool caught = false;
  for (const auto scenario : row.scenarios) {
    caught = caught || IsCaught(scenario, Random(50000)) || IsCaught(scenario, Complete(3));
  }
  ActiveMutation() = Mutation();
  const bool expected = row.why_not == nullptr;
  std::printf("%4d %-40s %-10s %s\n", site.last_line, row.comment, caught ? "caught" : "not caught",
              caught == expected ? (expected ? "" : row.why_not) : "WRONG");
  std::fflush(stdout);
  return caught == expected;
}

bool CheckAll(const std::string& path) {
  const std::vector<Row> rows = Rows();
  std::vector<int> uses(rows.size(), 0);
  bool passed = true;
  for (const EdgeSite& site : FindEdgeSites(path)) {
    bool found = false;
    for (std::size_t i = 0; i < rows.size() && !found; ++i) {
      found = site.comment.find(rows[i].comment) != std::string::npos;
      if (!found) continue;
      ++uses[i];
      passed = CheckRow(rows[i], site) && passed;
    }
    if (found) continue;
    std::printf("%d: no row for %s\n", site.first_line, site.comment.c_str());
    passed = false;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (uses[i] == 1) continue;
    std::printf("The row \"%s\" stands for %d statements.\n", rows[i].comment, uses[i]);
    passed = false;
  }
  return passed;
}

}  // namespace
}  // namespace model
}  // namespace filch

int main(int argc, char** argv) { return argc == 2 && filch::model::CheckAll(argv[1]) ? 0 : 1; }

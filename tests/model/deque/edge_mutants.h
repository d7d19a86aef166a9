// CheckEdgeMutants(): weakens every ordering edge of some headers in turn, and asks the models.
//
// Every statement with an edge tag has a row: which scenarios catch it when its order is
// relaxed or its fence left out, or why none does.  Such a reason is an argument; the check
// only knows that the scenarios of the row do not catch it.
#ifndef FILCH_TESTS_MODEL_DEQUE_EDGE_MUTANTS_H_
#define FILCH_TESTS_MODEL_DEQUE_EDGE_MUTANTS_H_

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/model/deque/edge_sites.h"
#include "tests/model/deque/model_runner.h"
#include "tests/model/deque/mutable_atomics.h"

namespace filch {
namespace model {

using ScenarioCheck = Verdict (*)(const Search&);

struct EdgeRow {
  const char* file;
  const char* tags;
  const char* code;  // a part of the statement, or its comment, that tells it from others
  std::vector<ScenarioCheck> scenarios;
  const char* why_not = nullptr;  // why none of them catches it
};

inline bool StandsFor(const EdgeRow& row, const EdgeSite& site) {
  return site.tags == row.tags && (site.code + site.comment).find(row.code) != std::string::npos;
}

inline bool IsCaughtByAny(const std::vector<ScenarioCheck>& scenarios, const Search& search) {
  for (const ScenarioCheck scenario : scenarios) {
    if (IsCaught(scenario, search)) return true;
  }
  return false;
}

// Whether the row says what happens when the statement is weakened; in vain the scenarios are
// searched by so many random executions.
inline bool IsRight(const EdgeRow& row, const EdgeSite& site, unsigned executions_in_vain) {
  ActiveMutation() = Mutation{row.file, site.first_line, site.last_line};
  const bool expected = row.why_not == nullptr;
  bool caught = IsCaughtByAny(row.scenarios, Random(expected ? 50000 : executions_in_vain));
  // Some show only if one thread is far ahead of another, which random executions hardly
  // ever do.
  for (const unsigned preemptions : {1, 3}) {
    caught = caught || (expected && IsCaughtByAny(row.scenarios, Complete(preemptions)));
  }
  ActiveMutation() = Mutation();
  std::printf("%-18s:%-4d %-6s %-10s %s\n", row.file, site.last_line, row.tags,
              caught ? "caught" : "not caught",
              caught == expected ? (expected ? "" : row.why_not) : "WRONG");
  std::fflush(stdout);
  return caught == expected;
}

// False if a row of one of the headers is wrong either way, or stands for no statement, or a
// statement has no row.  The headers are those that have rows, and lie in `folder`.
inline bool CheckEdgeMutants(const std::string& folder, const std::vector<EdgeRow>& rows,
                             unsigned executions_in_vain) {
  bool right = true;
  std::vector<int> uses(rows.size(), 0);
  std::vector<std::string> files;
  for (const EdgeRow& first : rows) {
    const std::string file = first.file;
    if (std::find(files.begin(), files.end(), file) != files.end()) continue;
    files.push_back(file);
    for (const EdgeSite& site : FindEdgeSites(folder + "/" + file)) {
      bool found = false;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].file != file || !StandsFor(rows[i], site)) continue;
        found = true;
        ++uses[i];
        right = IsRight(rows[i], site, executions_in_vain) && right;
      }
      if (found) continue;
      std::printf("%s:%d: no row for %s: %s\n", file.c_str(), site.first_line, site.tags.c_str(),
                  site.code.c_str());
      right = false;
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (uses[i] > 0) continue;
    std::printf("The row of %s in %s, %s, stands for nothing.\n", rows[i].tags, rows[i].file,
                rows[i].code);
    right = false;
  }
  return right;
}

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_EDGE_MUTANTS_H_

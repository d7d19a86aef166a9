// Weakens every ordering edge of the deques in turn, and asks the models.
//
// Every statement with an edge tag has a row below: which scenarios catch it
// when its order is relaxed or its fence left out, or why this checker cannot.
// A row that is wrong either way, and a statement without a row, fail the test.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/model/deque/edge_sites.h"
//
#include "tests/model/deque/chase_lev_deque_scenarios.h"
#include "tests/model/deque/locked_deque_scenarios.h"
#include "tests/model/deque/sharded_fifo_scenarios.h"
#include "tests/model/deque/split_deque_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

namespace filch {
namespace model {
namespace {

using Scenario = Verdict (*)(const Search&);

struct Row {
  const char* file;
  const char* tags;
  const char* code;  // a part of the statement, or its comment, that tells it from others
  std::vector<Scenario> scenarios;
  const char* invisible_because = nullptr;
};

// Why the checker cannot see some edges.  README.md has the proofs.
constexpr char kLoadBuffering[] =
    "orders a load before another thread's later store, and this checker never delays a load";
constexpr char kReleaseSequence[] =
    "until C++17 the owner's stores after a Push continue its release sequence";
constexpr char kFenceWording[] =
    "until C++17 a fence orders its own thread's writes alone; this checker is as strict as C++20";

std::vector<Row> Rows() {
  const char* const split = "split_deque.h";
  const char* const border = "private_border.h";
  const char* const chase_lev = "chase_lev_deque.h";
  const char* const locked = "locked_deque.h";
  const char* const lock = "spin_lock.h";

  const Scenario polite = Explore<PoliteExposure>;
  const Scenario growth = Explore<Growth>;
  const Scenario forced = Explore<ForcedExposure<MutableAtomics>>;
  const Scenario without_membarrier = Explore<ForcedExposure<SymmetricAtomics>>;
  const Scenario join = Explore<JoinAgainstForce<MutableAtomics>>;
  const Scenario joining = Explore<CertificateWhileJoining>;
  const Scenario thieves = Explore<OwnerAgainstThieves>;
  const Scenario two_and_two = Explore<TwoAndTwo>;
  const Scenario thief_after_thief = Explore<ThiefAfterThief>;
  const Scenario locked_thieves = Explore<LockedOwnerAgainstThieves>;
  const Scenario reuse = Explore<LockedSlotReuse>;
  const Scenario give_back = Explore<LockedGiveBack>;
  const Scenario fifo = Explore<ProducersAndConsumer>;

  return {
      {split, "E1", "shared_.fetch_add", {polite}},
      {split, "E1", "shared_.load", {polite}},
      {split, "E2", "ring_.store", {growth}},
      {split, "E2", "ring_.load", {growth}},
      {split, "E3", "shared_.compare_exchange", {polite, growth}, kLoadBuffering},
      {split, "E3", "shared_.load", {polite, growth}, kLoadBuffering},
      {split, "E4", "bottom_.store(b + 1", {forced}},
      {split, "E4", "bottom_.store(index + 1", {join, forced}, kReleaseSequence},
      {split, "E4", "bottom_.load", {without_membarrier}},
      {split, "E4 E6", "bottom_.store(index,", {joining}},
      {border, "E5", "Atomics::LightFence", {forced, join}},
      {border, "E5", "Atomics::HeavyFence", {forced, join}},
      {split, "E6", "bottom_.load", {joining}},

      {chase_lev, "C1", "bottom_.store(b + 1", {thieves}},
      {chase_lev, "C1", "bottom_.store(b,", {thieves, two_and_two}, kReleaseSequence},
      {chase_lev, "C1", "bottom_.load", {thieves}},
      {chase_lev, "C2", "ring_.store", {thieves}},
      {chase_lev, "C2", "ring_.load", {thieves}},
      {chase_lev, "C3", "top_.load", {thieves}, kLoadBuffering},
      {chase_lev, "C3 C5", "top_.compare_exchange", {thief_after_thief}, kFenceWording},
      {chase_lev, "C4", "against Steal", {two_and_two}},
      {chase_lev, "C4", "against Pop", {two_and_two}},

      {locked, "D1", "bottom_.store(b + 1", {locked_thieves}},
      {locked, "D1", "bottom_.store(index", {locked_thieves, reuse}, kReleaseSequence},
      {locked, "D1", "bottom_.load", {locked_thieves}},
      {locked, "D2", "top_.store(index_ + 1", {reuse}},
      {locked, "D2", "top_.store(index_,", {give_back, reuse}},
      {locked, "D2", "(index < top_.load", {give_back}},
      {locked, "D2", "const std::int64_t t = top_.load", {reuse}},
      {locked, "D3", "against Pop", {locked_thieves}},
      {locked, "D3", "against Claim", {locked_thieves}},

      {lock, "L1", "exchange", {fifo}},
      {lock, "L1", "store", {fifo}},
  };
}

bool IsCaughtByAny(const std::vector<Scenario>& scenarios, const Search& search) {
  for (const Scenario scenario : scenarios) {
    if (IsCaught(scenario, search)) return true;
  }
  return false;
}

bool Matches(const Row& row, const EdgeSite& site) {
  return site.tags == row.tags && (site.code + site.comment).find(row.code) != std::string::npos;
}

// Whether the row says what happens when the statement is weakened.
bool CheckRow(const Row& row, const EdgeSite& site) {
  ActiveMutation() = Mutation{row.file, site.first_line, site.last_line};
  const bool expected = row.invisible_because == nullptr;
  bool caught = IsCaughtByAny(row.scenarios, Random(expected ? 50000 : 20000));
  if (expected && !caught) caught = IsCaughtByAny(row.scenarios, Complete(1));
  ActiveMutation() = Mutation();
  std::printf("%-18s:%-4d %-6s %-10s %s\n", row.file, site.last_line, row.tags,
              caught ? "caught" : "not caught",
              caught == expected ? (expected ? "" : row.invisible_because) : "WRONG");
  std::fflush(stdout);
  return caught == expected;
}

// `folder` is where the headers are.
bool CheckAll(const std::string& folder) {
  const std::vector<Row> rows = Rows();
  std::vector<int> uses(rows.size(), 0);
  bool passed = true;
  for (const char* file : {"split_deque.h", "private_border.h", "chase_lev_deque.h",
                           "locked_deque.h", "spin_lock.h"}) {
    for (const EdgeSite& site : FindEdgeSites(folder + "/" + file)) {
      bool found = false;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (std::string(rows[i].file) != file || !Matches(rows[i], site)) continue;
        found = true;
        ++uses[i];
        passed = CheckRow(rows[i], site) && passed;
      }
      if (!found) {
        std::printf("%s:%d: no row for %s: %s\n", file, site.first_line, site.tags.c_str(),
                    site.code.c_str());
        passed = false;
      }
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (uses[i] == 1) continue;
    std::printf("The row of %s in %s, %s, stands for %d statements.\n", rows[i].tags, rows[i].file,
                rows[i].code, uses[i]);
    passed = false;
  }
  return passed;
}

}  // namespace
}  // namespace model
}  // namespace filch

int main(int argc, char** argv) {
  return filch::model::CheckAll(argc > 1 ? argv[1] : "deque") ? 0 : 1;
}

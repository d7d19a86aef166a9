// Weakens every ordering edge of the deques in turn, and asks the models.
//
// Every statement with an edge tag has a row below: which scenarios catch it
// when its order is relaxed or its fence left out, or why this checker cannot.
// A row that is wrong either way, and a statement without a row, fail the test.
#include <vector>

#include "tests/model/deque/chase_lev_deque_scenarios.h"
#include "tests/model/deque/locked_deque_scenarios.h"
#include "tests/model/deque/sharded_fifo_scenarios.h"
#include "tests/model/deque/split_deque_scenarios.h"
//
#include "tests/model/deque/edge_mutants.h"

namespace filch {
namespace model {
namespace {

// Why the checker cannot see some edges.  README.md has the proofs.
constexpr char kLoadBuffering[] =
    "orders a load before another thread's later store, and this checker never delays a load";
constexpr char kReleaseSequence[] =
    "until C++17 the owner's stores after a Push continue its release sequence";
constexpr char kFenceWording[] =
    "until C++17 a fence orders its own thread's writes alone; this checker is as strict as C++20";
constexpr char kLook[] =
    "a hint but after a heavy fence, which orders it as well (the scenario behind another)";
constexpr char kPlainField[] = "publishes members of a ring that never change; TSan sees them";

std::vector<EdgeRow> Rows() {
  const char* const split = "split_deque.h";
  const char* const border = "private_border.h";
  const char* const chase_lev = "chase_lev_deque.h";
  const char* const locked = "locked_deque.h";
  const char* const lock = "spin_lock.h";

  const ScenarioCheck polite = Explore<PoliteExposure>;
  const ScenarioCheck growth = Explore<Growth>;
  const ScenarioCheck forced = Explore<ForcedExposure<MutableAtomics>>;
  const ScenarioCheck without_membarrier = Explore<ForcedExposure<SymmetricAtomics>>;
  const ScenarioCheck join = Explore<JoinAgainstForce<MutableAtomics>>;
  const ScenarioCheck middle = Explore<OutOfTheMiddle<SymmetricAtomics>>;
  const ScenarioCheck joining = Explore<CertificateWhileJoining>;
  const ScenarioCheck growing = Explore<CertificateWhileGrowing>;
  const ScenarioCheck thieves = Explore<OwnerAgainstThieves>;
  const ScenarioCheck two_and_two = Explore<TwoAndTwo>;
  const ScenarioCheck thief_after_thief = Explore<ThiefAfterThief>;
  const ScenarioCheck locked_thieves = Explore<LockedOwnerAgainstThieves>;
  const ScenarioCheck reuse = Explore<LockedSlotReuse>;
  const ScenarioCheck give_back = Explore<LockedGiveBack>;
  const ScenarioCheck fifo = Explore<ProducersAndConsumer>;

  return {
      {split, "E1", "shared_.fetch_add", {polite}},
      {split, "E1", "shared_.store", {polite}},
      {split, "E1", "shared_.load", {polite}},
      {split, "E2", "ring_.store", {growth}},
      {split, "E2", "sees the copied", {growth}},
      {split, "E2", "sees the ring itself", {growth, joining}, kPlainField},
      {split, "E3", "shared_.compare_exchange", {polite, growth}, kLoadBuffering},
      {split, "E3", "const SharedPart shared( shared_.load", {polite, growth}, kLoadBuffering},
      {split, "E3", "const SharedPart before( shared_.load", {polite, growth}, kLoadBuffering},
      {split, "E4 E6", "bottom_.store(end + 1", {forced}},
      {split, "E4 E6", "bottom_.store(newest + 1", {join, forced}, kReleaseSequence},
      {split, "E4 E6", "bottom_.store(new_end", {middle, joining}, kReleaseSequence},
      {split, "E4", "count, bottom_.load", {without_membarrier}},
      {split, "E4", "end = bottom_.load", {}, kLook},
      {split, "E4 E6", "bottom_.store(newest,", {joining}},
      {border, "E5", "Atomics::LightFence", {forced, join}},
      {border, "E5", "Atomics::HeavyFence", {forced, join}},
      {split, "E6", "bottom_.store(end,", {joining, growing}, kReleaseSequence},
      {split, "E6", "bottom_.store(OwnSlot", {joining, growing}, kReleaseSequence},
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

}  // namespace
}  // namespace model
}  // namespace filch

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  return CheckEdgeMutants(argc > 1 ? argv[1] : "deque", Rows(), 20000) ? 0 : 1;
}

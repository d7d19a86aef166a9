// StealingCoordinator and EventCount under the Relacy race detector: no unit is
// lost or executed twice, nobody who sleeps is forgotten (Relacy reports a
// deadlock), and what the units did is visible once a party has ended.
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "filch/partitioner/stealing_coordinator.h"
#include "tests/model/partitioner/model_main.h"
#include "tests/model/partitioner/relacy_sleep.h"
#include "tests/model/relacy_atomics.h"

namespace filch {
namespace {

using model::RelacyAtomics;
using model::RelacySleep;
using Coordinator = partitioner_internal::BasicStealingCoordinator<RelacyAtomics, RelacySleep>;

// `kParties` threads share `kUnits` units.
template <typename Derived, std::uint32_t kParties, std::uint32_t kUnits>
struct Loop : rl::test_suite<Derived, kParties> {
  RelacySleep::Bed bed;
  std::unique_ptr<Coordinator> loop;
  model::Plain<int> result[kUnits];
  model::Atomic<int> executed[kUnits];

  void before() {
    RelacySleep::Use(&bed);
    loop = std::make_unique<Coordinator>(kUnits, kParties);
  }

  void Execute(UnitInterval units) {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      RL_ASSERT(unit < kUnits);
      RL_ASSERT(executed[unit].fetch_add(1, std::memory_order_relaxed) == 0);
      result[unit] = 1;
    }
  }
  // Consumes as a Partition does, `batch` units at a time.
  void ConsumeToTheEnd(std::uint32_t p, std::uint32_t batch_units) {
    std::uint32_t unreported = 0;
    for (;;) {
      UnitInterval batch = loop->Claim(p, batch_units);
      if (batch.empty()) {
        batch = loop->ReturnAndSteal(p, unreported);
        unreported = 0;
        if (batch.empty()) return;
      }
      while (!batch.empty()) {
        Execute(TakeLower(&batch, 1));
        ++unreported;
        if (loop->range(p).thieves_waiting()) loop->GiveBack(p, &batch);
      }
    }
  }
  // After a party's end all results are there, without another edge.
  void ExpectResults() {
    for (auto& value : result) RL_ASSERT(value == 1);
  }
};

// Everybody consumes to the end; party 1 has the smaller share and starves.
struct AllStay : Loop<AllStay, 2, 3> {
  void thread(unsigned p) {
    ConsumeToTheEnd(p, 3);
    ExpectResults();
  }
};

struct ThreeStay : Loop<ThreeStay, 3, 3> {
  void thread(unsigned p) {
    ConsumeToTheEnd(p, 2);
    ExpectResults();
  }
};

// Party 0 claims everything it has, executes one unit and leaves (as after a
// break or a throw); party 1 must get the rest, asleep or not.
struct OneLeaves : Loop<OneLeaves, 2, 4> {
  void thread(unsigned p) {
    if (p == 1) {
      ConsumeToTheEnd(p, 1);
      ExpectResults();
      return;
    }
    UnitInterval batch = loop->Claim(p, 2);
    std::uint32_t begun = 0;
    if (!batch.empty()) {
      Execute(TakeLower(&batch, 1));
      begun = 1;
    }
    loop->Leave(p, batch, begun);
  }
};

// As above, but one unit is still in the range, next to the claimed ones.
struct OneLeavesMore : Loop<OneLeavesMore, 2, 6> {
  void thread(unsigned p) {
    if (p == 1) {
      ConsumeToTheEnd(p, 3);
      ExpectResults();
      return;
    }
    UnitInterval batch = loop->Claim(p, 2);
    std::uint32_t begun = 0;
    if (!batch.empty()) {
      Execute(TakeLower(&batch, 1));
      begun = 1;
    }
    loop->Leave(p, batch, begun);
  }
};

// Party 0 gives back when asked and then does not go on until somebody else has
// executed what it gave: the starving party must be woken by the gift itself.
struct GiftWakes : Loop<GiftWakes, 2, 4> {
  void thread(unsigned p) {
    if (p == 1) {
      ConsumeToTheEnd(p, 2);
      ExpectResults();
      return;
    }
    UnitInterval batch = loop->Claim(p, 2);
    // If party 1 was faster, there is nothing left to give.
    if (batch.size() < 2) {
      Execute(batch);
      loop->Leave(p, {}, batch.size());
      return;
    }
    while (!loop->range(p).thieves_waiting()) rl::yield(1, $);
    loop->GiveBack(p, &batch);
    RL_ASSERT(batch.size() == 1);
    while (executed[batch.end].load(std::memory_order_relaxed) == 0) rl::yield(1, $);
    Execute(batch);
    loop->Leave(p, {}, 1);
  }
};

// Two parties starve, and whoever gets the first gift does not go on until the
// second has been executed: the thief that got something must wake the next, or
// nobody asks for the second.
struct ThievesWakeEachOther : Loop<ThievesWakeEachOther, 3, 9> {
  void GiveOneWhenAsked(UnitInterval* batch) {
    // A request can be outdated, and is then refused.
    for (const std::uint32_t held = batch->size(); batch->size() == held;) {
      while (!loop->range(0).thieves_waiting()) rl::yield(1, $);
      loop->GiveBack(0, batch);
    }
  }
  void AwaitExecuted(std::uint32_t unit) {
    while (executed[unit].load(std::memory_order_relaxed) == 0) rl::yield(1, $);
  }
  void thread(unsigned p) {
    if (p != 0) {
      for (;;) {
        UnitInterval units = loop->Claim(p, kAllUnits);
        if (units.empty()) units = loop->ReturnAndSteal(p, 0);
        if (units.empty()) return;
        Execute(units);
        if (units.begin == 2) AwaitExecuted(1);
        loop->Leave(p, {}, units.size());
      }
    }
    // Others may steal before the claim; only the full share is of interest.
    UnitInterval batch = loop->Claim(0, 3);
    if (batch.size() == 3) {
      GiveOneWhenAsked(&batch);
      GiveOneWhenAsked(&batch);
      AwaitExecuted(2);
      AwaitExecuted(1);
    }
    Execute(batch);
    loop->Leave(0, {}, batch.size());
  }
};

// Party 0 never starts.
struct OneNeverStarts : Loop<OneNeverStarts, 3, 3> {
  void thread(unsigned p) {
    if (p == 0) return;
    ConsumeToTheEnd(p, 1);
    ExpectResults();
  }
};

// Party 0 holds its units for good and stops the loop: party 1 must end.
struct OneStops : Loop<OneStops, 2, 2> {
  model::Plain<int> reason;

  void thread(unsigned p) {
    if (p == 1) {
      ConsumeToTheEnd(p, 1);
      if (executed[0].load(std::memory_order_relaxed) == 0) RL_ASSERT(reason == 7);
      return;
    }
    if (loop->Claim(p, 2).empty()) return;
    reason = 7;
    loop->Stop();
  }
};

}  // namespace
}  // namespace filch

int main(int argc, char** argv) {
  using filch::model::Holds;
  const bool exhaustive = filch::model::WantsExhaustive(argc, argv);
  const filch::model::Effort two =
      exhaustive ? filch::model::Effort{1000000, 4} : filch::model::Effort{20000, 2};
  const filch::model::Effort three =
      exhaustive ? filch::model::Effort{1000000, 2} : filch::model::Effort{20000, 1};
  // These have fewer executions, or, if somebody spins, far more.
  const filch::model::Effort stops =
      exhaustive ? filch::model::Effort{1000000, 8} : filch::model::Effort{20000, 2};
  const filch::model::Effort gives =
      exhaustive ? filch::model::Effort{1000000, 3} : filch::model::Effort{20000, 2};
  const filch::model::Effort absent =
      exhaustive ? filch::model::Effort{1000000, 3} : filch::model::Effort{20000, 1};
  // Three threads that also spin have too many executions to go through.
  const filch::model::Effort spinning{exhaustive ? 500000 : 20000,
                                      filch::model::Effort::kRandomOnly};
  bool ok = Holds<filch::AllStay>("AllStay", two);
  ok = Holds<filch::OneLeaves>("OneLeaves", two) && ok;
  ok = Holds<filch::OneLeavesMore>("OneLeavesMore", two) && ok;
  ok = Holds<filch::GiftWakes>("GiftWakes", gives) && ok;
  ok = Holds<filch::OneStops>("OneStops", stops) && ok;
  ok = Holds<filch::ThreeStay>("ThreeStay", three) && ok;
  ok = Holds<filch::ThievesWakeEachOther>("ThievesWakeEachOther", spinning) && ok;
  ok = Holds<filch::OneNeverStarts>("OneNeverStarts", absent) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

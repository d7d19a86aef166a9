// StealingRange under the Relacy race detector: the production source, with an
// owner and two thieves.  Every unit carries a plain variable that the owner
// wrote before it published the unit, so a missing edge is a reported race.
#include <cstdint>
#include <cstdlib>

#include "filch/partitioner/stealing_range.h"
#include "tests/model/partitioner/model_main.h"
#include "tests/model/relacy_atomics.h"

namespace filch {
namespace {

using Range = BasicStealingRange<model::RelacyAtomics>;

constexpr std::uint32_t kUnits = 6;

// The books of one run: each unit once, none foreign, payload visible.
struct Units {
  model::Plain<int> payload[kUnits];
  model::Atomic<int> executed[kUnits];

  void Publish(UnitInterval units, int value) {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) payload[unit] = value;
  }
  void Execute(UnitInterval units) {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      RL_ASSERT(unit < kUnits);
      RL_ASSERT(payload[unit] != 0);
      RL_ASSERT(executed[unit].fetch_add(1, std::memory_order_relaxed) == 0);
    }
  }
  void CheckAllExecuted() {
    for (auto& count : executed) RL_ASSERT(count.load(std::memory_order_relaxed) == 1);
  }
};

// Steals `attempts` times and executes what it gets.
void StealAndExecute(Range* range, Units* units, int attempts) {
  for (int i = 0; i < attempts; ++i) {
    const StealAttempt loot = range->Steal();
    RL_ASSERT(loot.empty() == (loot.outcome != StealAttempt::Outcome::kStolen));
    units->Execute(loot);
  }
}

// The owner claims, gives back when asked, and drains; two thieves steal.
struct OwnerAgainstTwoThieves : rl::test_suite<OwnerAgainstTwoThieves, 3> {
  Range range;
  Units units;

  void thread(unsigned index) {
    if (index != 0) {
      StealAndExecute(&range, &units, 2);
      return;
    }
    units.Publish({0, kUnits}, 1);
    range.Reset({0, kUnits});
    std::uint32_t size = 4;
    for (UnitInterval batch = range.Claim(size); !batch.empty(); batch = range.Claim(size)) {
      while (!batch.empty()) {
        // Whatever a unit does to its successors must travel with them.
        units.Publish(batch, 2);
        if (range.thieves_waiting()) range.GiveBack(&batch);
        units.Execute(TakeLower(&batch, 1));
      }
      size = 2;
    }
  }
  void after() { units.CheckAllExecuted(); }
};

// As above, but the owner gives back whenever it can, asked or not.
struct EagerGiveBack : rl::test_suite<EagerGiveBack, 3> {
  Range range;
  Units units;

  void before() {
    units.Publish({0, kUnits}, 1);
    range.Reset({0, kUnits});
  }
  void thread(unsigned index) {
    if (index != 0) {
      StealAndExecute(&range, &units, 2);
      return;
    }
    for (;;) {
      UnitInterval batch = range.Claim(kAllUnits);
      if (batch.empty()) return;
      range.GiveBack(&batch);
      units.Publish(batch, 3);
      units.Execute(batch);
    }
  }
  void after() { units.CheckAllExecuted(); }
};

// Two ranges that steal from each other, so that an interval can come back to a
// range it has been in, while a third thread steals from both.
struct RangesStealingFromEachOther : rl::test_suite<RangesStealingFromEachOther, 3> {
  Range ranges[2];
  Units units;

  void before() {
    units.Publish({0, 4}, 1);
    ranges[0].Reset({0, 3});
    ranges[1].Reset({3, 4});
    for (std::uint32_t unit = 4; unit != kUnits; ++unit) {
      units.executed[unit].store(1, std::memory_order_relaxed);
    }
  }
  void thread(unsigned index) {
    if (index == 2) {
      StealAndExecute(&ranges[0], &units, 1);
      StealAndExecute(&ranges[1], &units, 1);
      return;
    }
    for (int round = 0; round < 2; ++round) {
      for (UnitInterval batch = ranges[index].Claim(1); !batch.empty();
           batch = ranges[index].Claim(1)) {
        units.Execute(batch);
      }
      const StealAttempt loot = ranges[1 - index].Steal();
      ranges[index].Reset(loot);
    }
    units.Execute(ranges[index].Claim(kAllUnits));
  }
  void after() { units.CheckAllExecuted(); }
};

// A thief that saw the gift and then found the range empty has asked after the
// gift, so its request stands, whoever took the gift.
struct RequestStands : rl::test_suite<RequestStands, 3> {
  Range range;
  model::Atomic<int> asked_in_vain;

  void thread(unsigned index) {
    if (index == 0) {
      range.Reset({0, 2});
      UnitInterval batch = range.Claim(2);
      if (batch.size() < 2) return;
      for (int i = 0; i < 2; ++i) {
        if (range.thieves_waiting()) range.GiveBack(&batch);
      }
    } else if (index == 1) {
      for (int i = 0; i < 2; ++i) (void)range.Steal();
    } else {
      for (int i = 0; i < 3; ++i) {
        // Nothing else in this model leaves one unit.
        if (range.remaining() != 1) continue;
        const StealAttempt attempt = range.Steal();
        if (attempt.outcome == StealAttempt::Outcome::kEmpty) {
          asked_in_vain.store(1, std::memory_order_relaxed);
        }
      }
    }
  }
  void after() {
    if (asked_in_vain.load(std::memory_order_relaxed) != 0 && range.remaining() == 0) {
      RL_ASSERT(range.thieves_waiting());
    }
  }
};

}  // namespace
}  // namespace filch

int main(int argc, char** argv) {
  using filch::model::Holds;
  const bool exhaustive = filch::model::WantsExhaustive(argc, argv);
  const filch::model::Effort effort =
      exhaustive ? filch::model::Effort{1000000, 3} : filch::model::Effort{30000, 2};
  // Two owners: its executions are longer.
  const filch::model::Effort less =
      exhaustive ? filch::model::Effort{1000000, 2} : filch::model::Effort{60000, 1};
  // Short executions: nearly all that there are.
  const filch::model::Effort more =
      exhaustive ? filch::model::Effort{1000000, 5} : filch::model::Effort{30000, 2};
  bool ok = Holds<filch::OwnerAgainstTwoThieves>("OwnerAgainstTwoThieves", effort);
  ok = Holds<filch::EagerGiveBack>("EagerGiveBack", effort) && ok;
  ok = Holds<filch::RequestStands>("RequestStands", more) && ok;
  ok = Holds<filch::RangesStealingFromEachOther>("RangesStealingFromEachOther", less) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

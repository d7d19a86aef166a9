// The scenarios in which LockedDeque is model-checked.
//
// Its slots are plain variables, so that the checker sees a data race wherever
// an edge is missing.  Rings start with two slots.
#ifndef FILCH_TESTS_MODEL_DEQUE_LOCKED_DEQUE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_LOCKED_DEQUE_SCENARIOS_H_

#include "filch/deque/locked_deque.h"
#include "filch/deque/steal_result.h"
#include "tests/model/deque/deque_scenarios.h"
#include "tests/model/deque/mutable_atomics.h"

namespace filch {
namespace model {

using ModelLockedDeque = LockedDeque<int, MutableAtomics>;
using LockedFixture = DequeFixture<ModelLockedDeque>;

// Two thieves at an owner that grows its ring, wraps round it and empties it.
struct LockedOwnerAgainstThieves : rl::test_suite<LockedOwnerAgainstThieves, 3>, LockedFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Pop();
      Push(2);
      Push(3);
      Push(4);
      Pop();
      Pop();
      Push(5);
      PopAll();
    } else {
      Steal();
      Steal();
    }
  }
  void after() { LockedFixture::after(); }
};

// The ring has room for one item and is not to grow: each slot is used again
// right after a thief has emptied it.
struct LockedSlotReuse : rl::test_suite<LockedSlotReuse, 2>, LockedFixture {
  void thread(unsigned index) {
    if (index == 0) {
      for (int item = 1; item <= 4; ++item) Push(item);
      PopAll();
    } else {
      for (int i = 0; i < 3; ++i) Steal();
    }
  }
  void after() { LockedFixture::after(); }
};

// A thief that refuses, or finds nothing, gives its claim back: the owner must
// not take the claim for a theft.
struct LockedGiveBack : rl::test_suite<LockedGiveBack, 3>, LockedFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      const bool got = Pop();
      RL_ASSERT(got);
      Push(2);
      RL_ASSERT(Pop());
      RL_ASSERT(!Pop());
    } else {
      const StealResult<int> loot = deque.StealIf([](int) { return false; });
      RL_ASSERT(loot.status != StealStatus::kStolen);
    }
  }
  void after() { LockedFixture::after(); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_LOCKED_DEQUE_SCENARIOS_H_

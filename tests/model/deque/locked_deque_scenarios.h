// The scenarios in which LockedDeque is model-checked.
//
// Its slots are plain variables, so that the checker sees a data race wherever
// an edge is missing.  Rings start with two slots.
#ifndef FILCH_TESTS_MODEL_DEQUE_LOCKED_DEQUE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_LOCKED_DEQUE_SCENARIOS_H_

#include "filch/deque/locked_deque.h"
#include "tests/model/deque/ledger.h"

namespace filch {
namespace model {

struct LockedFixture {
  LockedDeque<int, MutableAtomics> deque{0, 2};
  Ledger ledger;

  void Push(int item) { deque.Push(ledger.Create(item)); }
  bool Pop() {
    int item = 0;
    if (!deque.Pop(&item)) return false;
    ledger.Take(item);
    return true;
  }
  void PopAll() {
    while (Pop()) {
    }
  }
  void Steal() { ledger.Take(deque.Steal()); }
  void after() { ledger.AssertAllTaken(); }
};

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

// One item, one removal on each side.
struct LockedOneAndOne : rl::test_suite<LockedOneAndOne, 2>, LockedFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Pop();
    } else {
      Steal();
    }
  }
  void after() {
    PopAll();
    LockedFixture::after();
  }
};

// The ring grows while a thief is at the oldest item.
struct LockedRingGrows : rl::test_suite<LockedRingGrows, 2>, LockedFixture {
  void thread(unsigned index) {
    if (index == 0) {
      for (int item = 1; item <= 3; ++item) Push(item);
      Pop();
    } else {
      Steal();
      Steal();
    }
  }
  void after() {
    PopAll();
    LockedFixture::after();
  }
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

// A Pop that says "empty" is right: what it did not get, a thief has got.
struct LockedCertifiedEmpty : rl::test_suite<LockedCertifiedEmpty, 2>, LockedFixture {
  int popped = 0;
  int stolen = 0;

  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      popped += Pop() ? 1 : 0;
      Push(2);
      popped += Pop() ? 1 : 0;
    } else {
      for (int i = 0; i < 3; ++i) {
        const StealResult<int> loot = deque.Steal();
        stolen += loot.status == StealStatus::kStolen ? 1 : 0;
        ledger.Take(loot);
      }
    }
  }
  void after() {
    RL_ASSERT(popped + stolen == 2);
    LockedFixture::after();
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_LOCKED_DEQUE_SCENARIOS_H_

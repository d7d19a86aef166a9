// The scenarios in which ChaseLevDeque is model-checked.
//
// Rings start with two slots, so that a handful of items goes through a growth
// and a wrap.
#ifndef FILCH_TESTS_MODEL_DEQUE_CHASE_LEV_DEQUE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_CHASE_LEV_DEQUE_SCENARIOS_H_

#include "filch/deque/chase_lev_deque.h"
#include "tests/model/deque/ledger.h"

namespace filch {
namespace model {

struct ChaseLevFixture {
  ChaseLevDeque<int, MutableAtomics> deque{0, 2};
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
struct OwnerAgainstThieves : rl::test_suite<OwnerAgainstThieves, 3>, ChaseLevFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      Push(3);
      Pop();
      Push(4);
      Pop();
      Push(5);
      PopAll();
    } else {
      Steal();
      Steal();
    }
  }
  void after() { ChaseLevFixture::after(); }
};

// One item, one removal on each side: small enough for every execution.
struct OneAndOne : rl::test_suite<OneAndOne, 2>, ChaseLevFixture {
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
    ChaseLevFixture::after();
  }
};

// The ring grows, and its first slot is used again, while a thief holds the old one.
struct RingGrows : rl::test_suite<RingGrows, 2>, ChaseLevFixture {
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
    ChaseLevFixture::after();
  }
};

// One item at a time: each goes to exactly one of owner and thieves.
struct LastItem : rl::test_suite<LastItem, 3>, ChaseLevFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Pop();
      Push(2);
      Pop();
    } else {
      Steal();
      Steal();
    }
  }
  void after() { ChaseLevFixture::after(); }
};

// Two items and two removals on each side: the owner may take the second of
// two without an exchange only if no thief is past the first.
struct TwoAndTwo : rl::test_suite<TwoAndTwo, 2>, ChaseLevFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      Pop();
      Pop();
    } else {
      Steal();
      Steal();
    }
  }
  void after() { ChaseLevFixture::after(); }
};

// Two items, two thieves, one removal each: the second thief learns from the
// first that the oldest is gone, and the owner must not take the next as if it
// were there.
struct ThiefAfterThief : rl::test_suite<ThiefAfterThief, 3>, ChaseLevFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      Pop();
      Pop();
    } else {
      Steal();
    }
  }
  void after() { ChaseLevFixture::after(); }
};

// A Pop that says "empty" is right: what it did not get, a thief has got.
struct CertifiedEmpty : rl::test_suite<CertifiedEmpty, 2>, ChaseLevFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      popped = Pop();
      Push(2);
      popped_again = Pop();
    } else {
      for (int i = 0; i < 3; ++i) {
        const StealResult<int> loot = deque.Steal();
        if (loot.status == StealStatus::kStolen) ++thefts;
        ledger.Take(loot);
      }
    }
  }
  void after() {
    RL_ASSERT((popped ? 1 : 0) + (popped_again ? 1 : 0) + thefts == 2);
    ChaseLevFixture::after();
  }

  bool popped = false;
  bool popped_again = false;
  int thefts = 0;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_CHASE_LEV_DEQUE_SCENARIOS_H_

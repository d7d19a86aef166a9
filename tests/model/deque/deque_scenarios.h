// The scenarios in which every deque is model-checked that its owner shares item by item:
// ChaseLevDeque and LockedDeque.
//
// Rings start with two slots, so that a handful of items goes through a growth
// and a wrap.
#ifndef FILCH_TESTS_MODEL_DEQUE_DEQUE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_DEQUE_SCENARIOS_H_

#include "filch/deque/steal_result.h"
#include "tests/model/deque/ledger.h"

namespace filch {
namespace model {

template <typename Deque>
struct DequeFixture {
  Deque deque{0, 2};
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

// One item, one removal on each side: small enough for every execution.
template <typename Deque>
struct OneAndOne : rl::test_suite<OneAndOne<Deque>, 2>, DequeFixture<Deque> {
  using Fixture = DequeFixture<Deque>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Fixture::Pop();
    } else {
      Fixture::Steal();
    }
  }
  void after() {
    Fixture::PopAll();
    Fixture::after();
  }
};

// The ring grows, and its first slot is used again, while a thief is at the oldest item.
template <typename Deque>
struct RingGrows : rl::test_suite<RingGrows<Deque>, 2>, DequeFixture<Deque> {
  using Fixture = DequeFixture<Deque>;

  void thread(unsigned index) {
    if (index == 0) {
      for (int item = 1; item <= 3; ++item) Fixture::Push(item);
      Fixture::Pop();
    } else {
      Fixture::Steal();
      Fixture::Steal();
    }
  }
  void after() {
    Fixture::PopAll();
    Fixture::after();
  }
};

// A Pop that says "empty" is right: what it did not get, a thief has got.
template <typename Deque>
struct CertifiedEmpty : rl::test_suite<CertifiedEmpty<Deque>, 2>, DequeFixture<Deque> {
  using Fixture = DequeFixture<Deque>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      popped += Fixture::Pop() ? 1 : 0;
      Fixture::Push(2);
      popped += Fixture::Pop() ? 1 : 0;
    } else {
      for (int i = 0; i < 3; ++i) {
        const StealResult<int> loot = Fixture::deque.Steal();
        stolen += loot.status == StealStatus::kStolen ? 1 : 0;
        Fixture::ledger.Take(loot);
      }
    }
  }
  void after() {
    RL_ASSERT(popped + stolen == 2);
    Fixture::after();
  }

  int popped = 0;
  int stolen = 0;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_DEQUE_SCENARIOS_H_

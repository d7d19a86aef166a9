// The scenarios in which ChaseLevDeque is model-checked.
//
// Rings start with two slots, so that a handful of items goes through a growth
// and a wrap.
#ifndef FILCH_TESTS_MODEL_DEQUE_CHASE_LEV_DEQUE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_CHASE_LEV_DEQUE_SCENARIOS_H_

#include "filch/deque/chase_lev_deque.h"
#include "tests/model/deque/deque_scenarios.h"
#include "tests/model/deque/mutable_atomics.h"

namespace filch {
namespace model {

using ModelChaseLevDeque = ChaseLevDeque<int, MutableAtomics>;
using ChaseLevFixture = DequeFixture<ModelChaseLevDeque>;

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

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_CHASE_LEV_DEQUE_SCENARIOS_H_

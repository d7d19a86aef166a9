// Ledger: what a deque's model test asserts of every execution.
//
// Items are 1 to kItems; 0 is none.  Each has a payload that is written before
// the item is pushed and read by whoever gets it, so that the checker sees a
// data race where an edge is missing.
#ifndef FILCH_TESTS_MODEL_DEQUE_LEDGER_H_
#define FILCH_TESTS_MODEL_DEQUE_LEDGER_H_

#include "filch/deque/steal_result.h"
#include "tests/model/deque/mutable_atomics.h"

namespace filch {
namespace model {

class Ledger {
 public:
  static constexpr int kItems = 8;

  // To be called before the item is pushed.
  int Create(int item) {
    payload_[item] = kSalt + item;
    created_[item] = true;
    return item;
  }

  void Take(int item) {
    RL_ASSERT(item >= 1 && item <= kItems);
    RL_ASSERT(payload_[item] == kSalt + item);
    RL_ASSERT(taken_[item].fetch_add(1, std::memory_order_relaxed) == 0);
  }
  void Take(const StealResult<int>& loot) {
    if (loot.status == StealStatus::kStolen) Take(loot.item);
  }

  bool taken(int item) const { return taken_[item].load(std::memory_order_relaxed) != 0; }

  // Every item that was created has been taken; Take has seen to "once".
  void AssertAllTaken() {
    for (int item = 1; item <= kItems; ++item) {
      RL_ASSERT((taken_[item].load(std::memory_order_relaxed) == 1) == created_[item]);
    }
  }

 private:
  static constexpr int kSalt = 100;

  Plain<int> payload_[kItems + 1];
  Atomic<int> taken_[kItems + 1];
  bool created_[kItems + 1] = {};
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_LEDGER_H_

// The scenarios in which ShardedFifo is model-checked.
#ifndef FILCH_TESTS_MODEL_DEQUE_SHARDED_FIFO_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_SHARDED_FIFO_SCENARIOS_H_

#include "filch/deque/sharded_fifo.h"
#include "tests/model/deque/ledger.h"

namespace filch {
namespace model {

struct FifoFixture {
  ShardedFifo<int, MutableAtomics> queue{2};
  Ledger ledger;

  void Push(int item, std::uint64_t lane) {
    queue.Push(ledger.Create(item), static_cast<std::uint64_t>(item), lane);
  }
  StealStatus TryPop(std::uint64_t lane) {
    const StealResult<int> found = queue.TryPop(lane);
    if (found.status == StealStatus::kStolen) {
      RL_ASSERT(found.meta == static_cast<std::uint64_t>(found.item));
    }
    ledger.Take(found);
    return found.status;
  }
  void PopAll() {
    while (TryPop(0) != StealStatus::kEmpty) {
    }
  }
};

// Two producers, who contend for a lane, and a consumer.
struct ProducersAndConsumer : rl::test_suite<ProducersAndConsumer, 3>, FifoFixture {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1, 0);
      Push(2, 1);
    } else if (index == 1) {
      Push(3, 0);
    } else {
      TryPop(0);
      TryPop(1);
    }
  }
  void after() {
    PopAll();
    RL_ASSERT(queue.empty());
    ledger.AssertAllTaken();
  }
};

// kEmpty is exact: a consumer who pushed before does not hear it while what it
// pushed is there.
struct TwoConsumers : rl::test_suite<TwoConsumers, 2>, FifoFixture {
  int found[2] = {};

  void thread(unsigned index) {
    Push(static_cast<int>(index) + 1, 0);
    for (int tries = 0; tries < 2; ++tries) {
      const StealStatus status = TryPop(index);
      if (status == StealStatus::kStolen) ++found[index];
      if (status == StealStatus::kEmpty) saw_empty[index] = true;
    }
  }
  void after() {
    // Whoever saw the queue empty saw its own item gone.
    if (saw_empty[0] || saw_empty[1]) RL_ASSERT(found[0] + found[1] >= 1);
    PopAll();
    ledger.AssertAllTaken();
  }

  bool saw_empty[2] = {};
};

// Before a consumer sleeps: either the producer sees that it does, or the
// consumer sees the item.  A third thread makes the lane non-empty and empty
// again, so that the producer finds its bit set, or not.
struct SleepCheck : rl::test_suite<SleepCheck, 3>, FifoFixture {
  Atomic<int> sleeping;
  bool warned = false;
  bool saw_nothing = false;

  void thread(unsigned index) {
    if (index == 0) {
      Push(1, 0);
      MutableAtomics::SeqCstFence();
      warned = sleeping.load(std::memory_order_relaxed) != 0;
    } else if (index == 1) {
      sleeping.store(1, std::memory_order_relaxed);
      MutableAtomics::SeqCstFence();
      saw_nothing = queue.empty();
    } else {
      Push(2, 0);
      got = TryPop(0) == StealStatus::kStolen;
    }
  }
  void after() {
    const bool first_is_left = !got || ledger.taken(2);
    RL_ASSERT(warned || !saw_nothing || !first_is_left);
    PopAll();
    ledger.AssertAllTaken();
  }

  bool got = false;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_SHARDED_FIFO_SCENARIOS_H_

// Pipelines on two threads: the production source of what serial filters and the number of
// tokens let through, with items that are written and read without any other order.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_PIPELINE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_PIPELINE_SCENARIOS_H_

#include <atomic>
#include <cstdint>

#include "filch/tbb_compat/src/pipeline_baton.h"
#include "filch/tbb_compat/src/pipeline_tokens.h"
#include "filch/tbb_compat/src/pipeline_turns.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// `Items` go through a first filter that makes one at a time, and one more serial filter, in
// order or not; `Tokens` at a time. What is to be begun, or taken on, is done by either thread.
template <int Items, int Tokens, bool InOrder>
struct SerialPipeline : rl::test_suite<SerialPipeline<Items, Tokens, InOrder>, 2> {
  struct Item {
    Plain<int> made;
    std::uint64_t turn = 0;
  };

  tbb_compat_internal::PipelineTurns<Item, PoolModelAtomics> turns{Tokens};
  tbb_compat_internal::PipelineBaton<PoolModelAtomics> baton{Tokens};
  Item items[Items];
  Plain<int> begun;
  Plain<int> passed;
  Plain<std::uint64_t> order[Items];
  // Whether a beginning is on offer: one at most.  Spawning would order more.
  Atomic<bool> offered;
  Atomic<int> under_way;
  Atomic<int> ended;

  void before() { offered.store(true, std::memory_order_relaxed); }
  void thread(unsigned index) {
    while (ended.load(std::memory_order_relaxed) < Items) {
      if (offered.exchange(false, std::memory_order_relaxed)) {
        if (baton.TakeOffered()) Begin(index == 1);
      } else {
        rl::yield(1, $);
      }
    }
  }
  void after() {
    RL_ASSERT(begun == Items);
    RL_ASSERT(passed == Items);
    for (int i = 0; InOrder && i < Items; ++i) {
      RL_ASSERT(order[i] == static_cast<std::uint64_t>(i));
    }
  }

  // With the baton.
  void Begin(bool leaves_soon) {
    bool begin_another = true;
    while (begin_another) {
      const int number = begun;
      if (number == Items) return;
      begun = number + 1;
      RL_ASSERT(under_way.fetch_add(1, std::memory_order_relaxed) < Tokens);
      Item& item = items[number];
      item.made = number + 1;
      if (baton.Begun()) Offer();
      item.turn = InOrder ? static_cast<std::uint64_t>(number) : turns.DrawNumber();
      begin_another = Enter(item) ? baton.Ended() : baton.Take();
      if (begin_another && leaves_soon) {
        if (baton.PutDown()) Offer();
        return;
      }
    }
  }
  void Offer() { RL_ASSERT(!offered.exchange(true, std::memory_order_relaxed)); }
  // False: it waits for its turn.  Else it has ended, and so have others that waited for it.
  bool Enter(Item& item) {
    if (!turns.Enter(item, item.turn)) return false;
    for (Item* next = &item;;) {
      const int number = next->made;
      RL_ASSERT(number > 0);
      next->made = -number;
      const int place = passed;
      order[place] = static_cast<std::uint64_t>(number - 1);
      passed = place + 1;
      next = turns.Leave(next->turn);
      under_way.fetch_sub(1, std::memory_order_relaxed);
      ended.fetch_add(1, std::memory_order_relaxed);
      if (next == nullptr) return true;
      if (baton.EndedOne()) Offer();
    }
  }
};

// The first filter is parallel: never more items are under way than there are tokens.
template <int Tokens>
struct ParallelBegin : rl::test_suite<ParallelBegin<Tokens>, 2> {
  tbb_compat_internal::PipelineTokens<PoolModelAtomics> tokens{Tokens};
  Atomic<int> begins;
  Atomic<int> under_way;

  void before() { begins.store(1, std::memory_order_relaxed); }
  void thread(unsigned index) {
    for (int looks = 0; looks < 3; ++looks) {
      if (TakeBeginning()) return Begin(index);
      rl::yield(1, $);
    }
  }
  bool TakeBeginning() {
    int left = begins.load(std::memory_order_relaxed);
    while (left > 0) {
      if (begins.compare_exchange_weak(left, left - 1, std::memory_order_relaxed,
                                       std::memory_order_relaxed)) {
        return !tokens.stopped();
      }
    }
    return false;
  }
  void Begin(unsigned index) {
    int items = 0;
    do {
      RL_ASSERT(under_way.fetch_add(1, std::memory_order_relaxed) < Tokens);
      if (tokens.Begins()) {
        begins.fetch_add(1, std::memory_order_relaxed);
        if (index == 1) rl::yield(1, $);
      }
      if (++items == 3) return tokens.Stop();
      under_way.fetch_sub(1, std::memory_order_relaxed);
    } while (tokens.Ended());
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_PIPELINE_SCENARIOS_H_

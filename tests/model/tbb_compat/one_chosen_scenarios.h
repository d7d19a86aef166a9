// Threads that choose at once: the production source, with values that are written and read
// without any other order.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_ONE_CHOSEN_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_ONE_CHOSEN_SCENARIOS_H_

#include <atomic>

#include "filch/tbb_compat/src/one_chosen.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// C1: all use one value, as it was made; who brought another one takes that away.
template <int kThreads>
struct AllUseOne : rl::test_suite<AllUseOne<kThreads>, kThreads> {
  struct Value {
    Plain<int> made;
  };

  tbb_compat_internal::OneChosen<Value, PoolModelAtomics> chosen;
  Value values[kThreads];
  Value* used[kThreads] = {};
  Atomic<int> choosers;

  void thread(unsigned index) {
    Value* value = chosen.Get();
    if (value == nullptr) {
      Value& mine = values[index];
      mine.made = 1;
      value = chosen.Publish(&mine);
      if (value == &mine) {
        choosers.fetch_add(1, std::memory_order_relaxed);
      } else {
        mine.made = 2;  // nobody else may look at it
      }
    }
    RL_ASSERT(value->made == 1);
    used[index] = value;
  }
  void after() {
    RL_ASSERT(choosers.load(std::memory_order_relaxed) == 1);
    for (const Value* const value : used) RL_ASSERT(value == used[0]);
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_ONE_CHOSEN_SCENARIOS_H_

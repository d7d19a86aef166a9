// EventCount alone under the Relacy race detector.
#include <cstdint>
#include <cstdlib>

#include "filch/partitioner/event_count.h"
#include "tests/model/partitioner/model_main.h"
#include "tests/model/partitioner/relacy_sleep.h"
#include "tests/model/relacy_atomics.h"

namespace filch {
namespace {

using Events = partitioner_internal::BasicEventCount<model::RelacyAtomics, model::RelacySleep>;

// What Wait promises by itself: after it, the notifier's doings are visible
// without another look at the condition.
struct WaitPublishes : rl::test_suite<WaitPublishes, 2> {
  model::RelacySleep::Bed bed{model::RelacySleep::Wakes::kEarlyToo};
  Events events;
  model::Atomic<int> ready;
  model::Plain<int> result;

  void before() { model::RelacySleep::Use(&bed); }
  void thread(unsigned index) {
    if (index == 0) {
      result = 1;
      ready.store(1, std::memory_order_relaxed);
      events.NotifyOne();
      return;
    }
    const Events::Ticket ticket = events.PrepareWait();
    if (ready.load(std::memory_order_relaxed) != 0) {
      events.CancelWait();
      return;
    }
    events.Wait(ticket);
    RL_ASSERT(result == 1);
  }
};

// Two waiters, each of whom needs a token, and one notification for each token:
// nobody is left asleep.
struct OneForEach : rl::test_suite<OneForEach, 3> {
  model::RelacySleep::Bed bed;
  Events events;
  model::Atomic<int> tokens;

  void before() { model::RelacySleep::Use(&bed); }
  bool TakeToken() {
    int have = tokens.load(std::memory_order_relaxed);
    while (have > 0) {
      if (tokens.compare_exchange_weak(have, have - 1, std::memory_order_relaxed,
                                       std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 0; i < 2; ++i) {
        tokens.fetch_add(1, std::memory_order_relaxed);
        events.NotifyOne();
      }
      return;
    }
    for (;;) {
      const Events::Ticket ticket = events.PrepareWait();
      if (TakeToken()) {
        events.CancelWait();
        return;
      }
      events.Wait(ticket);
    }
  }
};

}  // namespace
}  // namespace filch

int main(int argc, char** argv) {
  using filch::model::Effort;
  using filch::model::Holds;
  const bool exhaustive = filch::model::WantsExhaustive(argc, argv);
  bool ok = Holds<filch::WaitPublishes>("WaitPublishes",
                                        exhaustive ? Effort{1000000, 20} : Effort{10000, 3});
  ok = Holds<filch::OneForEach>("OneForEach", exhaustive ? Effort{1000000, 4} : Effort{20000, 1}) &&
       ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

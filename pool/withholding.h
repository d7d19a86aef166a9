// Withholding: while it lives, thieves that ask for what a thread spawns get nothing yet.
//
// Among several threads somebody always comes at once, and takes cache lines from whoever works.
// So who runs what is most likely over sooner than that withholds it.  It is no promise: a thief
// that has waited for some microseconds takes by force what it can have (Search), so nobody waits
// for ever for what is withheld.  And after as long nothing is withheld any more: what was thought
// to be short may be a unit that runs a loop of its own.
//
// Of a loop among two threads nothing is withheld: there a thief takes no more than half.
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_WITHHOLDING_H_
#define FILCH_POOL_WITHHOLDING_H_

#include <cstdint>

#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class Withholding {
 public:
  // Among fewer threads it does nothing.
  static constexpr int kFewestThreads = 3;
  Withholding(Slot& slot, bool withhold, int fewest_threads = kFewestThreads)
      : slot_(slot), active_(withhold && slot.concurrency >= fewest_threads) {
    if (!active_) return;
    slot.withheld_until = Ticks() + kLongest;
    // Who has insisted before there was anything would take it by force at once.
    slot.deque.DropRequest();
  }
  ~Withholding() { Release(); }
  Withholding(const Withholding&) = delete;
  Withholding& operator=(const Withholding&) = delete;

  // In ticks.
  static constexpr std::uint64_t kLongest = 10000;

  // Whether something was withheld, by this object.
  bool active() const { return active_; }
  // Nothing is withheld any more.
  void Release() {
    if (active_) slot_.withheld_until = 0;
  }

 private:
  Slot& slot_;
  const bool active_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WITHHOLDING_H_

// FirstUnits: whether the first units of a loop end before anybody could help with it.
//
// Then none of them has waited for another thread.  By the deque from which the parts are
// taken.
//
// Among more than two threads somebody always comes at once.  So a loop that may be over sooner
// than that withholds its other parts until the first units have begun, and what takes them then
// has come too late for units that are short.  If these wait for it after all, a thief gets it by
// force in some microseconds (Search).
//
// The thread that runs the loop.
#ifndef FILCH_POOL_FIRST_UNITS_H_
#define FILCH_POOL_FIRST_UNITS_H_

#include <cstdint>

#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class FirstUnits {
 public:
  // Made as the loop begins, by the thread in `slot`, which runs it.
  explicit FirstUnits(Slot& slot, bool withhold = false)
      : slot_(slot),
        withholds_(withhold && slot.concurrency > 2),
        oldest_(slot.deque.ApproximateSizes().oldest),
        begin_(Ticks()) {
    if (!withholds_) return;
    slot.withholds = true;
    // Who has insisted before there was anything would take it by force at once.
    slot.deque.DropRequest();
  }
  ~FirstUnits() { Release(); }
  FirstUnits(const FirstUnits&) = delete;
  FirstUnits& operator=(const FirstUnits&) = delete;

  // Whether the calling thread runs the loop.  Any thread, in a slot.
  bool IsOwner() const { return current_slot == &slot_; }
  // Whether nobody has taken anything yet.
  bool unaided() const { return slot_.deque.ApproximateSizes().oldest == oldest_; }

  // Nothing is withheld any more.
  void Release() {
    if (withholds_) slot_.withholds = false;
  }
  // They begin now.
  void Begin() {
    Release();
    begin_ = Ticks();
  }
  // They have ended; the others are shared.
  void Ended() {
    Release();
    elapsed_ = Ticks() - begin_;
    ended_unaided_ = unaided() || (withholds_ && elapsed_ < kSoonestHelp);
    if (withholds_) slot_.ShareSome();
  }
  // Unless somebody took something else.
  bool ended_unaided() const { return ended_unaided_; }
  // How long they took, in ticks; for ever, if they have not ended.
  std::uint64_t elapsed() const { return elapsed_; }

  // Whether so many first units may be over sooner than help comes, so that a loop like this one
  // should withhold its others.
  bool AreQuick(std::uint32_t units) const { return elapsed_ / units < kQuick; }

 private:
  // To take a part takes a look, its answer and the taking, and to see what it did another
  // transfer of a cache line: 50 ns each at least.
  static constexpr std::uint64_t kSoonestHelp = 150;
  // Who withholds more loses more than what it learns is worth.
  static constexpr std::uint64_t kQuick = 1000;

  Slot& slot_;
  const bool withholds_;
  const std::uint64_t oldest_;
  std::uint64_t begin_;
  std::uint64_t elapsed_ = ~std::uint64_t{0};
  bool ended_unaided_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FIRST_UNITS_H_

// AbsentCall: whether a loop calls threads for slots that are to run some of it and have none.
//
// What is sent to a slot without a thread is for whoever looks for work, so nobody is called while
// somebody does.  But where each slot has something, all who look for work find their own first.
// So who sends units to slots calls somebody for the absent, if the parts of such loops are long:
// he comes some ten microseconds later, calls others, and most likely is there for the next loop.
//
// The thread that runs the loop.
#ifndef FILCH_POOL_ABSENT_CALL_H_
#define FILCH_POOL_ABSENT_CALL_H_

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

class AbsentCall {
 public:
  // For a loop of so many units, or parts if these have slots, that the thread in `slot` runs.
  // Before anything of it is sent: throws std::bad_alloc, at a thread's first loop.
  AbsentCall(const LoopBody& body, std::uint32_t units, Slot& slot)
      : long_parts_(LoopHistory::Own().long_parts), kind_(body.kind().OfSize(units)), slot_(slot) {}

  // The slot is to run some of it.
  void NoteSlot(int index) { someone_is_absent_ |= !slot_.arena->slots().IsOccupied(index); }
  // More slots could, but have no thread.
  void NoteAbsent() { someone_is_absent_ = true; }

  // All of it was sent.
  void Begin() {
    if (someone_is_absent_ && long_parts_.Contains(kind_)) Call();
  }
  // The thread's own part is over, after so many ticks.
  void OwnTook(std::uint64_t elapsed) {
    const bool is_long = elapsed > kWorthCall;
    long_parts_.Note(kind_, is_long);
    if (someone_is_absent_ && is_long) Call();
  }

 private:
  // The caller is held up for some microseconds.
  static constexpr std::uint64_t kWorthCall = 10000;

  void Call() {
    slot_.arena->CallForMore();
    someone_is_absent_ = false;
  }

  decltype(LoopHistory::long_parts)& long_parts_;
  const void* const kind_;
  Slot& slot_;
  bool someone_is_absent_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ABSENT_CALL_H_

#include "filch/pool/unit_tree.h"

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/join.h"
#include "filch/pool/task.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

// For a thief.
class UnitTree::Part final : public JoinTask {
 public:
  Part(UnitTree& tree, UnitInterval units)
      : JoinTask(&Part::RunStolen, &tree.context_), tree_(tree), units_(units) {}
  ~Part() = default;

 private:
  static Task* RunStolen(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<Part&>(task);
    self.RunAsThief(execution.slot, [&] {
      void* segment = nullptr;
      if (!execution.cancelled) self.tree_.Run(execution.slot, self.units_, &segment);
    });
    return nullptr;
  }

  UnitTree& tree_;
  const UnitInterval units_;
};

void UnitTree::Run(Slot& slot, UnitInterval units, void** segment) noexcept {
  try {
    if (units.size() <= piece_) {
      if (!context_.IsCancelled()) body_.Run(units, segment);
      return;
    }
    // The thread that goes on at once has the unit that is over: a thief comes later.
    const UnitInterval lower = TakeLower(&units, units.size() - units.size() / 2);
    Part upper(*this, units);
    if (evenness_ == Evenness::kUneven) slot.deque.RequestOwnExposure();
    slot.Spawn(upper);
    // One of several thieves has asked somebody else, most likely, and is not heard before the
    // lower half is done: of sixteen units of 10 us one or two waited for that.
    if (slot.concurrency > 2 && !slot.Withholds()) slot.deque.Expose();
    Run(slot, lower, segment);
    if (slot.deque.TryPop(&upper) || FinishJoin(slot, upper)) {
      Run(slot, units, segment);
    } else {
      *segment = nullptr;
    }
  } catch (...) {  // of the body, or std::bad_alloc of Spawn, which has left nothing behind
    context_.CaptureCurrentException();
  }
}

std::uint64_t UnitTree::RunBoth(Slot& slot, UnitInterval own, UnitInterval others) noexcept {
  std::uint64_t elapsed = 0;
  try {
    Part part(*this, others);
    slot.deque.RequestOwnExposure();
    slot.Spawn(part);
    void* segment = nullptr;
    const std::uint64_t begin = Ticks();
    Run(slot, own, &segment);
    elapsed = Ticks() - begin;
    if (slot.deque.TryPop(&part) || FinishJoin(slot, part)) {
      segment = nullptr;
      Run(slot, others, &segment);
    }
  } catch (...) {  // std::bad_alloc of Spawn
    context_.CaptureCurrentException();
  }
  return elapsed;
}

}  // namespace pool_internal
}  // namespace filch

#include "filch/pool/unit_tree.h"

#include "filch/pool/join.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// For a thief.
class UnitTree::UpperHalf final : public JoinTask {
 public:
  UpperHalf(UnitTree& tree, UnitInterval units)
      : JoinTask(&UpperHalf::RunStolen, &tree.context_), tree_(tree), units_(units) {}
  ~UpperHalf() = default;

 private:
  static Task* RunStolen(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<UpperHalf&>(task);
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
    UpperHalf upper(*this, units);
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

}  // namespace pool_internal
}  // namespace filch

#include "filch/pool/loop_invitation.h"

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

Task* LoopInvitation::Accept(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<LoopInvitation&>(task);
  SharedLoop& loop = self.loop_;
  Slot& slot = execution.slot;
  self.RunForOwner(slot, [&] {
    loop.parts().CountTaken();
    if (execution.cancelled) return;
    const UnitInterval units = loop.parts().StealAfterTaking([&](int n) { return slot.Random(n); });
    if (!units.empty()) loop.Accept(slot, units);
  });
  return nullptr;
}

}  // namespace pool_internal
}  // namespace filch

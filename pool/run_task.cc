#include "filch/pool/run_task.h"

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/trace_buffer.h"

namespace filch {
namespace pool_internal {

Outcome RunTaskSlowly(Slot& slot, Task& task, Rule rule) {
  const bool cancelled = task.context() != nullptr && task.context()->IsCancelled();
  const FpScope fp_scope(task.context(), slot);
  if (slot.trace == nullptr) return CallTask<UnknownKind>(slot, task, rule, cancelled);
  slot.trace->Record(TraceKind::kTaskBegin, static_cast<std::uint8_t>(rule));
  const Outcome outcome = CallTask<UnknownKind>(slot, task, rule, cancelled);
  slot.trace->Record(TraceKind::kTaskEnd);
  return outcome;
}

}  // namespace pool_internal
}  // namespace filch

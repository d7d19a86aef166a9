#include "filch/pool/stay_binding.h"

#include <utility>

#include "absl/status/statusor.h"
#include "filch/pool/arena.h"
#include "filch/pool/slot.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"

namespace filch {
namespace pool_internal {
namespace {

// The slot in which the binding of the calling thread from before is kept.
thread_local const Slot* outermost_bound = nullptr;

}  // namespace

CpuSet BindToArenaOf(const Slot& slot) {
  const CpuSet& cpus = slot.arena->options().cpus;
  if (cpus.empty()) return CpuSet();
  absl::StatusOr<CpuSet> before = ThisThreadBinding();
  if (!before.ok() || !BindThisThread(cpus).ok()) return CpuSet();
  return *std::move(before);
}

void BindStay(Slot& slot) {
  slot.cpus_before = BindToArenaOf(slot);
  if (!slot.cpus_before.empty() && outermost_bound == nullptr) outermost_bound = &slot;
}

void UnbindStay(Slot& slot) {
  const CpuSet before = std::exchange(slot.cpus_before, CpuSet());
  if (outermost_bound == &slot) outermost_bound = nullptr;
  // What could be bound before can be bound again, unless the system took it away.
  if (!before.empty()) BindThisThread(before).IgnoreError();
}

CpuSet BindingOutsideArenas() {
  return outermost_bound == nullptr ? CpuSet() : outermost_bound->cpus_before;
}

}  // namespace pool_internal
}  // namespace filch

#include "filch/pool/stay_binding.h"

#include <new>
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

CpuSet BindToArenaOf(const Slot& slot) noexcept {
  const CpuSet& cpus = slot.arena->options().cpus;
  if (cpus.empty()) return CpuSet();
  CpuSet before;
  try {
    absl::StatusOr<CpuSet> binding = ThisThreadBinding();
    if (!binding.ok()) return CpuSet();
    before = *std::move(binding);
    if (!BindThisThread(cpus).ok()) return CpuSet();
  } catch (const std::bad_alloc&) {
    // If that came after `before`, the thread may be bound: binding it back does no harm.
  }
  return before;
}

void BindIfPossible(const CpuSet& cpus) noexcept {
  if (cpus.empty()) return;
  try {
    // The system may have taken them away since they were noted.
    BindThisThread(cpus).IgnoreError();
  } catch (const std::bad_alloc&) {
    // The memory was for the answer, or for the sentence that says what is wrong.
  }
}

void BindStay(Slot& slot) noexcept {
  slot.cpus_before = BindToArenaOf(slot);
  if (!slot.cpus_before.empty() && outermost_bound == nullptr) outermost_bound = &slot;
}

void UnbindStay(Slot& slot) noexcept {
  const CpuSet before = std::exchange(slot.cpus_before, CpuSet());
  if (outermost_bound == &slot) outermost_bound = nullptr;
  BindIfPossible(before);
}

CpuSet BindingOutsideArenas() {
  return outermost_bound == nullptr ? ThisThreadBinding().value_or(CpuSet())
                                    : outermost_bound->cpus_before;
}

}  // namespace pool_internal
}  // namespace filch

// BindStay, UnbindStay: a thread is bound to the arena's cpus while it is in the arena.
//
// Scheduler-internal.  If the system refuses, or there is no memory, the thread stays where
// it is: these are called where a slot is occupied already, by workers too, whom nobody could
// tell.
#ifndef FILCH_POOL_STAY_BINDING_H_
#define FILCH_POOL_STAY_BINDING_H_

#include "filch/pool/slot.h"
#include "filch/topology/cpu_set.h"

namespace filch {
namespace pool_internal {

// Binds the calling thread, which is in the slot, to the cpus of its arena.  How it was
// bound before; empty if the arena has none or the thread stays where it is.
CpuSet BindToArenaOf(const Slot& slot) noexcept;
// Binds it to these; empty: it is.
void BindIfPossible(const CpuSet& cpus) noexcept;
// Does so for a thread that has come to the slot, and remembers there how it
// was bound before.
void BindStay(Slot& slot) noexcept;
// Binds it as it was.
void UnbindStay(Slot& slot) noexcept;

// How the calling thread is bound, or was before it came to the first arena that binds it; empty
// if the system does not tell.  Throws std::bad_alloc.
CpuSet BindingOutsideArenas();

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_STAY_BINDING_H_

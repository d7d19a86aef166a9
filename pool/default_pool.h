// DefaultPool: the pool of all that names no other.
#ifndef FILCH_POOL_DEFAULT_POOL_H_
#define FILCH_POOL_DEFAULT_POOL_H_

#include "filch/pool/pool.h"

namespace filch {

// Made at the first call, for as many threads as this process has cpus (CpuBudget, which
// heeds FILCH_NUM_THREADS): one of them waits, the others are workers.  The cpus are those of the
// process's main thread, however the caller may be bound.  Never destroyed, so
// tasks may run while statics are destroyed, and a dynamic library that has it stays
// loaded.  If FILCH_STATS names a file, the pool's statistics are written there as JSON when
// the process ends; FILCH_TRACE names one for its trace, the last 65536 events of each
// slot.  Throws std::bad_alloc.  Any thread.
Pool& DefaultPool();

}  // namespace filch

#endif  // FILCH_POOL_DEFAULT_POOL_H_

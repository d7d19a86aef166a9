// DefaultPool: the pool that everything uses which does not name another.
#ifndef FILCH_POOL_DEFAULT_POOL_H_
#define FILCH_POOL_DEFAULT_POOL_H_

#include "filch/pool/pool.h"

namespace filch {

// Made at the first call, with as many workers as this process has cpus beside
// the calling thread; never destroyed, so tasks may run while statics go away,
// and a dynamic library that has it stays loaded.
// If FILCH_STATS names a file, the pool's statistics are written there as JSON when
// the process ends; FILCH_TRACE names one for its trace, the last 65536 events of each
// slot.  Any thread.
Pool& DefaultPool();

}  // namespace filch

#endif  // FILCH_POOL_DEFAULT_POOL_H_

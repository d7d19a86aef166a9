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

// From now on `prepare` is called before the default pool is made, by each thread that finds that
// there is none, and at once if an older static object has made it; the thread holds no lock of the
// pool's.  For what must not be left to a worker, as whatever needs the loader's lock: a thread
// that is loading a library has that, and may wait for a worker.  For the same reason nobody asks
// for the pool first while holding a lock of the process (FirstUse).  One at most, by a static
// initializer of whoever builds on the pool.
void BeforeDefaultPool(void (*prepare)());

}  // namespace filch

#endif  // FILCH_POOL_DEFAULT_POOL_H_

// OfThreads: a pool with so many threads, and all else as usual.
#ifndef FILCH_TESTS_POOL_OF_THREADS_H_
#define FILCH_TESTS_POOL_OF_THREADS_H_

#include "filch/pool/pool.h"

namespace filch {

inline PoolOptions OfThreads(int threads) {
  PoolOptions options;
  options.concurrency = threads;
  return options;
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_OF_THREADS_H_

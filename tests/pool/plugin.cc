// A library that is loaded and unloaded while the program runs, and uses the
// scheduler inside.
#include <cstdint>

#include "filch/pool/default_pool.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"

namespace {

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  filch::Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

}  // namespace

// In a pool that lives as long as the call.
extern "C" std::int64_t FibInOwnPool(int n) {
  filch::PoolOptions options;
  options.concurrency = 2;
  filch::Pool pool(options);
  return pool.Execute([n] { return Fib(n); });
}

// In the library's default pool, whose threads stay.
extern "C" std::int64_t FibInDefaultPool(int n) { return Fib(n); }

// How many threads that pool has at most, the one that calls included.
extern "C" std::int64_t DefaultConcurrency(int) { return filch::DefaultPool().concurrency(); }

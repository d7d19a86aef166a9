#include "tools/bench/fib/fib.h"

namespace bench {
namespace {

std::int64_t Fib(long n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }

void RunFib(Run& run) { TimeFib(run, Fib); }

const Registration fib_join("fib_join", RunFib);
const Registration fib_group("fib_group", RunFib);

}  // namespace
}  // namespace bench

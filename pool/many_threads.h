// From how many threads on loops are shared in other ways.
//
// Among fewer each has its part soon, whoever halves what it has; and who comes to a loop looks at
// few others.  Measured with four and with sixteen (16 virtual Intel Xeon processors, 2026-11-27).
//
// Scheduler-internal.
#ifndef FILCH_POOL_MANY_THREADS_H_
#define FILCH_POOL_MANY_THREADS_H_

namespace filch {
namespace pool_internal {

inline constexpr int kManyThreads = 5;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_MANY_THREADS_H_

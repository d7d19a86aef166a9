// ThreadStackFloor: how deep a thread may nest foreign work on its stack.
#ifndef FILCH_POOL_THREAD_STACK_H_
#define FILCH_POOL_THREAD_STACK_H_

#include <cstdint>

namespace filch {
namespace pool_internal {

// The address in the middle of the calling thread's stack.  A thread whose
// stack has grown past it runs only its own subtree while it waits.  Measured
// once a thread; 0, which is no limit, where the system does not tell.
std::uintptr_t ThreadStackFloor();

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_THREAD_STACK_H_

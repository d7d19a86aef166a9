// Caller: what a thread that calls another one does next.
//
// One that works on needs its cpu itself, so whoever comes should run on another one.  Who only
// hands something over is served soonest where it is.
#ifndef FILCH_POOL_CALLER_H_
#define FILCH_POOL_CALLER_H_

namespace filch {
namespace pool_internal {

enum class Caller { kHandsOver, kWorksOn };

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_CALLER_H_

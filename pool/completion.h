// Completion: something that a thread waits for.
//
// The wait loop asks IsComplete between tasks.  Before it sleeps it enlists, and
// asks once more; from Enlist on, whoever completes it unparks the thread.
// Used on the slow path only: the thread has found nothing else to do.
#ifndef FILCH_POOL_COMPLETION_H_
#define FILCH_POOL_COMPLETION_H_

#include "filch/pool/parker.h"

namespace filch {
namespace pool_internal {

class Completion {
 public:
  // Everything before the completion is visible once it returns true.
  virtual bool IsComplete() const = 0;
  // From now on a completion unparks `parker`.
  virtual void Enlist(Parker& parker) = 0;
  // Takes Enlist back.
  virtual void Delist() = 0;
  // The slot in the waiting thread's arena whose thread is at work on it, or -1.  A
  // hint.
  virtual int Thief() const { return -1; }

 protected:
  ~Completion() = default;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_COMPLETION_H_

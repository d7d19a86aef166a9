// The workers of the default pool end with the last thread that they work for.
//
// A process ends with its main thread, unless that ends by pthread_exit: then with its last
// thread, which a worker would never be (attached_threads.h says how it is found out).
//
// Scheduler-internal.  Any thread.
#ifndef FILCH_POOL_LAST_THREAD_H_
#define FILCH_POOL_LAST_THREAD_H_

namespace filch {
namespace pool_internal {

// The calling thread has got a slot for itself; or has it no more.
void NoteAttached();
void NoteDetached();

// The calling thread, no worker of the default pool, ends and has no slot.  If nobody else is left,
// the workers run what there is and end; it does not wait for that.
void EndWorkersIfLast();

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LAST_THREAD_H_

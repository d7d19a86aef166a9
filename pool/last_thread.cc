#include "filch/pool/last_thread.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "filch/pool/attached_threads.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/pool.h"
#include "filch/topology/thread_binding.h"

namespace filch {
namespace pool_internal {
namespace {

AttachedThreads attached_threads;

// Of a main thread that has ended the kernel has forgotten the program, and knows the rest.
bool MainThreadHasEnded() {
  char first;
  return readlink("/proc/self/exe", &first, 1) < 0 && errno == ENOENT &&
         access("/proc/self/stat", F_OK) == 0;
}

// They run what is left first, and may need each other for it, so they are told when they have
// nothing to do.
void EndIdleWorkers() {
  Pool& pool = DefaultPool();
  do {
    while (pool.workers() > 0 && !pool.IsIdle()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (attached_threads.count() > 0) return;  // who came will look when it ends
    }
    pool.RetireWorkers();
  } while (pool.workers() > 0 && attached_threads.count() == 0);
}

// For this the calling thread does not wait: it may be what they wait for.
void EndWorkers() {
  try {
    std::thread(&EndIdleWorkers).detach();
  } catch (...) {  // there is no other thread to be had
    EndIdleWorkers();
  }
}

}  // namespace

void NoteAttached() { attached_threads.Add(); }

void NoteDetached() { attached_threads.Remove(); }

void EndWorkersIfLast() {
  if (attached_threads.NobodyIsLeft(IsMainThread(), &MainThreadHasEnded)) EndWorkers();
}

}  // namespace pool_internal
}  // namespace filch

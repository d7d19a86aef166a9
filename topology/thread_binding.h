// Binding of a thread to cpus, and reading the binding back.
//
// A binding restricts where the operating system may run the thread; it
// reserves nothing.  Do not bind threads that somebody else created: these
// functions speak of the calling thread only, so nobody's thread is moved
// behind its back.  Any thread may call them.
//
//   absl::StatusOr<CpuSet> before = ThisThreadBinding();
//   absl::StatusOr<CpuSet> granted = BindThisThread(CpuSet::Range(4, 7));
//   if (!granted.ok()) LogOnce(granted.status().message());
#ifndef FILCH_TOPOLOGY_THREAD_BINDING_H_
#define FILCH_TOPOLOGY_THREAD_BINDING_H_

#include "absl/status/statusor.h"
#include "filch/topology/cpu_set.h"

namespace filch {

// Binds the calling thread to `cpus` and returns what it is bound to now.  That
// can be less than asked for: the system leaves out cpus that are offline or
// that the process may not use.  When none is left, or `cpus` is empty, or the
// system has no such binding, the status says so and the old binding stays.
absl::StatusOr<CpuSet> BindThisThread(const CpuSet& cpus);

// The cpus on which the calling thread may run.
absl::StatusOr<CpuSet> ThisThreadBinding();

// The cpus on which the main thread of the process may run: those that the process was started
// with, unless it has bound that thread since.
absl::StatusOr<CpuSet> MainThreadBinding();
// Whether the caller is that thread; false where the system does not tell.
bool IsMainThread();

}  // namespace filch

#endif  // FILCH_TOPOLOGY_THREAD_BINDING_H_

#include "filch/topology/thread_binding.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#if defined(__linux__)
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#endif

namespace filch {

#if defined(__linux__)
namespace {

// cpu_set_t holds 1024 cpus; the kernel's masks may be longer.
struct MaskDeleter {
  void operator()(cpu_set_t* mask) const { CPU_FREE(mask); }
};
using Mask = std::unique_ptr<cpu_set_t, MaskDeleter>;

absl::Status SystemError(const std::string& what, int error) {
  return absl::Status(
      error == EPERM ? absl::StatusCode::kPermissionDenied : absl::StatusCode::kFailedPrecondition,
      absl::StrCat(what, ": ", std::strerror(error), "."));
}

absl::StatusOr<CpuSet> BindingOf(pid_t thread) {
  // The kernel refuses a mask shorter than its own with EINVAL, and there is no
  // call that tells its length.
  for (int length = 1024; length <= CpuSet::kMaxCpu + 1; length *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(length);
    const Mask mask(CPU_ALLOC(length));
    if (mask == nullptr) return absl::ResourceExhaustedError("No memory for a mask of cpus.");
    CPU_ZERO_S(bytes, mask.get());
    if (sched_getaffinity(thread, bytes, mask.get()) != 0) {
      if (errno == EINVAL) continue;
      return SystemError("Cannot read the cpus that the thread is bound to", errno);
    }
    CpuSet cpus;
    for (int cpu = length - 1; cpu >= 0; --cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask.get())) cpus.Add(cpu);
    }
    return cpus;
  }
  return absl::OutOfRangeError("The system has more cpus than filch can name.");
}

}  // namespace

absl::StatusOr<CpuSet> BindThisThread(const CpuSet& cpus) {
  if (cpus.empty()) {
    return absl::InvalidArgumentError("Cannot bind the thread to an empty set of cpus.");
  }
  const int length = cpus.Last() + 1;
  const std::size_t bytes = CPU_ALLOC_SIZE(length);
  const Mask mask(CPU_ALLOC(length));
  if (mask == nullptr) return absl::ResourceExhaustedError("No memory for a mask of cpus.");
  CPU_ZERO_S(bytes, mask.get());
  for (int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, mask.get());
  if (sched_setaffinity(0, bytes, mask.get()) != 0) {
    const int error = errno;
    return SystemError(absl::StrCat("Cannot bind the thread to cpus ", cpus.ToString()), error);
  }
  return ThisThreadBinding();
}

absl::StatusOr<CpuSet> ThisThreadBinding() { return BindingOf(0); }

absl::StatusOr<CpuSet> MainThreadBinding() { return BindingOf(getpid()); }

bool IsMainThread() { return gettid() == getpid(); }

#else

absl::StatusOr<CpuSet> BindThisThread(const CpuSet&) {
  return absl::UnimplementedError("Threads cannot be bound to cpus on this system.");
}

absl::StatusOr<CpuSet> ThisThreadBinding() {
  return absl::UnimplementedError("A thread's cpus cannot be read on this system.");
}

absl::StatusOr<CpuSet> MainThreadBinding() { return ThisThreadBinding(); }

bool IsMainThread() { return false; }

#endif

}  // namespace filch

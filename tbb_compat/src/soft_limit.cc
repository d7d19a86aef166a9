#include "filch/tbb_compat/src/soft_limit.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace filch::tbb_compat_internal {
namespace {

std::atomic<std::size_t> limit{0};

// What the system has given the process; SIZE_MAX if that cannot be found out. Without memory of
// its own, for the caller is an allocator.
std::size_t MemoryOfProcess() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return SIZE_MAX;
  char text[64];
  const ssize_t read_bytes = read(file, text, sizeof(text));
  close(file);
  // Two numbers of pages: of addresses, and of memory.
  std::size_t pages = 0;
  bool any = false;
  int spaces = 0;
  for (ssize_t i = 0; i < read_bytes && spaces < 2; ++i) {
    if (text[i] == ' ') {
      ++spaces;
    } else if (spaces == 1) {
      pages = pages * 10 + static_cast<std::size_t>(text[i] - '0');
      any = true;
    }
  }
  return any ? pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : SIZE_MAX;
}

}  // namespace

void SoftLimit::Set(std::size_t bytes) {
  limit.store(bytes, std::memory_order_relaxed);  // E2: a number
}

bool SoftLimit::IsSet() {
  return limit.load(std::memory_order_relaxed) != 0;  // E2: a number
}

bool SoftLimit::IsExceeded() {
  const std::size_t most = limit.load(std::memory_order_relaxed);  // E2: a number
  if (most == 0) return false;
  const int error_before = errno;
  // Who frees memory is not cancelled there, and would be where a file is read.
  int state_before = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_before);
  const bool exceeded = MemoryOfProcess() > most;
  pthread_setcancelstate(state_before, nullptr);
  errno = error_before;
  return exceeded;
}

}  // namespace filch::tbb_compat_internal

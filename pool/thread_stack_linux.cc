#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "filch/pool/thread_stack.h"

namespace filch {
namespace pool_internal {
namespace {

std::uintptr_t Measure() {
  // The main thread's stack may be reported as unlimited; nobody nests that deep.
  constexpr std::size_t kMost = std::size_t{64} << 20;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return 0;
  const std::uintptr_t highest = reinterpret_cast<std::uintptr_t>(lowest) + size;
  return highest - std::min(size, kMost) / 2;
}

}  // namespace

std::uintptr_t ThreadStackFloor() {
  static thread_local const std::uintptr_t floor = Measure();
  return floor;
}

}  // namespace pool_internal
}  // namespace filch

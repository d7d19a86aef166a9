#include "replaced_new.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

void* Allocate(std::size_t size, std::size_t alignment) {
  BeforeAllocation(size);
  void* const memory =
      std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Not inlined: a compiler that sees through one of a pair takes it for the other's
// mismatch.
__attribute__((noinline)) void* operator new(std::size_t size) {
  return Allocate(size, alignof(std::max_align_t));
}
__attribute__((noinline)) void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::size_t,
                                               std::align_val_t) noexcept {
  std::free(memory);
}

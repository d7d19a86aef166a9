#include "../include/oneapi/tbb/memory_pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>

#include "../include/oneapi/tbb/detail/_sleeping_lock.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {
namespace {

// The size of a block lies before it.
std::size_t& SizeOf(void* block) {
  return *std::launder(
      reinterpret_cast<std::size_t*>(static_cast<unsigned char*>(block) - kPoolAlignment));
}

std::size_t RoundUp(std::size_t size) {
  return (size + kPoolAlignment - 1) & ~(kPoolAlignment - 1);
}

unsigned char* AddressOf(void* memory) { return static_cast<unsigned char*>(memory); }

}  // namespace

// --- pool_base

void* pool_base::malloc(std::size_t size) {
  if (size > SIZE_MAX - 2 * kPoolAlignment) return nullptr;
  const std::size_t whole = RoundUp(size + kPoolAlignment);
  void* memory = nullptr;
  {
    const std::lock_guard<SleepingLock> lock(lock_);
    memory = Take(whole);
  }
  if (memory == nullptr) return nullptr;
  ::new (memory) std::size_t(whole);
  return AddressOf(memory) + kPoolAlignment;
}

void pool_base::free(void* memory) {
  if (memory == nullptr) return;
  const std::size_t whole = SizeOf(memory);
  const std::lock_guard<SleepingLock> lock(lock_);
  Return(AddressOf(memory) - kPoolAlignment, whole);
}

void* pool_base::realloc(void* memory, std::size_t size) {
  if (memory != nullptr && size == 0) {
    free(memory);
    return nullptr;
  }
  void* const moved = malloc(size);
  if (moved == nullptr || memory == nullptr) return moved;
  std::memcpy(moved, memory, std::min(size, SizeOf(memory) - kPoolAlignment));
  free(memory);
  return moved;
}

void pool_base::recycle() {
  const std::lock_guard<SleepingLock> lock(lock_);
  ReturnAll();
}

// --- fixed_pool

fixed_pool::fixed_pool(void* buffer, std::size_t size) : buffer_(buffer), size_(size) {
  if (buffer == nullptr || size == 0) {
    throw std::invalid_argument("tbb::fixed_pool: there is no buffer");
  }
  fixed_pool::ReturnAll();
}

void* fixed_pool::Take(std::size_t size) noexcept {
  for (Part** link = &parts_; *link != nullptr; link = &(*link)->next) {
    Part* const part = *link;
    if (part->size < size) continue;
    // The rest is at least as large as the smallest block, or nothing.
    *link = part->size == size ? part->next
                               : ::new (AddressOf(part) + size) Part{part->next, part->size - size};
    return part;
  }
  return nullptr;
}

void fixed_pool::Return(void* memory, std::size_t size) noexcept {
  Part* before = nullptr;
  Part* after = parts_;
  while (after != nullptr && AddressOf(after) < AddressOf(memory)) {
    before = after;
    after = after->next;
  }
  Part* part = ::new (memory) Part{after, size};
  if (before != nullptr && AddressOf(before) + before->size == AddressOf(memory)) {
    before->size += size;
    part = before;
  } else {
    (before != nullptr ? before->next : parts_) = part;
  }
  if (after != nullptr && AddressOf(part) + part->size == AddressOf(after)) {
    part->size += after->size;
    part->next = after->next;
  } else {
    part->next = after;
  }
}

void fixed_pool::ReturnAll() noexcept {
  parts_ = nullptr;
  void* place = buffer_;
  std::size_t space = size_;
  if (std::align(kPoolAlignment, kPoolAlignment, place, space) == nullptr) return;
  parts_ = ::new (place) Part{nullptr, space & ~(kPoolAlignment - 1)};
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

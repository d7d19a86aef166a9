// When a block that is resized stays where it is, and how much it gets if it does not.
#ifndef FILCH_TBB_COMPAT_SRC_REALLOC_POLICY_H_
#define FILCH_TBB_COMPAT_SRC_REALLOC_POLICY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace filch::tbb_compat_internal {

// Whether a block that has `usable` bytes is good for `size`: what shrinks to no less than a
// quarter may well grow again.
constexpr bool StaysInPlace(std::size_t usable, std::size_t size) {
  return size <= usable && size >= usable / 4;
}

// The bytes for a block that has become too small for `size`: what grows a little is likely
// to grow on, and should not move each time; who doubles its block has seen to that. A large
// one holds less back. `size` is no more than SIZE_MAX / 2.
constexpr std::size_t RoomToGrow(std::size_t usable, std::size_t size) {
  constexpr std::size_t kLarge = std::size_t{64} << 10;
  if (size / 2 >= usable) return size;
  return size + (size <= kLarge ? size / 2 : size / 8);
}

// Moves what does not stay in place by allocate(bytes), which may return null, and free(memory).
// Null, and the block stays as it is, if there is no memory; to shrink it fails only if it has
// to be moved, `fits` being false.
template <typename Allocate, typename Free>
void* MoveResized(void* memory, std::size_t usable, std::size_t size, bool fits,
                  const Allocate& allocate, const Free& free) {
  void* moved = nullptr;
  if (size > usable && size <= SIZE_MAX / 2) moved = allocate(RoomToGrow(usable, size));
  if (moved == nullptr) moved = allocate(size);
  if (moved == nullptr) return size <= usable && fits ? memory : nullptr;
  std::memcpy(moved, memory, std::min(size, usable));
  free(memory);
  return moved;
}

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_REALLOC_POLICY_H_

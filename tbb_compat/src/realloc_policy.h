// When a block that is resized stays where it is, and how much it gets if it does not.
#ifndef FILCH_TBB_COMPAT_SRC_REALLOC_POLICY_H_
#define FILCH_TBB_COMPAT_SRC_REALLOC_POLICY_H_

#include <cstddef>

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

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_REALLOC_POLICY_H_

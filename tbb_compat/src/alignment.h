// What is asked of alignments and addresses.
#ifndef FILCH_TBB_COMPAT_SRC_ALIGNMENT_H_
#define FILCH_TBB_COMPAT_SRC_ALIGNMENT_H_

#include <cstddef>
#include <cstdint>

namespace filch::tbb_compat_internal {

constexpr bool IsPowerOfTwo(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

// `alignment` is a power of two.
inline bool IsAligned(const void* memory, std::size_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(memory) & (alignment - 1)) == 0;
}

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_ALIGNMENT_H_

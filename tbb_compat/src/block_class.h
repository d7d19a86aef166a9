// BlockClass: the sizes of small blocks.
//
// A request is served with a block of the least class that is large enough: all multiples of
// 16 bytes up to 256, and eight sizes for each power of two from there on, so a block is
// larger than what was asked for by less than 16 bytes and an eighth.
#ifndef FILCH_TBB_COMPAT_SRC_BLOCK_CLASS_H_
#define FILCH_TBB_COMPAT_SRC_BLOCK_CLASS_H_

#include <cstddef>

namespace filch::tbb_compat_internal {

class BlockClass {
 public:
  static constexpr std::size_t kUnit = 16;
  // Classes are numbers from 1 on.
  static constexpr unsigned kMost = 56;
  // Of the largest class.
  static constexpr std::size_t kMostBytes = std::size_t{8} << 10;

  // `size` is at most kMostBytes.
  static constexpr unsigned For(std::size_t size) {
    const std::size_t units = size <= kUnit ? 1 : (size + kUnit - 1) / kUnit;
    if (units <= kExact) return static_cast<unsigned>(units);
    // `last` is a number of kExactBits + 1 bits or more; its first bit says which power of
    // two, and the next three which of the eight.
    const std::size_t last = units - 1;
    const unsigned power = 63 - static_cast<unsigned>(__builtin_clzll(last));
    const auto eighth = static_cast<unsigned>(last >> (power - 3));  // from 8 to 15
    return kExact + 8 * (power - kExactBits) + (eighth - 8) + 1;
  }
  static constexpr std::size_t BytesOf(unsigned block_class) {
    if (block_class <= kExact) return block_class * kUnit;
    const unsigned beyond = block_class - kExact - 1;
    return (std::size_t{9} + beyond % 8) << (beyond / 8 + kExactBits - 3) << 4;
  }

 private:
  static constexpr unsigned kExactBits = 4;
  static constexpr unsigned kExact = 1u << kExactBits;
};

static_assert(BlockClass::For(BlockClass::kMostBytes) == BlockClass::kMost);
static_assert(BlockClass::BytesOf(BlockClass::kMost) == BlockClass::kMostBytes);

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_BLOCK_CLASS_H_

// SharedPart: the one word on which thieves and owner of a SplitDeque compete.
//
// Part of SplitDeque; a plain value.  It packs the index of the oldest item
// (40 bits, wrapping) and the number of shared items (24 bits).  The tail never
// goes back, so a word can come back only with the same item at its tail: a
// compare-exchange from an old word that succeeds is about the right item.  For
// the tail to wrap under a stalled thief, 2^40 items must pass meanwhile, which
// takes more than an hour at 5 ns each.
#ifndef FILCH_DEQUE_SHARED_PART_H_
#define FILCH_DEQUE_SHARED_PART_H_

#include <cstdint>

namespace filch {
namespace deque_internal {

class SharedPart {
 public:
  static constexpr int kCountBits = 24;
  static constexpr std::int64_t kMaxCount = (std::int64_t{1} << kCountBits) - 1;

  // Nothing shared, and the oldest item, once there is one, has this index.
  explicit SharedPart(std::int64_t tail)
      : SharedPart(static_cast<std::uint64_t>(tail) << kCountBits) {}
  explicit SharedPart(std::uint64_t word) : word_(word) {}

  std::uint64_t word() const { return word_; }
  std::int64_t count() const { return static_cast<std::int64_t>(word_ & kCountMask); }
  // The index of the oldest item, modulo 2^40; enough to find its slot.
  std::uint64_t tail() const { return word_ >> kCountBits; }

  // How many indices from the tail to `index`; negative if the tail is past it.
  // They are less than 2^39 apart.
  std::int64_t DistanceTo(std::int64_t index) const {
    const std::uint64_t difference =
        (static_cast<std::uint64_t>(index) << kCountBits) - (word_ & ~kCountMask);
    return static_cast<std::int64_t>(difference) / (std::int64_t{1} << kCountBits);
  }

  SharedPart WithoutOldest() const { return SharedPart(word_ + (kCountMask + 1) - 1); }
  SharedPart WithCount(std::int64_t count) const {
    return SharedPart((word_ & ~kCountMask) | static_cast<std::uint64_t>(count));
  }
  // What to add to a word to share `count` more items.
  static std::uint64_t Increment(std::int64_t count) { return static_cast<std::uint64_t>(count); }

 private:
  static constexpr std::uint64_t kCountMask = static_cast<std::uint64_t>(kMaxCount);

  std::uint64_t word_;
};

}  // namespace deque_internal
}  // namespace filch

#endif  // FILCH_DEQUE_SHARED_PART_H_

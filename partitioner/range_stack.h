// RangeStack: a Range cut into a few pieces, from the leftmost, the smallest, to the rightmost,
// the largest.
//
// One thread works on the pieces from the left, in order; the rightmost one is what it gives away
// when somebody starves.  So a piece is small only when it is about to run.  RunSplit is made of
// it, and so are loops that fork.
//
// One thread; no synchronization, no allocation.
//
//   RangeStack<IndexRange<int>, 8> pieces(IndexRange<int>(0, 128));
//   pieces.CutLeft(3);  // {0, 16}, {16, 32}, {32, 64}, {64, 128}
#ifndef FILCH_PARTITIONER_RANGE_STACK_H_
#define FILCH_PARTITIONER_RANGE_STACK_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "filch/partitioner/divisible_range.h"

namespace filch {
namespace partitioner_internal {

// Of at most kPieces pieces, at most 64.  Traits::IsDivisible(range) and Traits::CutHalf(&range)
// say how a Range is cut, as those of RangeTraits do.
template <typename Range, unsigned kPieces, typename Traits = RangeTraits<Range>>
class RangeStack {
  static_assert(kPieces > 0 && kPieces <= 64, "their places are bits of a word");

 public:
  explicit RangeStack(const Range& whole) {
    ::new (&memory_[0]) Range(whole);
    order_[0] = 0;
    cuts_[0] = 0;
  }
  explicit RangeStack(Range&& whole) {
    ::new (&memory_[0]) Range(std::move(whole));
    order_[0] = 0;
    cuts_[0] = 0;
  }
  ~RangeStack() {
    while (count_ > 0) PopLeft();
  }
  RangeStack(const RangeStack&) = delete;
  RangeStack& operator=(const RangeStack&) = delete;

  int size() const { return count_; }

  // The leftmost piece.
  Range& left() { return At(order_[count_ - 1]); }
  // How often it was cut: into how small a part, as a power of two, of the whole.
  int left_cuts() const { return cuts_[order_[count_ - 1]]; }
  void PopLeft() { Destroy(order_[--count_]); }

  // The rightmost piece.
  Range& right() { return At(order_[0]); }
  int right_cuts() const { return cuts_[order_[0]]; }
  void PopRight() {
    Destroy(order_[0]);
    std::copy(order_ + 1, order_ + count_, order_);
    --count_;
  }

  // Halves the leftmost piece until the stack is full, or the piece was cut
  // `max_cuts` times, or cannot be cut.  If a range throws, nothing is lost.
  // Not inlined: loops over ranges of a kind share it.
  __attribute__((noinline)) void CutLeft(int max_cuts) {
    while (count_ < static_cast<int>(kPieces) && cuts_[order_[count_ - 1]] < max_cuts &&
           Traits::IsDivisible(left())) {
      const int place = FirstOf(free_);
      const int whole = order_[count_ - 1];
      ::new (&memory_[place]) Range(Traits::CutHalf(std::addressof(At(whole))));
      free_ &= ~(PlaceBits{1} << place);
      cuts_[place] = ++cuts_[whole];
      order_[count_ - 1] = place;
      order_[count_++] = whole;
    }
  }

 private:
  using PlaceBits = std::conditional_t<(kPieces > 32), std::uint64_t, std::uint32_t>;
  struct alignas(Range) Memory {
    unsigned char bytes[sizeof(Range)];
  };

  static int FirstOf(std::uint32_t places) { return __builtin_ctz(places); }
  static int FirstOf(std::uint64_t places) { return __builtin_ctzll(places); }
  Range& At(int place) { return *std::launder(reinterpret_cast<Range*>(&memory_[place])); }
  void Destroy(int place) {
    At(place).~Range();
    free_ |= PlaceBits{1} << place;
  }

  Memory memory_[kPieces];
  // By place in memory_: how often the piece was cut, and, a bit for each, whether there is none.
  int cuts_[kPieces];
  PlaceBits free_ = static_cast<PlaceBits>(~PlaceBits{0} >> (8 * sizeof(PlaceBits) - kPieces)) - 1;
  // The places of the pieces from right to left.
  int order_[kPieces];
  int count_ = 1;
};

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_RANGE_STACK_H_

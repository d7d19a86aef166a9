// RangeStack: a range cut into a few pieces, from the leftmost smallest to the
// rightmost largest.
//
// One thread works on the pieces from the left, in order; the rightmost one, the
// largest, is what it gives away when another thread asks for work. So a piece
// is small only when it is about to run. One thread.
#ifndef FILCH_TBB_COMPAT_DETAIL_RANGE_STACK_H_
#define FILCH_TBB_COMPAT_DETAIL_RANGE_STACK_H_

#include <algorithm>
#include <new>

#include "_config.h"
#include "_range_common.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Of at most kPieces pieces, at most 32.
template <typename Range, unsigned kPieces>
class RangeStack {
  static_assert(kPieces > 1 && kPieces <= 32, "their places are bits of a word");

 public:
  explicit RangeStack(const Range& whole) {
    ::new (&memory_[0]) Range(whole);
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
  // `max_cuts` times, or cannot be cut. If a range throws, nothing is lost.
  // Not inlined: loops over ranges of a kind share it.
  __attribute__((noinline)) void CutLeft(int max_cuts) {
    while (count_ < static_cast<int>(kPieces) && cuts_[order_[count_ - 1]] < max_cuts &&
           left().is_divisible()) {
      const int place = __builtin_ctz(free_);
      const int whole = order_[count_ - 1];
      ::new (&memory_[place]) Range(At(whole), split());
      free_ &= ~(1u << place);
      cuts_[place] = ++cuts_[whole];
      order_[count_ - 1] = place;
      order_[count_++] = whole;
    }
  }

 private:
  struct alignas(Range) Memory {
    unsigned char bytes[sizeof(Range)];
  };

  Range& At(int place) { return *std::launder(reinterpret_cast<Range*>(&memory_[place])); }
  void Destroy(int place) {
    At(place).~Range();
    free_ |= 1u << place;
  }

  Memory memory_[kPieces];
  // By place in memory_: how often the piece was cut, and whether there is one.
  int cuts_[kPieces];
  unsigned free_ = (~0u >> (32 - kPieces)) - 1;
  // The places of the pieces from right to left.
  int order_[kPieces];
  int count_ = 1;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_RANGE_STACK_H_

// RangePool: one Range cut into pieces that are worked off from the small end.
//
// The front piece is the largest and the last in order, the back piece the
// smallest and the first in order: the owner runs the back, and gives the front
// away when somebody starves.  Used by RunSplit.
//
// Owner only; no synchronization, no allocation.
//
//   RangePool<IndexRange<int>, 8> pool({0, 128});
//   pool.CutBack(3);   // front {64, 128}, {32, 64}, {16, 32}, back {0, 16}
#ifndef FILCH_PARTITIONER_RANGE_POOL_H_
#define FILCH_PARTITIONER_RANGE_POOL_H_

#include <new>
#include <utility>

#include "filch/partitioner/divisible_range.h"
#include "filch/topology/catch_all.h"

namespace filch {
namespace partitioner_internal {

template <typename Range, unsigned kCapacity>
class RangePool {
  static_assert((kCapacity & (kCapacity - 1)) == 0, "positions are taken modulo the capacity");

 public:
  explicit RangePool(Range range) {
    new (Address(0)) Range(std::move(range));
    end_ = 1;
  }
  RangePool(const RangePool&) = delete;
  RangePool& operator=(const RangePool&) = delete;
  ~RangePool() {
    while (!empty()) PopBack();
  }

  bool empty() const { return begin_ == end_; }
  unsigned size() const { return end_ - begin_; }

  Range& back() { return *Address(end_ - 1); }
  unsigned back_depth() const { return depths_[(end_ - 1) % kCapacity]; }
  Range& front() { return *Address(begin_); }

  // Cuts the back piece until it has been cut `depth` times in all, cannot be
  // cut, or the pool is full.
  void CutBack(unsigned depth) {
    while (back_depth() < depth && size() < kCapacity && RangeTraits<Range>::IsDivisible(back())) {
      // The second part must lie before the first, so it takes the back's place
      // and the first part moves up.
      Range second = RangeTraits<Range>::CutHalf(&back());
      new (Address(end_)) Range(back());
      Range* const place = &back();
      place->~Range();
      FILCH_TRY { new (place) Range(std::move(second)); }
      FILCH_CATCH_ALL {
        // Neither part is held any more.
        Address(end_)->~Range();
        --end_;
        FILCH_RETHROW;
      }
      const unsigned deeper = back_depth() + 1;
      depths_[(end_ - 1) % kCapacity] = deeper;
      depths_[end_ % kCapacity] = deeper;
      ++end_;
    }
  }

  void PopBack() { Address(--end_)->~Range(); }

  // Takes the front piece out.
  Range TakeFront() {
    Range range(std::move(front()));
    front().~Range();
    ++begin_;
    return range;
  }

 private:
  Range* Address(unsigned position) {
    return reinterpret_cast<Range*>(storage_ + position % kCapacity * sizeof(Range));
  }

  alignas(Range) unsigned char storage_[kCapacity * sizeof(Range)];
  unsigned depths_[kCapacity] = {};
  // Positions only grow, but for PopBack; unsigned wrap-around is harmless.
  unsigned begin_ = 0;
  unsigned end_ = 0;
};

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_RANGE_POOL_H_

// Partition: one consumer's view of a loop; the indices it is to execute.
//
// GetPartitions of a partitioner makes them; hand each to one thread and
// consume it in one of four ways, or in one after the other:
//
//   for (int i : partition) Work(i);                          // a range
//   partition.ForEach([](int i) { Work(i); });                // the fastest per index
//   partition.ForEachInterval([](int begin, int end) {...});  // whole batches
//   while (partition.Next(&i)) Work(i);                       // an iterator
//
// Owner only: everything; one thread at a time, movable between uses.  The
// partitions of one loop share what they need: each may be destroyed at any
// time, in any order, and may outlive the partitioner.  A body may Stop() its
// partition; every other use of it inside its own loop fails with a sentence.
//
// Leaving early is safe: when a body throws, a range-for breaks or the partition
// is destroyed, the indices it holds and has not handed out go back to the other
// partitions, if the scheme can do that (StealingRangePartitioner), or are
// dropped.  An index that was handed out counts as executed.  With a grain above
// 1, the rest of a begun unit is dropped too.  Leaving by hand while driving
// Next is Leave().  Consuming a partition that was left goes on with whatever
// there still is.
//
// Memory ordering: that of the scheme; see its header.
#ifndef FILCH_PARTITIONER_PARTITION_H_
#define FILCH_PARTITIONER_PARTITION_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "filch/partitioner/index_space.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/catch_all.h"
#include "filch/topology/contract.h"
#include "filch/topology/forced_inline.h"

namespace filch {
namespace partitioner_internal {

// The demand (see Partition) of schemes in which nobody can be helped.
struct NoDemand {
  constexpr bool operator()() const { return false; }
};

}  // namespace partitioner_internal

// `Feed` is the scheme: where this consumer's units come from.
//   UnitInterval Next();              the next batch; empty at the end.  The
//                                     batch before counts as executed.
//   Demand demand() const;            a value whose call says whether others
//                                     starve; cheap, asked at each index.
//   void GiveBack(UnitInterval* u);   u is the untouched upper part of the batch;
//                                     may take some off its high end.
//   void Leave(UnitInterval u);       u is the untouched part of the batch, the
//                                     rest counts as executed.
//   void Stop();                      ends the loop for everybody.
//
// Aligned, because partitions lie side by side in a vector and each is written
// by its own thread for every index.
template <typename Index, typename Feed>
class alignas(kCacheLineSize) Partition {
 public:
  class Cursor;
  struct End {};

  Partition(IndexSpace<Index> space, Feed feed) : space_(space), feed_(std::move(feed)) {}
  Partition(Partition&& other) noexcept
      : space_(other.space_),
        feed_(std::move(other.feed_)),
        batch_end_(std::exchange(other.batch_end_, 0)),
        next_(std::exchange(other.next_, Index{})),
        end_(std::exchange(other.end_, Index{})),
        in_batch_(std::exchange(other.in_batch_, false)) {
    other.CheckPosition();
  }
  Partition& operator=(Partition&&) = delete;
  ~Partition() { Leave(); }

  // The next index; false at the end.  Owner only.
  bool Next(Index* index) {
    if (next_ == end_) {
      CheckPosition();
      if (!NextBatch()) return false;
    } else if (__builtin_expect(feed_.demand()(), 0)) {
      GiveBack();
    }
    *index = next_;
    ++next_;
    return true;
  }

  // body(index) for every index.  Owner only.
  template <typename Body>
  void ForEach(Body&& body) {
    // The position stays in a register whatever memory the body writes to, if
    // its address goes nowhere; so no guard object, here and in a Cursor.
    const auto wanted = feed_.demand();
    Index next = TakePosition();
    FILCH_TRY {
      while (next != end_ || NextBatch(&next)) {
        Index end = end_;
        do {
          if (__builtin_expect(wanted(), 0)) end = GiveBack(next);
          // The handed-out index must not be returned if the body throws.
          const Index index = next;
          ++next;
          body(index);
        } while (next != end);
      }
    }
    FILCH_CATCH_ALL {
      ReturnPosition(next);
      FILCH_RETHROW;
    }
    ReturnPosition(next);
  }

  // body(begin, end) for every batch of indices.  A batch in the body's hands
  // is out of reach for thieves.  Owner only.
  template <typename Body>
  void ForEachInterval(Body&& body) {
    Index next = TakePosition();
    FILCH_TRY {
      while (next != end_ || NextBatch(&next)) {
        const Index begin = std::exchange(next, end_);
        body(begin, next);
      }
    }
    FILCH_CATCH_ALL {
      ReturnPosition(next);
      FILCH_RETHROW;
    }
    ReturnPosition(next);
  }

  // A range over the indices that leaves when it is destroyed.  One at a time.
  // Owner only.
  Cursor begin() { return Cursor(this); }
  End end() const { return End{}; }

  // Hands the indices that this partition still holds back.  Owner only.
  void Leave() {
    CheckPosition();
    if (!in_batch_) return;
    feed_.Leave(Untouched());
    EndBatch();
  }

  // Ends the loop for all its partitions: indices in nobody's hands are
  // dropped, and each partition ends after its current batch.  Owner only.
  void Stop() { feed_.Stop(); }

 private:
  // From here to ReturnPosition the caller holds the position, and next_ is end_.
  Index TakePosition() {
    CheckPosition();
    position_taken_ = true;
    return std::exchange(next_, end_);
  }

  // Leaves from there.  What is not inlined in the next three functions is what a
  // loop does once per batch or less: the smaller the loop, the better it runs.
  __attribute__((noinline)) void ReturnPosition(Index next) {
    position_taken_ = false;
    next_ = next;
    Leave();
  }

  void CheckPosition() const {
    if (position_taken_) Fail("filch: a partition was used inside its own loop.");
  }

  // Called with the batch used up; false at the end.
  __attribute__((noinline)) bool NextBatch() {
    const UnitInterval batch = feed_.Next();
    in_batch_ = !batch.empty();
    if (!in_batch_) {
      EndBatch();
      return false;
    }
    SetBatch(batch);
    return true;
  }

  // The same for a position that was taken.
  bool NextBatch(Index* next) {
    const bool more = NextBatch();
    *next = std::exchange(next_, end_);
    return more;
  }

  // Always leaves the next index here.
  void GiveBack() {
    UnitInterval untouched = Untouched();
    feed_.GiveBack(&untouched);
    batch_end_ = untouched.end;
    end_ = space_.Indices(untouched).end;
  }

  // The same for a position that was taken; returns the new end.
  __attribute__((noinline)) Index GiveBack(Index next) {
    next_ = next;
    GiveBack();
    return next_ = end_;
  }

  // The units of the batch none of whose indices has been handed out.
  UnitInterval Untouched() const {
    const std::uint32_t begin = space_.FirstUnitFrom(next_);
    return {begin < batch_end_ ? begin : batch_end_, batch_end_};
  }

  void SetBatch(UnitInterval batch) {
    const IndexInterval<Index> indices = space_.Indices(batch);
    batch_end_ = batch.end;
    next_ = indices.begin;
    end_ = indices.end;
  }

  void EndBatch() {
    next_ = end_;
    in_batch_ = false;
  }

  IndexSpace<Index> space_;
  Feed feed_;
  // The batch in hand: its unit end, and its indices not yet handed out.
  std::uint32_t batch_end_ = 0;
  Index next_{};
  Index end_{};
  bool in_batch_ = false;
  bool position_taken_ = false;
};

// An input iterator that owns the right to consume its partition, and holds its
// position; in registers, if nothing that takes its address stays a function.
template <typename Index, typename Feed>
class Partition<Index, Feed>::Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Index;
  using difference_type = std::ptrdiff_t;
  using pointer = const Index*;
  using reference = Index;

  FILCH_FORCED_INLINE explicit Cursor(Partition* partition)
      : partition_(partition),
        wanted_(partition->feed_.demand()),
        next_(partition->TakePosition()),
        end_(partition->end_) {
    ++*this;
  }
  Cursor(Cursor&& other) noexcept
      : partition_(std::exchange(other.partition_, nullptr)),
        wanted_(other.wanted_),
        index_(other.index_),
        next_(other.next_),
        end_(other.end_) {}
  Cursor& operator=(Cursor&&) = delete;
  FILCH_FORCED_INLINE ~Cursor() {
    if (partition_ != nullptr) partition_->ReturnPosition(next_);
  }

  Index operator*() const { return index_; }
  FILCH_FORCED_INLINE Cursor& operator++() {
    if (next_ == end_) {
      if (!partition_->NextBatch(&next_)) {
        std::exchange(partition_, nullptr)->ReturnPosition(next_);
        return *this;
      }
      end_ = partition_->end_;
    } else if (__builtin_expect(wanted_(), 0)) {
      end_ = partition_->GiveBack(next_);
    }
    index_ = next_;
    ++next_;
    return *this;
  }

  friend bool operator==(const Cursor& cursor, End) { return cursor.partition_ == nullptr; }
  friend bool operator!=(const Cursor& cursor, End) { return cursor.partition_ != nullptr; }

 private:
  using Demand = decltype(std::declval<const Feed&>().demand());

  Partition* partition_;
  Demand wanted_;
  Index index_{};
  Index next_;
  Index end_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_PARTITION_H_

// Partition: one consumer's view of a loop; the indices it is to execute.
//
// GetPartitions of a partitioner makes them; hand each to one thread and
// consume it in one of four ways, all of which may be mixed:
//
//   for (int i : partition) Work(i);                          // a range
//   partition.ForEach([](int i) { Work(i); });                // the fastest per index
//   partition.ForEachInterval([](int begin, int end) {...});  // whole batches
//   while (partition.Next(&i)) Work(i);                       // an iterator
//
// Owner only: everything; one thread at a time, movable between uses.  The
// partitions of one loop share what they need: each may be destroyed at any
// time, in any order, and may outlive the partitioner.
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

namespace filch {

// `Feed` is the scheme: where this consumer's units come from.
//   UnitInterval Next();              the next batch; empty at the end.  The
//                                     batch before counts as executed.
//   bool wanted() const;              others starve; cheap, asked at each index.
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
        in_batch_(std::exchange(other.in_batch_, false)) {}
  Partition& operator=(Partition&&) = delete;
  ~Partition() { Leave(); }

  // The next index; false at the end.  Owner only.
  bool Next(Index* index) {
    if (next_ == end_) {
      if (!NextBatch()) return false;
    } else if (feed_.wanted()) {
      GiveBack();
    }
    *index = next_;
    ++next_;
    return true;
  }

  // body(index) for every index.  Owner only.
  template <typename Body>
  void ForEach(Body&& body) {
    // The position is kept out of memory that the body might write to; the
    // guard brings it back, however the body ends.
    Position position{this};
    while (position.next != position.end || position.NextBatch()) {
      do {
        if (feed_.wanted()) position.GiveBack();
        // The handed-out index must not be returned if the body throws.
        const Index index = position.next;
        ++position.next;
        body(index);
      } while (position.next != position.end);
    }
  }

  // body(begin, end) for every batch of indices.  A batch in the body's hands
  // is out of reach for thieves.  Owner only.
  template <typename Body>
  void ForEachInterval(Body&& body) {
    const Leaver leaver{this};
    while (next_ != end_ || NextBatch()) {
      const Index begin = std::exchange(next_, end_);
      body(begin, end_);
    }
  }

  // A range over the indices that leaves when it is destroyed.  One at a time.
  // Owner only.
  Cursor begin() { return Cursor(this); }
  End end() const { return End{}; }

  // Hands the indices that this partition still holds back.  Owner only.
  void Leave() {
    if (!in_batch_) return;
    feed_.Leave(Untouched());
    EndBatch();
  }

  // Ends the loop for all its partitions: indices in nobody's hands are
  // dropped, and each partition ends after its current batch.  Owner only.
  void Stop() { feed_.Stop(); }

 private:
  struct Leaver {
    Partition* partition;
    ~Leaver() { partition->Leave(); }
  };

  // A copy of next_ and end_ while ForEach runs.
  struct Position {
    explicit Position(Partition* p) : partition(p), next(p->next_), end(p->end_) {}
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;
    ~Position() {
      partition->next_ = next;
      partition->Leave();
    }
    bool NextBatch() {
      partition->next_ = next;
      const bool more = partition->NextBatch();
      next = partition->next_;
      end = partition->end_;
      return more;
    }
    void GiveBack() {
      partition->next_ = next;
      partition->GiveBack();
      end = partition->end_;
    }

    Partition* partition;
    Index next;
    Index end;
  };

  // Called with the batch used up; false at the end.
  bool NextBatch() {
    const UnitInterval batch = feed_.Next();
    in_batch_ = !batch.empty();
    if (!in_batch_) {
      EndBatch();
      return false;
    }
    SetBatch(batch);
    return true;
  }

  void GiveBack() {
    UnitInterval untouched = Untouched();
    feed_.GiveBack(&untouched);
    batch_end_ = untouched.end;
    end_ = space_.Indices(untouched).end;
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
};

// An input iterator that owns the right to consume its partition.
template <typename Index, typename Feed>
class Partition<Index, Feed>::Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Index;
  using difference_type = std::ptrdiff_t;
  using pointer = const Index*;
  using reference = Index;

  explicit Cursor(Partition* partition) : partition_(partition) { ++*this; }
  Cursor(Cursor&& other) noexcept
      : partition_(std::exchange(other.partition_, nullptr)), index_(other.index_) {}
  Cursor& operator=(Cursor&&) = delete;
  ~Cursor() {
    if (partition_ != nullptr) partition_->Leave();
  }

  Index operator*() const { return index_; }
  Cursor& operator++() {
    if (!partition_->Next(&index_)) partition_ = nullptr;
    return *this;
  }

  friend bool operator==(const Cursor& cursor, End) { return cursor.partition_ == nullptr; }
  friend bool operator!=(const Cursor& cursor, End) { return cursor.partition_ != nullptr; }

 private:
  Partition* partition_;
  Index index_{};
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_PARTITION_H_

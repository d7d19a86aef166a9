// SegmentList: what the runs of a loop have made, one thing each, in the order of the units.
//
// For the bodies of loops that need something of their own for each run of neighbouring units
// that a thread gets, as reductions do.  The first run is usually the only one: what it needs is
// better kept beside the list.  Segments take memory as tasks do (ClosureMemory): they are made
// by thieves and destroyed by who began the loop, and for that general allocators lock.
//
//   SegmentList<Sum> sums(kind());                        // in a LoopBody
//   ... *segment = &sums.Make(units.begin, identity);   // in LoopBody::Run
//   sums.ForEach([&](Sum& sum) { total.Add(sum); });    // when the loop is over
//
// Any number of threads at once, each in a slot: Make.  One thread, in a slot, when the loop is
// over: all else.
// Memory ordering: none; that of the end of the loop.
#ifndef FILCH_POOL_SEGMENT_LIST_H_
#define FILCH_POOL_SEGMENT_LIST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "filch/pool/closure_memory.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/slot.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

// All that lists have to know of a segment: without the program's types, so that they are
// sorted by code that is compiled once.
struct SegmentLink {
  SegmentLink* next;
  std::uint32_t begin;  // the first unit
};

inline SegmentLink* MergeSegments(SegmentLink* left, SegmentLink* right) {
  SegmentLink* merged = nullptr;
  SegmentLink** end = &merged;
  while (left != nullptr && right != nullptr) {
    SegmentLink*& lower = left->begin < right->begin ? left : right;
    *end = lower;
    end = &lower->next;
    lower = lower->next;
  }
  *end = left != nullptr ? left : right;
  return merged;
}

// Takes the first `count` links, more than none, off the list.
inline SegmentLink* TakeSortedSegments(SegmentLink*& list, std::size_t count) {
  if (count == 1) {
    SegmentLink* const link = list;
    list = std::exchange(link->next, nullptr);
    return link;
  }
  SegmentLink* const some = pool_internal::TakeSortedSegments(list, count / 2);
  return pool_internal::MergeSegments(some,
                                      pool_internal::TakeSortedSegments(list, count - count / 2));
}

inline SegmentLink* SortSegments(SegmentLink* list) {
  std::size_t count = 0;
  for (const SegmentLink* link = list; link != nullptr; link = link->next) ++count;
  return count < 2 ? list : pool_internal::TakeSortedSegments(list, count);
}

template <typename T>
class SegmentList {
 public:
  // For a loop of this kind, which is told what segments take.
  explicit SegmentList(LoopKind& kind) : kind_(kind) {}
  ~SegmentList() {
    if (!empty()) DestroyObjects();
  }
  SegmentList(const SegmentList&) = delete;
  SegmentList& operator=(const SegmentList&) = delete;

  // A T of these arguments for the run that begins with the unit `begin`, where no other run
  // does.  It stays where it is.  Throws std::bad_alloc or what its constructor throws, and then
  // there is nothing.
  template <typename... Arguments>
  T& Make(std::uint32_t begin, Arguments&&... arguments) {
    const auto construct =
        [&](void* memory) noexcept(std::is_nothrow_constructible_v<T, Arguments&&...>) -> Segment& {
      return *::new (memory) Segment(begin, std::forward<Arguments>(arguments)...);
    };
    const std::uint64_t begun = Ticks();
    Segment& segment = Memory::Make(CurrentSlot().memory, construct);
    kind_.MadeSegment(begun, Ticks());
    const std::uint32_t number = count_.fetch_add(1, std::memory_order_relaxed);  // R1: collected
    if (number < kFew) {
      few_[number].store(&segment, std::memory_order_relaxed);  // R1: only collected
      return segment.value;
    }
    segment.next = more_.load(std::memory_order_relaxed);  // R1: only collected
    while (!more_.compare_exchange_weak(segment.next, &segment,
                                        std::memory_order_relaxed,  // R1: only collected
                                        std::memory_order_relaxed)) {
    }
    return segment.value;
  }

  bool empty() const {
    return count_.load(std::memory_order_relaxed) == 0;  // R1: the loop is over
  }

  // Calls f(value), which joins it to others, for each in the order of the units.  Throws what it
  // throws.
  template <typename F>
  void ForEach(const F& f) {
    SegmentLink* link = pool_internal::SortSegments(Collect());
    more_.store(link, std::memory_order_relaxed);  // R1: the loop is over
    for (std::uint64_t begin = Ticks(); link != nullptr; link = link->next) {
      f(static_cast<Segment*>(link)->value);
      const std::uint64_t end = Ticks();
      kind_.JoinedSegment(begin, end);
      begin = end;
    }
  }

 private:
  struct Segment : SegmentLink {
    template <typename... Arguments>
    explicit Segment(std::uint32_t first, Arguments&&... arguments)
        : SegmentLink{nullptr, first}, value(std::forward<Arguments>(arguments)...) {}
    T value;
  };
  using Memory = ClosureMemory<Segment>;

  // Makes them one list, which it returns.
  SegmentLink* Collect() {
    if (is_collected_) return more_.load(std::memory_order_relaxed);     // R1: the loop is over
    const std::uint32_t count = count_.load(std::memory_order_relaxed);  // R1: the loop is over
    const std::uint32_t few = count < kFew ? count : kFew;
    SegmentLink* list = more_.load(std::memory_order_relaxed);  // R1: the loop is over
    // Each is in the cache of the thread that made it, and they come at the same time.
    for (std::uint32_t i = 0; i != few; ++i) __builtin_prefetch(Few(i), 1);
    for (std::uint32_t i = 0; i != few; ++i) {
      SegmentLink* const link = Few(i);
      link->next = list;
      list = link;
    }
    more_.store(list, std::memory_order_relaxed);  // R1: the loop is over
    is_collected_ = true;
    return list;
  }
  SegmentLink* Few(std::uint32_t i) const {
    return few_[i].load(std::memory_order_relaxed);  // R1: the loop is over
  }

  void DestroyObjects() {
    for (SegmentLink* link = Collect(); link != nullptr;) {
      auto* const segment = static_cast<Segment*>(link);
      link = link->next;
      segment->~Segment();
      // Asked anew: destructors of the program's may have been anywhere.
      Memory::Free(CurrentSlot().memory, segment);
    }
  }

  // One for each thread of a large machine, or for several thefts on a small one.
  static constexpr std::uint32_t kFew = 32;

  // Not beside what threads read that run the loop.
  alignas(kCacheLineSize) std::atomic<std::uint32_t> count_{0};
  std::atomic<SegmentLink*> few_[kFew];  // the first of these, and then those in `more_`
  std::atomic<SegmentLink*> more_{nullptr};
  bool is_collected_ = false;
  LoopKind& kind_;  // read by who writes the count
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SEGMENT_LIST_H_

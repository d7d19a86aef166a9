// RingBuffer: the array of slots in a deque, indexed by ever-growing indices.
//
// Part of the deques.  A deque that grows makes a larger ring, copies into it,
// and keeps the old one alive as its predecessor, because a thief may still
// read there; nobody writes to an old ring again.  All of them together hold
// less than twice the slots of the newest.
//
// A ring may have slots before its first and after its last one, for who goes straight
// on there; no index leads to them.
//
// A Slot is default-constructible and has CopyFrom(const Slot&), relaxed.
#ifndef FILCH_DEQUE_RING_BUFFER_H_
#define FILCH_DEQUE_RING_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace filch {
namespace deque_internal {

template <typename Slot>
class RingBuffer {
 public:
  // Throws std::bad_alloc; then nothing has happened and the caller still owns
  // `older`.  `capacity` is a power of two.
  static RingBuffer* New(std::int64_t capacity, RingBuffer* older, std::int64_t before = 0,
                         std::int64_t after = 0) {
    std::unique_ptr<Slot[]> slots(new Slot[static_cast<std::size_t>(before + capacity + after)]);
    return new RingBuffer(std::move(slots), before, capacity, older);
  }

  // Frees `newest` and its predecessors.
  static void DeleteAll(RingBuffer* newest) {
    while (newest != nullptr) {
      RingBuffer* older = newest->older_;
      delete newest;
      newest = older;
    }
  }

  RingBuffer(const RingBuffer&) = delete;
  RingBuffer& operator=(const RingBuffer&) = delete;

  std::int64_t capacity() const { return static_cast<std::int64_t>(mask_) + 1; }
  std::uint64_t mask() const { return mask_; }
  Slot* slots() const { return first_; }
  Slot& At(std::uint64_t index) const { return first_[index & mask_]; }

  // Copies the slots of the indices [begin, end).  For a ring that no other
  // thread knows yet.
  void CopyFrom(const RingBuffer& other, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto index = static_cast<std::uint64_t>(i);
      At(index).CopyFrom(other.At(index));
    }
  }

 private:
  RingBuffer(std::unique_ptr<Slot[]> slots, std::int64_t before, std::int64_t capacity,
             RingBuffer* older)
      : slots_(std::move(slots)),
        first_(slots_.get() + before),
        mask_(static_cast<std::uint64_t>(capacity) - 1),
        older_(older) {}

  const std::unique_ptr<Slot[]> slots_;
  Slot* const first_;
  const std::uint64_t mask_;
  RingBuffer* const older_;
};

}  // namespace deque_internal
}  // namespace filch

#endif  // FILCH_DEQUE_RING_BUFFER_H_

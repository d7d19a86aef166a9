// AffinityMemory: which slot ran which piece of a loop, for the next run.
//
// Give the same memory to AffinitySplit in every repetition of a loop over the
// same data: a piece is then offered first to the slot whose caches have its
// data.  For loops that run once it is useless.
//
// Any thread may note and look up while the loop runs; Prepare only between
// loops.
//
// Memory ordering: none.  A note is a hint; a stale one costs locality and
// nothing else.
//
//   AffinityMemory memory;                       // lives as long as the data
//   for (int step = 0; step < 100; ++step) {
//     RunSplit(range, body, AffinitySplit(concurrency, &memory), spawner);
//   }
#ifndef FILCH_PARTITIONER_AFFINITY_MEMORY_H_
#define FILCH_PARTITIONER_AFFINITY_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <memory>

namespace filch {

// No particular slot.
inline constexpr std::uint32_t kAnySlot = UINT32_MAX;

class AffinityMemory {
 public:
  AffinityMemory() = default;
  AffinityMemory(const AffinityMemory&) = delete;
  AffinityMemory& operator=(const AffinityMemory&) = delete;

  // Makes room for `pieces`; forgets everything if that changes their number.
  // Between loops only.
  void Prepare(std::uint32_t pieces) {
    if (pieces == pieces_) return;
    slots_ = std::make_unique<std::atomic<std::uint32_t>[]>(pieces);
    pieces_ = pieces;
    for (std::uint32_t piece = 0; piece < pieces; ++piece) Note(piece, kAnySlot);
  }

  std::uint32_t pieces() const { return pieces_; }

  // The slot that ran `piece` last, or kAnySlot.  Any thread.
  std::uint32_t SlotOf(std::uint32_t piece) const {
    return slots_[piece].load(std::memory_order_relaxed);  // E8: hint.
  }

  // `slot` runs `piece`.  Any thread.
  void Note(std::uint32_t piece, std::uint32_t slot) {
    if (SlotOf(piece) == slot) return;  // others may read or note what is beside it
    slots_[piece].store(slot, std::memory_order_relaxed);  // E8: hint.
  }

 private:
  std::unique_ptr<std::atomic<std::uint32_t>[]> slots_;
  std::uint32_t pieces_ = 0;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_AFFINITY_MEMORY_H_

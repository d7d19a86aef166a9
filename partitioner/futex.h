// Futex: sleeping on a 32-bit word until somebody wakes the sleepers.
//
// Use it only below a protocol that says when a sleeper may be missed, such as
// EventCount; by itself it promises nothing but that Wait does not sleep if the
// word already differs.  Any thread.
//
// Memory ordering: none; the word's own operations order.
//
//   while (word.load(std::memory_order_acquire) == 0) Futex::Wait(word, 0);
#ifndef FILCH_PARTITIONER_FUTEX_H_
#define FILCH_PARTITIONER_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace filch {
namespace partitioner_internal {

struct Futex {
  // Sleeps if `word` equals `expected`, until a wake; may return early.
  static void Wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected);

  // Wakes one sleeper on `word`, or all; `word` is not read.
  static void WakeOne(const std::atomic<std::uint32_t>& word);
  static void WakeAll(const std::atomic<std::uint32_t>& word);
};

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_FUTEX_H_

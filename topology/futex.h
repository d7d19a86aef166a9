// Futex: sleeping on a 32-bit word until somebody wakes the sleepers.
//
// Use it only below a protocol that says when a sleeper may be missed, such as
// EventCount; by itself it promises nothing but that Wait does not sleep if the
// word already differs.  Any thread.
//
// Memory ordering: none; the word's own operations order.
//
//   while (word.load(std::memory_order_acquire) == 0) Futex::Wait(word, 0);
#ifndef FILCH_TOPOLOGY_FUTEX_H_
#define FILCH_TOPOLOGY_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace filch {

// A policy of templates, so that a model checker brings its own.
struct Futex {
  // Sleeps if `word` equals `expected`, until a wake; may return early.
  static void Wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected);

  // Wakes one sleeper on `word`, or all.  The word itself is not read: memory that has another use
  // by now is harmless as long as it is mapped.
  static void WakeOne(const std::atomic<std::uint32_t>& word);
  static void WakeAll(const std::atomic<std::uint32_t>& word);
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_FUTEX_H_

// FutexWait and FutexWake: the kernel's compare-and-sleep, nothing more.
//
// Everything in the pool that blocks comes down to these two calls: no
// condition variable, no semaphore and no std::atomic::wait stands between a
// sleeper and the one who wakes it.
//
// Memory ordering: none; whoever uses a word for more than sleeping orders it by the
// operations on the word.
#ifndef FILCH_POOL_FUTEX_H_
#define FILCH_POOL_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace filch {
namespace pool_internal {

// Sleeps while `word` holds `expected`.  Returns when woken, when the word
// differs, or for no reason at all: the caller checks again.  Any thread.
void FutexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected);

// Wakes at most one thread that sleeps on `word`.  The word itself is not
// read, so memory that has meanwhile another use is harmless as long as it is
// mapped.  Any thread.
void FutexWakeOne(std::atomic<std::uint32_t>& word);

// The same for every thread that sleeps on `word`.
void FutexWakeAll(std::atomic<std::uint32_t>& word);

// The same as a policy of templates that a model checker runs as well.
struct KernelFutex {
  static void Wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) {
    FutexWait(word, expected);
  }
  static void WakeOne(std::atomic<std::uint32_t>& word) { FutexWakeOne(word); }
  static void WakeAll(std::atomic<std::uint32_t>& word) { FutexWakeAll(word); }
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FUTEX_H_

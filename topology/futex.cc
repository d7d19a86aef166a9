#include "filch/topology/futex.h"

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#else
#include <condition_variable>
#include <mutex>
#endif

namespace filch {

#if defined(__linux__)

namespace {

void Call(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  static_assert(sizeof(word) == sizeof(std::uint32_t), "the kernel looks at the bare word");
  // Every error (a changed word, a signal) is one more early return.
  syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

void Futex::Wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected) {
  Call(word, FUTEX_WAIT_PRIVATE, expected);
}

void Futex::WakeOne(const std::atomic<std::uint32_t>& word) { Call(word, FUTEX_WAKE_PRIVATE, 1); }

void Futex::WakeAll(const std::atomic<std::uint32_t>& word) {
  Call(word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

#else

namespace {

// One bed for all sleepers of the process: correct everywhere, and only as fast
// as systems without a futex deserve.
struct Bed {
  std::mutex mutex;
  std::condition_variable woken;
};

Bed& TheBed() {
  static Bed* const bed = new Bed;  // Never destroyed: threads may outlive statics.
  return *bed;
}

}  // namespace

void Futex::Wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected) {
  Bed& bed = TheBed();
  std::unique_lock<std::mutex> lock(bed.mutex);
  // Whoever changed the word before waking takes the mutex to wake, so the
  // change cannot fall between this look and the sleep.
  if (word.load(std::memory_order_relaxed) == expected) bed.woken.wait(lock);  // E1: a look
}

void Futex::WakeOne(const std::atomic<std::uint32_t>& word) { WakeAll(word); }

void Futex::WakeAll(const std::atomic<std::uint32_t>&) {
  Bed& bed = TheBed();
  const std::lock_guard<std::mutex> lock(bed.mutex);
  bed.woken.notify_all();
}

#endif

}  // namespace filch

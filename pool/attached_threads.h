// AttachedThreads: who would miss the workers of the default pool when a thread ends.
//
// A process ends with its main thread, unless that ends by pthread_exit: then with its last
// thread.  Workers would never be that, so they have to be told when nobody is left for whom
// they work: the main thread has ended, and no other thread but workers has a slot.
//
// Any thread.  Memory ordering: none (A3 of README.md); of those who end at the same time the last
// one finds out.
#ifndef FILCH_POOL_ATTACHED_THREADS_H_
#define FILCH_POOL_ATTACHED_THREADS_H_

#include <atomic>
#include <cstdint>

namespace filch {
namespace pool_internal {

class AttachedThreads {
 public:
  // So that it is there before any code runs.
  constexpr AttachedThreads() = default;

  // A thread gets a slot for itself, and has none any more.
  void Add() {
    word_.fetch_add(kOne, std::memory_order_relaxed);  // A3: a count
  }
  void Remove() {
    word_.fetch_sub(kOne, std::memory_order_relaxed);  // A3: a count
  }

  // How many there are; a hint.
  int count() const {
    return static_cast<int>(word_.load(std::memory_order_relaxed) / kOne);  // A3: a hint
  }

  // The calling thread ends, and was removed.  Whether nobody is left: `main_has_ended()` is
  // asked unless that thread is the main one, or it was here.
  template <typename MainHasEnded>
  bool NobodyIsLeft(bool is_main, const MainHasEnded& main_has_ended) {
    std::uint32_t word = word_.load(std::memory_order_relaxed);  // A3: after Remove
    if (is_main) {
      word =
          word_.fetch_or(kMainHasEnded, std::memory_order_relaxed) | kMainHasEnded;  // A3: a flag
    }
    return word < kOne && (word == kMainHasEnded || main_has_ended());
  }

 private:
  static constexpr std::uint32_t kMainHasEnded = 1;
  static constexpr std::uint32_t kOne = 2;

  std::atomic<std::uint32_t> word_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ATTACHED_THREADS_H_

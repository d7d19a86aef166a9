// YieldUntil: waits for what another thread does, without helping the pool.
#ifndef FILCH_TESTS_POOL_YIELD_UNTIL_H_
#define FILCH_TESTS_POOL_YIELD_UNTIL_H_

#include <atomic>
#include <thread>

namespace filch {

template <typename Condition>
void YieldUntil(const Condition& condition) {
  while (!condition()) std::this_thread::yield();
}

inline void YieldUntil(const std::atomic<bool>& flag) {
  while (!flag.load()) std::this_thread::yield();
}

inline void YieldUntil(const std::atomic<int>& count, int value) {
  while (count.load() != value) std::this_thread::yield();
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_YIELD_UNTIL_H_

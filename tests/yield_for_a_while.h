// YieldForAWhile: gives other threads time for what they should not do.  A test that passes does
// not depend on how long it is, only whether one that should fail does so each time.
#ifndef FILCH_TESTS_YIELD_FOR_A_WHILE_H_
#define FILCH_TESTS_YIELD_FOR_A_WHILE_H_

#include <chrono>
#include <thread>

namespace filch {

// Until `over` says so, a millisecond at most: on a crowded machine a single yield may take more.
template <typename Over>
void YieldForAWhile(const Over& over) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  do {
    std::this_thread::yield();
  } while (!over() && std::chrono::steady_clock::now() < end);
}

inline void YieldForAWhile() {
  YieldForAWhile([] { return false; });
}

}  // namespace filch

#endif  // FILCH_TESTS_YIELD_FOR_A_WHILE_H_

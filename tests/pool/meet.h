// Meet: brings several threads of a pool into the same place at the same time.
#ifndef FILCH_TESTS_POOL_MEET_H_
#define FILCH_TESTS_POOL_MEET_H_

#include <atomic>
#include <thread>

#include "filch/pool/task_group.h"

namespace filch {

// Returns when so many threads, the calling one among them, have been in it at once: every
// worker that it takes has been started then.
inline void Meet(int threads) {
  std::atomic<int> inside{0};
  const auto meet = [&] {
    ++inside;
    while (inside.load() < threads) std::this_thread::yield();
  };
  TaskGroup group;
  for (int i = 1; i < threads; ++i) group.Run(meet);
  meet();
  group.Wait();
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_MEET_H_

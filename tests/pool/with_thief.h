// WithThief: two threads in an arena without workers.  One does what a test wants, and the other
// one takes from it what it shares.
#ifndef FILCH_TESTS_POOL_WITH_THIEF_H_
#define FILCH_TESTS_POOL_WITH_THIEF_H_

#include <atomic>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/yield_until.h"

namespace filch {

// Calls f() on the one thread.
template <typename F>
void WithThief(const F& f) {
  Pool pool(OfThreads(1));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  HeldWait waits;
  std::thread thief([&] { ExecuteIn(arena, [&] { waits.Begin(); }); });
  waits.UntilBegun();
  ExecuteIn(arena, f);
  waits.End();
  thief.join();
  pool.ReleaseArena(arena);
}

// A point that one thread comes to and another one waits for.
class Stage {
 public:
  void Reach() { reached_ = true; }
  void Await() const { YieldUntil(reached_); }
  // Shares what the calling thread has in its deque until then, which may take a thief to it.
  void AwaitThief() const {
    while (!reached_.load()) {
      pool_internal::CurrentSlot().deque.Expose();
      std::this_thread::yield();
    }
  }

 private:
  std::atomic<bool> reached_{false};
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_WITH_THIEF_H_

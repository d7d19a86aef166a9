// Threads that finalize the scheduler at once: the production source, with a scheduler that
// only knows who is inside.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_SCHEDULER_HANDLES_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_SCHEDULER_HANDLES_SCENARIOS_H_

#include <atomic>
#include <mutex>

#include "filch/tbb_compat/src/scheduler_handles.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

struct HandlesFixture {
  static constexpr int kThreads = 3;

  tbb::detail::r1::BasicSchedulerHandles<PoolModelAtomics> handles;
  // The pool's, and how many threads have an arena there.
  ModelMutex mutex;
  int inside = 0;
  // Whether each has, and what it does there.
  bool is_inside[kThreads] = {};
  Plain<int> works[kThreads];
  Atomic<int> ended;

  // --- as the pool and the calling thread's slot
  class Scheduler {
   public:
    Scheduler(HandlesFixture& test, int thread) : test_(test), thread_(thread) {}
    bool IsUsed() { return test_.is_inside[thread_] || !IsFree(); }
    void Leave() {
      if (!test_.is_inside[thread_]) return;
      test_.is_inside[thread_] = false;
      const std::lock_guard<ModelMutex> lock(test_.mutex);
      --test_.inside;
    }
    bool IsFree() {
      const std::lock_guard<ModelMutex> lock(test_.mutex);
      return test_.inside == 0;
    }
    // What any thread has done is over, and visible.
    void End() {
      RL_ASSERT(test_.ended.fetch_add(1, std::memory_order_relaxed) == 0);
      for (Plain<int>& work : test_.works) work += 1;
    }

   private:
    HandlesFixture& test_;
    const int thread_;
  };

  // Before the scenario's threads begin.
  void Enter(int thread) {
    is_inside[thread] = true;
    ++inside;
  }
  bool WorkAndFinalize(int thread) {
    works[thread] += 1;
    return handles.Finalize(Scheduler(*this, thread));
  }
};

// S2: each has a handle: the last one ends the scheduler, and the others are told that they
// did not.
template <int kUsers>
struct LastOneEnds : rl::test_suite<LastOneEnds<kUsers>, kUsers>, HandlesFixture {
  Atomic<int> finalized;

  void before() {
    for (int i = 0; i < kUsers; ++i) {
      Enter(i);
      handles.Add();
    }
  }
  void thread(unsigned index) {
    if (WorkAndFinalize(static_cast<int>(index))) {
      finalized.fetch_add(1, std::memory_order_relaxed);
    }
  }
  void after() {
    RL_ASSERT(ended.load(std::memory_order_relaxed) == 1);
    RL_ASSERT(finalized.load(std::memory_order_relaxed) == 1);
    RL_ASSERT(!handles.Any());
  }
};

// S2: a thread without a handle is there, and leaves: the scheduler ends after that, or stays.
struct OtherIsThere : rl::test_suite<OtherIsThere, 2>, HandlesFixture {
  void before() {
    Enter(0);
    Enter(1);
    handles.Add();
  }
  void thread(unsigned index) {
    if (index == 0) {
      WorkAndFinalize(0);
    } else {
      works[1] += 1;
      Scheduler(*this, 1).Leave();
    }
  }
  void after() { RL_ASSERT(!handles.Any()); }
};

// S2: one handle is given up meanwhile: the scheduler ends, or the handle was there still.
struct OneIsReleased : rl::test_suite<OneIsReleased, 2>, HandlesFixture {
  bool done = false;

  void before() {
    Enter(0);
    handles.Add();
    handles.Add();
  }
  void thread(unsigned index) {
    if (index == 0) {
      done = WorkAndFinalize(0);
    } else {
      handles.Remove();
    }
  }
  void after() {
    RL_ASSERT(!handles.Any());
    RL_ASSERT(ended.load(std::memory_order_relaxed) == (done ? 1 : 0));
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_SCHEDULER_HANDLES_SCENARIOS_H_

// SleepingLock: one owner at a time, who sees what the last one did, and nobody
// sleeps for ever.
#ifndef FILCH_TESTS_MODEL_POOL_LOCK_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_LOCK_SCENARIOS_H_

#include "filch/pool/sleeping_lock.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// LockWaiting for the checker: all locks of a scenario share one counter.
class ModelLockWaiting : public ModelFutex {
 public:
  // With no look a waiter sleeps at once, which is when wake-ups can get lost.
  static constexpr unsigned kLooks = 0;
  static constexpr unsigned kPatience = 1;

  static void Use(MutableAtomic<std::uint32_t>* sleepers) { sleepers_ = sleepers; }
  static MutableAtomic<std::uint32_t>& SleepersOn(const void*) { return *sleepers_; }

 private:
  static inline MutableAtomic<std::uint32_t>* sleepers_ = nullptr;
};

// The same with a look before the sleep.
struct LookingWaiting : ModelLockWaiting {
  static constexpr unsigned kLooks = 1;
};

template <typename Waiting>
using ModelLock = pool_internal::BasicSleepingLock<PoolModelAtomics, Waiting>;

struct LockBed {
  FutexBed bed;
  MutableAtomic<std::uint32_t> sleepers;

  void UseBed() {
    ModelFutex::Use(&bed);
    ModelLockWaiting::Use(&sleepers);
  }
};

// Threads that each lock `times` times; kWithoutMembarrier: as where a thread that is none
// is counted.
template <int threads, int times, typename Waiting, bool without_membarrier = false>
struct OwnersCount
    : rl::test_suite<OwnersCount<threads, times, Waiting, without_membarrier>, threads>,
      LockBed {
  ModelLock<Waiting> lock;
  Plain<int> count;

  void before() {
    UseBed();
    if (without_membarrier) sleepers.store(1, std::memory_order_relaxed);
  }
  void thread(unsigned) {
    for (int i = 0; i < times; ++i) {
      lock.lock();
      count += 1;
      lock.unlock();
    }
  }
  void after() {
    RL_ASSERT(count == threads * times);
    const std::uint32_t left =
        sleepers.load(std::memory_order_relaxed) & ~pool_internal::LockSleepers::kFenced;
    RL_ASSERT(left == (without_membarrier ? 1 : 0));
  }
};

// Sleepers on two locks that share a counter are not mistaken for each other.
struct LocksShareACounter : rl::test_suite<LocksShareACounter, 4>, LockBed {
  ModelLock<ModelLockWaiting> locks[2];
  Plain<int> counts[2];

  void before() { UseBed(); }
  void thread(unsigned index) {
    locks[index % 2].lock();
    counts[index % 2] += 1;
    locks[index % 2].unlock();
  }
  void after() { RL_ASSERT(counts[0] == 2 && counts[1] == 2); }
};

// One that sleeps on a lock because of the fence that a sleeper on another one has passed is woken.
struct SleepersShareAFence : rl::test_suite<SleepersShareAFence, 3>, LockBed {
  ModelLock<ModelLockWaiting> locks[2];

  void before() {
    UseBed();
    for (auto& lock : locks) lock.lock();
  }
  void thread(unsigned index) {
    if (index < 2) return locks[index].lock();
    locks[1].unlock();
    locks[0].unlock();
  }
};

// One who only tries gets in or does not, beside one who waits.
struct TriesToLock : rl::test_suite<TriesToLock, 3>, LockBed {
  ModelLock<ModelLockWaiting> lock;
  Plain<int> count;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      if (!lock.try_lock()) return;
    } else {
      lock.lock();
    }
    count += 1;
    lock.unlock();
  }
};

// For the mutants, whose scenarios are single names.
using TwoOwners = OwnersCount<2, 2, ModelLockWaiting>;
using ThreeOwners = OwnersCount<3, 1, ModelLockWaiting>;

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_LOCK_SCENARIOS_H_

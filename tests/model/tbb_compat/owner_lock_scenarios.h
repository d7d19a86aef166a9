// The owner of an OwnerLock and those who claim it: one is in at a time, sees what the last
// one did, and nobody sleeps for ever.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_OWNER_LOCK_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_OWNER_LOCK_SCENARIOS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/owner_lock.h"
#include "filch/tbb_compat/src/thread_indexes.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// With no look a claimer sleeps at once, which is when a wake-up can get lost.
template <unsigned looks>
struct ClaimerWaiting : ModelFutex {
  static constexpr unsigned kLooks = looks;
};

template <typename Atomics, unsigned looks>
using ModelOwnerLock =
    tbb_compat_internal::BasicOwnerLock<Atomics, ClaimerWaiting<looks>, ModelMutex>;

// The first thread is the owner, and goes in `times` times; each of the others claims the lock
// once.
template <int threads, int times, unsigned looks = 0, typename Atomics = PoolModelAtomics>
struct OwnerAndClaimers
    : rl::test_suite<OwnerAndClaimers<threads, times, looks, Atomics>, threads> {
  FutexBed bed;
  ModelOwnerLock<Atomics, looks> lock;
  Plain<int> count;

  void before() { ModelFutex::Use(&bed); }
  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 0; i < times; ++i) {
        lock.Enter();
        count += 1;
        lock.Leave();
      }
    } else {
      const std::lock_guard<ModelOwnerLock<Atomics, looks>> claim(lock);
      count += 1;
    }
  }
  void after() { RL_ASSERT(count == times + threads - 1); }
};

// What the fences and the orders of the lock are about.
using OwnerAndClaimer = OwnerAndClaimers<2, 2>;

// Each of the first two threads owns a lock; the third claims both of them with one fence.
template <typename Atomics = PoolModelAtomics>
struct OwnersAndOneClaimer : rl::test_suite<OwnersAndOneClaimer<Atomics>, 3> {
  using Lock = ModelOwnerLock<Atomics, 0>;

  FutexBed bed;
  Lock locks[2];
  Plain<int> counts[2];

  void before() { ModelFutex::Use(&bed); }
  void thread(unsigned index) {
    if (index == 2) {
      for (Lock& lock : locks) lock.Claim();
      Lock::FenceClaims();
      for (int i = 0; i < 2; ++i) {
        locks[i].AwaitOwner();
        counts[i] += 1;
        locks[i].unlock();
      }
    } else {
      locks[index].Enter();
      counts[index] += 1;
      locks[index].Leave();
    }
  }
  void after() { RL_ASSERT(counts[0] == 2 && counts[1] == 2); }
};

// Threads that have the same number one after another: each owns what belongs to it.
template <int threads>
struct NumbersAreInherited : rl::test_suite<NumbersAreInherited<threads>, threads> {
  tbb_compat_internal::BasicThreadIndexes<PoolModelAtomics, 1> indexes;
  Plain<int> owners[threads];
  Atomic<int> total;

  void thread(unsigned) {
    const std::size_t index = indexes.Take();
    RL_ASSERT(index < threads);
    owners[index] += 1;
    indexes.Return(index);
  }
  void after() {
    int sum = 0;
    for (const Plain<int>& count : owners) sum += count;
    RL_ASSERT(sum == threads);
    RL_ASSERT(indexes.Take() == 0);
  }
};

// Every block that somebody pushes is taken once, as it was when it was pushed.
template <int pushers>
struct SharedBlocks : rl::test_suite<SharedBlocks<pushers>, pushers + 1> {
  struct Block {
    void* room_for_a_link;
    Plain<int> written;
  };

  tbb_compat_internal::BasicSharedBlockList<PoolModelAtomics> list;
  Block blocks[2 * pushers];
  int taken = 0;

  void thread(unsigned index) {
    if (index == pushers) {
      TakeAll();
      if (!list.is_empty()) TakeAll();
      return;
    }
    for (int i = 0; i < 2; ++i) {
      Block& block = blocks[2 * static_cast<int>(index) + i];
      block.written = 1;
      list.Push(&block);
    }
  }
  void after() {
    TakeAll();
    RL_ASSERT(taken == 2 * pushers);
  }

  void TakeAll() {
    tbb_compat_internal::BlockList all(list.TakeAll());
    while (!all.is_empty()) {
      auto* const block = static_cast<Block*>(all.Pop());
      RL_ASSERT(block->written == 1);
      block->written = 2;
      ++taken;
    }
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_OWNER_LOCK_SCENARIOS_H_

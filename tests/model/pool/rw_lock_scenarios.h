// SleepingRwLock: one writer or readers, who see what the last ones did, and nobody sleeps
// for ever.
#ifndef FILCH_TESTS_MODEL_POOL_RW_LOCK_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_RW_LOCK_SCENARIOS_H_

#include "filch/pool/sleeping_rw_lock.h"
#include "tests/model/pool/lock_scenarios.h"

namespace filch {
namespace model {

template <typename Waiting>
using ModelRwLock = pool_internal::BasicSleepingRwLock<PoolModelAtomics, Waiting>;

// Writers and readers: `Kinds` has a letter for what each thread does.
//   w  writes              r  reads               t  tries to write   s  tries to read
//   u  reads, then writes  d  writes, then reads
template <typename Kinds, typename Waiting>
struct ReadersAndWriters : rl::test_suite<ReadersAndWriters<Kinds, Waiting>, Kinds::kThreads>,
                           LockBed {
  ModelRwLock<Waiting> lock;
  Plain<int> first;
  Plain<int> second;

  void before() { UseBed(); }
  void after() { RL_ASSERT(lock.try_lock()); }
  void thread(unsigned index) {
    switch (Kinds::kLetters[index]) {
      case 'w':
        lock.lock();
        Write();
        lock.unlock();
        break;
      case 't':
        if (!lock.try_lock()) break;
        Write();
        lock.unlock();
        break;
      case 'r':
        lock.lock_shared();
        Read();
        lock.unlock_shared();
        break;
      case 's':
        if (!lock.try_lock_shared()) break;
        Read();
        lock.unlock();
        break;
      case 'u': {
        lock.lock_shared();
        const int seen = Read();
        const bool at_once = lock.Upgrade();
        RL_ASSERT(!at_once || first == seen);
        Write();
        lock.unlock();
        break;
      }
      case 'd': {
        lock.lock();
        Write();
        const int written = first;
        lock.Downgrade();
        RL_ASSERT(Read() == written);
        lock.unlock_shared();
        break;
      }
    }
  }

 private:
  void Write() {
    first += 1;
    second += 1;
  }
  int Read() {
    const int seen = first;
    RL_ASSERT(second == seen);
    return seen;
  }
};

#define FILCH_KINDS(name, letters)                             \
  struct name {                                                \
    static constexpr char kLetters[] = letters;                \
    static constexpr int kThreads = int{sizeof(kLetters)} - 1; \
  }
FILCH_KINDS(Ww, "ww");
FILCH_KINDS(Wr, "wr");
FILCH_KINDS(Wrr, "wrr");
FILCH_KINDS(Wwr, "wwr");
FILCH_KINDS(Wts, "wts");
FILCH_KINDS(Ur, "ur");
FILCH_KINDS(Uu, "uu");
FILCH_KINDS(Urw, "urw");
FILCH_KINDS(Uur, "uur");
FILCH_KINDS(Dr, "dr");
FILCH_KINDS(Dw, "dw");
FILCH_KINDS(Drw, "drw");
#undef FILCH_KINDS

// For the mutants, whose scenarios are single names.
using WriterAndReader = ReadersAndWriters<Wr, ModelLockWaiting>;
using WritersAndReader = ReadersAndWriters<Wwr, ModelLockWaiting>;
using UpgradeAndReader = ReadersAndWriters<Ur, ModelLockWaiting>;

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_RW_LOCK_SCENARIOS_H_

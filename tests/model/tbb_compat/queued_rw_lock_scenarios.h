// Readers and writers of a QueuedRwLock, and owners of the QueuedLock in it, the production
// source, with sleeping waiters of the checker's.
//
// What writers write is a plain variable: whoever reads it beside a writer, or before what
// was written is visible, is caught. So is a waiter that nobody calls, and who touches a
// lock that its last user has destroyed, or the place of one who has gone on.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_QUEUED_RW_LOCK_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_QUEUED_RW_LOCK_SCENARIOS_H_

#include <oneapi/tbb/detail/_queued_rw_lock.h>

#include <atomic>
#include <cstdint>
#include <memory>

//
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// QueueWaiting for the checker. With no look a waiter sleeps at once, which is when wake-ups can
// get lost.
template <unsigned kTimes>
struct ModelQueueWaiting : ModelFutex {
  static constexpr unsigned kLooks = kTimes;
  static void Pause(unsigned round) { PoolModelAtomics::Pause(round); }
};

template <unsigned kLooks = 0>
struct RwLockFixture {
  using Lock = tbb::detail::d1::BasicQueuedRwLock<PoolModelAtomics, ModelQueueWaiting<kLooks>>;
  using Place = typename Lock::Place;

  void SetUp() {
    ModelFutex::Use(&bed);
    lock = std::make_unique<Lock>();
  }

  void Write() {
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, true);
    value += 1;
    lock->Unlock(true);
  }
  void Read() {
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, false);
    Look();
    lock->Unlock(false);
  }
  // Two reads with a chance for others in between.
  void Look() {
    const int before = value;
    const int after = value;
    RL_ASSERT(before == after);
  }

  FutexBed bed;
  std::unique_ptr<Lock> lock;
  Plain<int> value;
};

// M4: two writers, each of which comes twice.
struct WritersTakeTurns : rl::test_suite<WritersTakeTurns, 2>, RwLockFixture<> {
  void before() { SetUp(); }
  void thread(unsigned) {
    Write();
    Write();
  }
  void after() {
    RL_ASSERT(value == 4);
    lock.reset();
  }
};

// M4: writers, and readers that share, some of whom are taken along.
template <int kWriters, int kReaders, int kReads, unsigned kLooks = 0>
struct WritersAmongReaders
    : rl::test_suite<WritersAmongReaders<kWriters, kReaders, kReads, kLooks>, kWriters + kReaders>,
      RwLockFixture<kLooks> {
  void before() { this->SetUp(); }
  void thread(unsigned index) {
    if (index < kWriters) return this->Write();
    for (int i = 0; i < kReads; ++i) this->Read();
  }
  void after() {
    RL_ASSERT(this->value == kWriters);
    // Nobody has left anything behind.
    RL_ASSERT(this->lock->TryLock(true));
    this->lock.reset();
  }
};
// For the mutants, whose scenarios are single names.
using WriterAmongTwo = WritersAmongReaders<1, 2, 1>;
using WriterAmongThree = WritersAmongReaders<1, 3, 1>;
using TwoAmongTwo = WritersAmongReaders<2, 2, 1>;
using ReaderAmongTwo = WritersAmongReaders<2, 1, 1>;

// M4: threads that do not wait, beside one that does.
struct SomeOnlyTry : rl::test_suite<SomeOnlyTry, 3>, RwLockFixture<> {
  void before() {
    SetUp();
    got = 0;
  }
  void thread(unsigned index) {
    if (index == 0) return Write();
    const bool write = index == 1;
    if (!lock->TryLock(write)) return;
    if (write) {
      value += 1;
      got = 1;
    } else {
      Look();
    }
    lock->Unlock(write);
  }
  void after() {
    RL_ASSERT(value == 1 + got);
    // Nobody has left it closed for good.
    RL_ASSERT(lock->TryLock(true));
    lock.reset();
  }
  int got = 0;
};

// M4: a reader that becomes a writer, and is told if somebody has written in between; beside
// a writer, a reader, one that does the same, and that and a reader.
enum class Beside { kWriter, kReader, kAnother, kAnotherAndReader };
template <Beside kBeside>
struct ReaderBecomesWriter
    : rl::test_suite<ReaderBecomesWriter<kBeside>, kBeside == Beside::kAnotherAndReader ? 3 : 2>,
      RwLockFixture<> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 1 && kBeside == Beside::kWriter) return Write();
    if (index == 1 && kBeside == Beside::kReader) return Read();
    if (index == 2) return Read();
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, false);
    const int before = value;
    if (lock->Upgrade(*place)) RL_ASSERT(value == before);
    value += 1;
    lock->Unlock(true);
  }
  void after() {
    RL_ASSERT(value == (kBeside == Beside::kReader ? 1 : 2));
    RL_ASSERT(lock->TryLock(true));
    lock.reset();
  }
};

// M4: a writer that becomes a reader, which nobody writes in between, beside another writer,
// or another reader that it waits for as a reader.
template <bool kWriter>
struct WriterBecomesReader : rl::test_suite<WriterBecomesReader<kWriter>, 2>, RwLockFixture<> {
  void before() {
    SetUp();
    has_read.store(0, std::memory_order_relaxed);
  }
  void thread(unsigned index) {
    if (index == 1) {
      if (kWriter) return Write();
      Read();
      has_read.store(1, std::memory_order_relaxed);
      return ModelFutex::WakeAll(has_read);
    }
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, true);
    value += 1;
    const int written = value;
    lock->Downgrade();
    while (!kWriter && has_read.load(std::memory_order_relaxed) == 0) {
      ModelFutex::Wait(has_read, 0);
    }
    RL_ASSERT(value == written);
    lock->Unlock(false);
  }
  void after() {
    RL_ASSERT(value == (kWriter ? 2 : 1));
    lock.reset();
  }
  MutableAtomic<std::uint32_t> has_read;
};
using ReaderAfterDowngrade = WriterBecomesReader<false>;

// Nobody passes by who comes when somebody waits: a reader that finds that one who only tries
// to read is refused beside a reader does not get in before the writer.
struct WriterIsNotPassed : rl::test_suite<WriterIsNotPassed, 2>, RwLockFixture<> {
  void before() {
    SetUp();
    RL_ASSERT(lock->TryLock(false));
  }
  void thread(unsigned index) {
    if (index == 0) return Write();
    const bool waits = !lock->TryLock(false);
    if (!waits) lock->Unlock(false);
    // The one from before.
    lock->Unlock(false);
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, false);
    RL_ASSERT(!waits || value == 1);
    lock->Unlock(false);
  }
  void after() { lock.reset(); }
};

// The last writer destroys the lock as soon as it has unlocked it, whatever the others, who
// have unlocked it too, are still about.
template <int kUsers>
struct LastOneDestroys : rl::test_suite<LastOneDestroys<kUsers>, kUsers>, RwLockFixture<> {
  void before() {
    SetUp();
    users = kUsers;
  }
  void thread(unsigned) {
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, true);
    const bool last = (users -= 1) == 0;
    lock->Unlock(true);
    if (last) lock.reset();
  }
  Plain<int> users;
};

// The same of a reader, who comes once more to be alone.
struct LastReaderDestroys : rl::test_suite<LastReaderDestroys, 3>, RwLockFixture<> {
  void before() {
    SetUp();
    users.store(3, std::memory_order_relaxed);
  }
  void thread(unsigned index) {
    const auto place = std::make_unique<Place>();
    lock->Lock(*place, index == 0);
    const bool last = users.fetch_sub(1, std::memory_order_acq_rel) == 1;
    if (last && index != 0) {
      lock->Unlock(false);
      lock->Lock(*place, true);
      lock->Unlock(true);
      lock.reset();
      return;
    }
    lock->Unlock(index == 0);
    if (last) lock.reset();
  }
  MutableAtomic<int> users;
};

// M3: the queue alone, with one who does not wait.
template <int kOwners, bool kOneTries, unsigned kLooks = 0>
struct OwnersInTurn : rl::test_suite<OwnersInTurn<kOwners, kOneTries, kLooks>, kOwners> {
  using Lock = tbb::detail::d1::BasicQueuedLock<PoolModelAtomics, ModelQueueWaiting<kLooks>>;

  void before() {
    ModelFutex::Use(&bed);
    lock = std::make_unique<Lock>();
  }
  void thread(unsigned index) {
    for (int i = 0; i < (kOwners == 2 ? 2 : 1); ++i) {
      const auto place = std::make_unique<typename Lock::Place>();
      if (kOneTries && index == 0) {
        if (!lock->TryLock(*place)) continue;
      } else {
        lock->Lock(*place);
      }
      count += 1;
      lock->Unlock(*place);
    }
  }
  void after() {
    RL_ASSERT(kOneTries || count == (kOwners == 2 ? 4 : kOwners));
    lock.reset();
  }

  FutexBed bed;
  std::unique_ptr<Lock> lock;
  Plain<int> count;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_QUEUED_RW_LOCK_SCENARIOS_H_

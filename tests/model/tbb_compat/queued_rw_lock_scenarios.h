// Readers and writers of a QueuedRwLock, the production source, with an inner lock and
// sleeping waiters of the checker's.
//
// What writers write is a plain variable: whoever reads it beside a writer, or before what
// was written is visible, is caught. So is a waiter that nobody calls, and who touches a
// lock that its last user has destroyed.
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

// As QueuePlace.
struct ModelPlace {
  class Granted {
   public:
    void Clear() { word_.store(0, std::memory_order_relaxed); }
    void Await() {
      while (word_.load(std::memory_order_acquire) == 0) ModelFutex::Wait(word_, 0);
    }
    void Give() {
      word_.store(1, std::memory_order_release);
      ModelFutex::WakeOne(word_);
    }

   private:
    MutableAtomic<std::uint32_t> word_;
  };

  void Prepare(bool write) {
    next = nullptr;
    writes = write;
    granted.Clear();
  }

  ModelPlace* next = nullptr;
  bool writes = true;
  Granted granted;
};

struct RwLockFixture {
  using Lock = tbb::detail::d1::BasicQueuedRwLock<PoolModelAtomics, ModelMutex, ModelPlace>;
  static constexpr int kThreads = 3;

  // Places live as long as the scenario: the word of one that was called is not read, but
  // looked for among those who sleep.
  void SetUp() {
    ModelFutex::Use(&bed);
    lock = std::make_unique<Lock>();
  }

  void Write(ModelPlace& place) {
    lock->Lock(place, true);
    value += 1;
    lock->Unlock(true);
  }
  void Read(ModelPlace& place) {
    lock->Lock(place, false);
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
  ModelPlace places[kThreads];
};

// M4: two writers, each of which comes twice.
struct WritersTakeTurns : rl::test_suite<WritersTakeTurns, 2>, RwLockFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    Write(places[index]);
    Write(places[index]);
  }
  void after() {
    RL_ASSERT(value == 4);
    lock.reset();
  }
};

// M4: a writer, and readers that share.
template <int kReads>
struct WriterAmongReaders : rl::test_suite<WriterAmongReaders<kReads>, 3>, RwLockFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) return Write(places[0]);
    for (int i = 0; i < kReads; ++i) Read(places[index]);
  }
  void after() {
    RL_ASSERT(value == 1);
    lock.reset();
  }
};

// M4: threads that do not wait, beside one that does.
struct SomeOnlyTry : rl::test_suite<SomeOnlyTry, 3>, RwLockFixture {
  void before() {
    SetUp();
    got = 0;
  }
  void thread(unsigned index) {
    if (index == 0) return Write(places[0]);
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
// a writer, a reader, and one that does the same.
enum class Beside { kWriter, kReader, kAnother };
template <Beside kBeside>
struct ReaderBecomesWriter : rl::test_suite<ReaderBecomesWriter<kBeside>, 2>, RwLockFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 1 && kBeside == Beside::kWriter) return Write(places[1]);
    if (index == 1 && kBeside == Beside::kReader) return Read(places[1]);
    lock->Lock(places[index], false);
    const int before = value;
    if (lock->Upgrade(places[index])) RL_ASSERT(value == before);
    value += 1;
    lock->Unlock(true);
  }
  void after() {
    RL_ASSERT(value == (kBeside == Beside::kReader ? 1 : 2));
    lock.reset();
  }
};

// M4: a writer that becomes a reader, which nobody writes in between, beside another reader
// or writer.
template <bool kWriter>
struct WriterBecomesReader : rl::test_suite<WriterBecomesReader<kWriter>, 2>, RwLockFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 1) return kWriter ? Write(places[1]) : Read(places[1]);
    lock->Lock(places[0], true);
    value += 1;
    const int written = value;
    lock->Downgrade();
    RL_ASSERT(value == written);
    lock->Unlock(false);
  }
  void after() {
    RL_ASSERT(value == (kWriter ? 2 : 1));
    lock.reset();
  }
};

// The last writer destroys the lock as soon as it has unlocked it, whatever the others, who
// have unlocked it too, are still about.
template <int kUsers>
struct LastOneDestroys : rl::test_suite<LastOneDestroys<kUsers>, kUsers>, RwLockFixture {
  void before() {
    SetUp();
    users = kUsers;
  }
  void thread(unsigned index) {
    lock->Lock(places[index], true);
    const bool last = (users -= 1) == 0;
    lock->Unlock(true);
    if (last) lock.reset();
  }
  Plain<int> users;
};

// The same of a reader, who comes once more to be alone.
struct LastReaderDestroys : rl::test_suite<LastReaderDestroys, 3>, RwLockFixture {
  void before() {
    SetUp();
    users.store(3, std::memory_order_relaxed);
  }
  void thread(unsigned index) {
    lock->Lock(places[index], index == 0);
    const bool last = users.fetch_sub(1, std::memory_order_acq_rel) == 1;
    if (last && index != 0) {
      lock->Unlock(false);
      lock->Lock(places[index], true);
      lock->Unlock(true);
      lock.reset();
      return;
    }
    lock->Unlock(index == 0);
    if (last) lock.reset();
  }
  MutableAtomic<int> users;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_QUEUED_RW_LOCK_SCENARIOS_H_

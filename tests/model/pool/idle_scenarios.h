// The counters of an arena and those of a pool, each with a stand-in for the rest:
// work is a flag, a call is a token.
#ifndef FILCH_TESTS_MODEL_POOL_IDLE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_IDLE_SCENARIOS_H_

#include <cstddef>
#include <vector>

#include "filch/pool/idle_protocol.h"
#include "filch/pool/parker.h"
#include "filch/pool/wanted.h"
#include "filch/pool/workforce.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// What an IdleProtocol works for, with one sleeper.
struct IdleFixture {
  FutexBed bed;
  pool_internal::BasicIdleProtocol<PoolModelAtomics> idle;
  ModelParker sleeper;
  Atomic<int> spawned;
  Atomic<int> sent;
  Atomic<int> queued;
  bool anybody_could_come = true;

  // One thread searches, and no push is asked to call anybody.
  void SetUp() {
    ModelFutex::Use(&bed);
    idle.StartSearching(true);
    spawned.store(1, std::memory_order_relaxed);
    idle.AnswerNeedWake(*this);
    spawned.store(0, std::memory_order_relaxed);
  }

  // --- for the protocol
  bool HasQueued() const { return queued.load(std::memory_order_seq_cst) != 0; }
  bool SeesShared() const { return spawned.load(std::memory_order_relaxed) != 0; }
  bool ScanDeques() {
    return spawned.load(std::memory_order_relaxed) != 0 ||
           sent.load(std::memory_order_seq_cst) != 0;
  }
  bool CanCall() const { return anybody_could_come; }
  bool CouldCome() const { return anybody_could_come; }
  static bool IsComing() { return false; }
  void Recruit(std::uint32_t /*most*/ = 1) { sleeper.Unpark(); }
  void RecruitLater() { sleeper.Unpark(); }
  void AnswerNote() {}
  bool HasToShare() { return spawned.load(std::memory_order_relaxed) != 0; }
  void Expose() {}

  void Push() {
    spawned.store(1, std::memory_order_relaxed);
    pool_internal::BasicNeedWake<PoolModelAtomics>::AfterPush();
    if (idle.need_wake().word() != 0) idle.AnswerNeedWake(*this);
  }
  // As mail: always looks for searchers.
  void Send() {
    sent.store(1, std::memory_order_seq_cst);
    idle.NotifySpawned(*this);
  }
  void Enqueue() {
    queued.store(1, std::memory_order_seq_cst);
    idle.NotifyQueued(*this);
  }
  // The one that searches: sleeps until there is `work`.
  void SleepUntil(Atomic<int>& work) {
    while (work.load(std::memory_order_relaxed) == 0) {
      if (!idle.StopSearchingToSleep(*this, true)) sleeper.Park();
      idle.StartSearching(true);
    }
  }
  // One that sleeps already, and is called.
  void ComeFor(Atomic<int>& work) {
    sleeper.Park();
    idle.StartSearching(true);
    SleepUntil(work);
  }
};

struct IdleAgainstPush : rl::test_suite<IdleAgainstPush, 2>, IdleFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Push();
    } else {
      SleepUntil(spawned);
    }
  }
};

struct IdleAgainstMail : rl::test_suite<IdleAgainstMail, 2>, IdleFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Send();
    } else {
      SleepUntil(sent);
    }
  }
};

struct IdleAgainstQueue : rl::test_suite<IdleAgainstQueue, 2>, IdleFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Enqueue();
    } else {
      SleepUntil(queued);
    }
  }
};

// A searcher that the pusher relies on finds something else; the sleeper is the one
// to be called.
template <bool Anybody>
struct SearcherLeaves : rl::test_suite<SearcherLeaves<Anybody>, 3>, IdleFixture {
  void before() {
    SetUp();
    anybody_could_come = Anybody;
  }
  void thread(unsigned index) {
    if (index == 0) {
      Push();
    } else if (index == 1) {
      ComeFor(spawned);
    } else {
      idle.StopSearching(*this, true);
    }
  }
};

// A searcher finds something else while a thread comes that soon sleeps: who of both asks
// second relies on the first one's account with the pusher, which may rely on the second.
struct ArrivesWhileOneLeaves : rl::test_suite<ArrivesWhileOneLeaves, 3>, IdleFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Push();
    } else if (index == 1) {
      idle.StartSearching(true);
      SleepUntil(spawned);
    } else {
      idle.StopSearching(*this, true);
    }
  }
};

// The same for an enqueued task.
struct QueueSearcherLeaves : rl::test_suite<QueueSearcherLeaves, 3>, IdleFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Enqueue();
    } else if (index == 1) {
      ComeFor(queued);
    } else {
      idle.StopSearching(*this, true);
    }
  }
};

// W6: what is left while another thread scans stays known as left.
struct LeftWhileScanned : rl::test_suite<LeftWhileScanned, 2>, IdleFixture {
  void before() {
    SetUp();
    idle.LeaveBehind();
  }
  void thread(unsigned index) {
    if (index == 0) {
      spawned.store(1, std::memory_order_relaxed);
      idle.LeaveBehind();
    } else {
      idle.ScanForWork(*this);
    }
  }
  void after() { RL_ASSERT(idle.HasLeftBehind()); }
};

// P2: a worker that goes to sleep while the pool shuts down sees it, or is woken.
struct ShutdownAgainstSleep : rl::test_suite<ShutdownAgainstSleep, 2> {
  struct Slot {};
  struct NoArena {
    pool_internal::BasicWanted<PoolModelAtomics>& wanted() { return wanted_; }
    static int priority() { return 0; }
    bool InsistsOnWorker() const { return false; }
    bool HasLeftBehind() const { return false; }
    bool NeedsWorker() const { return false; }
    bool LooksBusy() const { return false; }
    bool ScanForAnyWork() const { return false; }
    bool HasWorkerSlots() const { return false; }
    bool HasSlotForWorker() const { return false; }
    static int FreeWorkerSlots() { return 0; }
    void MarkFull() {}
    void StartSearching(bool) {}
    pool_internal::BasicWanted<PoolModelAtomics> wanted_;
  };

  FutexBed bed;
  pool_internal::BasicWorkforce<PoolModelAtomics> workforce{1, 1};
  ModelParker parker;
  ModelMutex lock;
  std::vector<NoArena*> none;

  // --- the pool and the worker
  ModelMutex& mutex() { return lock; }
  NoArena* ArenaAt(std::size_t) { return nullptr; }
  const std::vector<NoArena*>& arenas() const { return none; }
  bool AddWorker(int) { return false; }
  void Wake(int) { parker.Unpark(); }
  void WakeWaiter(NoArena&) {}
  Slot* OccupyAsWorker(NoArena&, int) { return nullptr; }
  void ServeIn(Slot&) {}
  void Park() { parker.Park(); }

  void before() { ModelFutex::Use(&bed); }
  void thread(unsigned index) {
    if (index == 0) {
      workforce.BeginShutdown();
      parker.Unpark();
    } else {
      workforce.RunWorker(*this, 0, *this);
    }
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_IDLE_SCENARIOS_H_

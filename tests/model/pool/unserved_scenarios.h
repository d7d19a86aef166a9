// Workers that serve an arena of low priority for as long as nobody calls them away, and
// arenas of higher priority that want them: the production source of workforce.h, unserved.h
// and wanted.h, with a stand-in for what an arena does.
//
// A worker that is never called away runs for ever, which is reported as a livelock.
#ifndef FILCH_TESTS_MODEL_POOL_UNSERVED_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_UNSERVED_SCENARIOS_H_

#include <cstddef>
#include <vector>

#include "filch/pool/parker.h"
#include "filch/pool/unserved.h"
#include "filch/pool/wanted.h"
#include "filch/pool/workforce.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// P7: a note of the same priority is there already, and a worker takes it, when an arena
// wants somebody: the worker sees that, or leaves a note.
struct NoteAgainstLook : rl::test_suite<NoteAgainstLook, 2> {
  static constexpr int kBelow = 0;
  static constexpr int kAbove = 1;

  pool_internal::BasicUnserved<PoolModelAtomics> unserved;
  pool_internal::BasicWanted<PoolModelAtomics> wanted;
  bool seen = false;

  void before() { unserved.Note(kAbove); }
  void thread(unsigned index) {
    if (index == 0) {
      wanted.Call();
      wanted.TakeBack();
      unserved.Note(kAbove);
    } else if (unserved.AnyAbove(kBelow)) {
      unserved.TakeAbove(kBelow);
      seen = wanted.IsNoted();
    }
  }
  void after() { RL_ASSERT(seen || unserved.AnyAbove(kBelow)); }
};

// A pool of two workers and three arenas, in which work is a number.
struct UnservedFixture {
  static constexpr int kWorkers = 2;

  struct Arena;
  struct Slot {
    Arena* arena = nullptr;
  };
  // Of two slots.
  struct Arena {
    explicit Arena(int its_priority) : its_priority_(its_priority) { slot.arena = this; }

    int priority() const { return its_priority_; }
    pool_internal::BasicWanted<PoolModelAtomics>& wanted() { return wanted_; }
    static bool InsistsOnWorker() { return false; }
    static bool HasLeftBehind() { return false; }
    static bool NeedsWorker() { return false; }
    bool LooksBusy() const { return work.load(std::memory_order_seq_cst) > 0; }
    bool ScanForAnyWork() const { return work.load(std::memory_order_seq_cst) > 0; }
    static bool HasWorkerSlots() { return true; }
    static bool HasSlotForWorker() { return true; }
    static int FreeWorkerSlots() { return 1; }
    static bool IsSuperfluous(const Slot&) { return false; }
    void MarkFull() {}
    void StartSearching(bool) {}

    Slot slot;
    Atomic<int> work;

   private:
    const int its_priority_;
    pool_internal::BasicWanted<PoolModelAtomics> wanted_;
  };

  FutexBed bed;
  pool_internal::BasicWorkforce<PoolModelAtomics> workforce{kWorkers, kWorkers};
  ModelMutex lock;
  ModelParker parkers[kWorkers];
  std::vector<Arena*> all;
  Arena* home[kWorkers] = {};
  // Work that nobody has done yet, and who hears of the end.
  Atomic<int> left;
  Atomic<int> over;
  ModelParker finished;

  // `arenas` by descending priority.
  void SetUp(std::vector<Arena*> arenas, int tasks) {
    ModelFutex::Use(&bed);
    all = std::move(arenas);
    left.store(tasks, std::memory_order_relaxed);
  }
  // Worker `number`, the next one, is in the arena.
  void Settle(int number, Arena& arena) {
    workforce.Recruit(*this, arena);
    bool refused = false;
    home[number] = workforce.FindWanted(*this, number, &refused)->arena;
    RL_ASSERT(home[number] == &arena && !refused);
  }

  // --- what Workforce asks of the pool
  ModelMutex& mutex() { return lock; }
  Arena* ArenaAt(std::size_t place) { return place < all.size() ? all[place] : nullptr; }
  const std::vector<Arena*>& arenas() const { return all; }
  static bool AddWorker(int) { return true; }
  void Wake(int number) { parkers[number].Unpark(); }
  static void WakeWaiter(Arena&) {}
  static Slot* OccupyAsWorker(Arena& arena, int) { return &arena.slot; }

  void Push(Arena& arena) {
    arena.work.fetch_add(1, std::memory_order_seq_cst);
    workforce.Recruit(*this, arena);
  }
  // As Pool::SetWorkerLimit.
  void SetLimit(int limit) {
    if (!workforce.SetLimit(limit)) return;
    {
      const std::lock_guard<ModelMutex> lock_guard(lock);
      workforce.ForSuperfluous([this](int number) { Wake(number); });
    }
    for (Arena* const arena : all) {
      if (arena->wanted().IsSet()) workforce.Recruit(*this, *arena);
    }
  }
  // When all work is done.
  void ShutDown() {
    while (left.load(std::memory_order_seq_cst) > 0) finished.Park();
    over.store(1, std::memory_order_seq_cst);
    workforce.BeginShutdown();
    { const std::lock_guard<ModelMutex> lock_guard(lock); }
    for (ModelParker& parker : parkers) parker.Unpark();
  }

  // Worker `number` for RunWorker.
  struct Worker {
    UnservedFixture& pool;
    const int number;

    void Park() { pool.parkers[number].Park(); }
    void ServeIn(Slot& slot) {
      Arena& arena = *slot.arena;
      bool wanted_above = false;
      bool done = false;
      while (!done) {
        done = pool.workforce.MustLeave(pool, arena, slot, number, &wanted_above);
        if (!done) done = &arena == pool.home[number] ? pool.WorkHere() : pool.WorkIn(arena);
      }
      pool.workforce.AnnounceSleep(number);
      // Work that nobody has called for since is for whoever is called next.
      if (arena.work.load(std::memory_order_seq_cst) > 0) pool.workforce.Recruit(pool, arena);
    }
  };
  // The life of worker `number`, from where it is.
  void Work(int number) {
    Worker worker{*this, number};
    worker.ServeIn(home[number]->slot);
    workforce.RunWorker(*this, number, worker);
  }

 private:
  // There is always more, until all is over.
  bool WorkHere() {
    rl::yield(1, $);
    return over.load(std::memory_order_relaxed) != 0;
  }
  // Tasks that wait for each other: one worker can not do them one after the other.
  bool WorkIn(Arena& arena) {
    if (arena.work.load(std::memory_order_seq_cst) == 0) return true;
    arena.work.fetch_sub(1, std::memory_order_seq_cst);
    if (left.fetch_sub(1, std::memory_order_seq_cst) == 1) finished.Unpark();
    while (left.load(std::memory_order_seq_cst) > 0) rl::yield(1, $);
    return true;
  }
};

// P7: two arenas of higher priority want a worker each, the second one as much as the first
// or less.
template <int kSecond>
struct TwoAreWanted : rl::test_suite<TwoAreWanted<kSecond>, 3>, UnservedFixture {
  Arena first{2};
  Arena second{kSecond};
  Arena low{0};

  void before() {
    SetUp({&first, &second, &low}, 2);
    Settle(0, low);
    Settle(1, low);
  }
  void thread(unsigned index) {
    if (index > 0) return Work(static_cast<int>(index) - 1);
    Push(second);
    Push(first);
    ShutDown();
  }
};

// Both workers are in the one of two arenas that has the lower priority.
struct BothAreBelow : UnservedFixture {
  Arena high{2};
  Arena low{0};

  void SettleBoth() {
    SetUp({&high, &low}, 1);
    Settle(0, low);
    Settle(1, low);
  }
};

// P7: one of two workers in the arena below becomes superfluous while somebody is wanted
// above: the other one comes.
struct OneBecomesSuperfluous : rl::test_suite<OneBecomesSuperfluous, 3>, BothAreBelow {
  void before() { SettleBoth(); }
  void thread(unsigned index) {
    if (index > 0) return Work(static_cast<int>(index) - 1);
    Push(high);
    SetLimit(1);
    ShutDown();
  }
};

// P1: the limit is raised while the worker that it was too low for goes to sleep.  The other
// one is elsewhere all the time.
struct RaiseAgainstSuperfluous : rl::test_suite<RaiseAgainstSuperfluous, 2>, BothAreBelow {
  void before() {
    SettleBoth();
    SetLimit(1);
  }
  void thread(unsigned index) {
    if (index > 0) return Work(1);
    SetLimit(2);
    Push(high);
    ShutDown();
  }
};

// P1: the limit is below a worker for a moment while that follows a call.
struct LimitDipsWhileCalled : rl::test_suite<LimitDipsWhileCalled, 2>, BothAreBelow {
  void before() {
    SettleBoth();
    workforce.AnnounceSleep(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      Push(high);
      SetLimit(1);
      SetLimit(2);
      ShutDown();
    } else {
      Worker worker{*this, 1};
      workforce.RunWorker(*this, 1, worker);
    }
  }
};

// P7: a worker of middle priority looks who is wanted above it, and finds nobody any more:
// what is noted for the one below is still there.
struct NoteForAnother : rl::test_suite<NoteForAnother, 3>, UnservedFixture {
  Arena high{2};
  Arena first{1};
  Arena second{1};
  Arena low{0};

  void before() {
    SetUp({&high, &first, &second, &low}, 1);
    Settle(0, first);
    Settle(1, low);
    workforce.Recruit(*this, high);
    high.wanted().AnswerNote();
  }
  void thread(unsigned index) {
    if (index > 0) return Work(static_cast<int>(index) - 1);
    Push(second);
    ShutDown();
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_UNSERVED_SCENARIOS_H_

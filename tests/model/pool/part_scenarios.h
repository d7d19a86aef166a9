// The parts of sleeping and waking, each alone: the parker, the shared queue, the
// set of sleepers, the word of the last searcher and the call for somebody.
#ifndef FILCH_TESTS_MODEL_POOL_PART_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_PART_SCENARIOS_H_

#include "filch/pool/absence.h"
#include "filch/pool/need_wake.h"
#include "filch/pool/parker.h"
#include "filch/pool/returners.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/sleeper_set.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/vacancy.h"
#include "filch/pool/wanted.h"
#include "filch/pool/workforce.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// What every scenario here sleeps in.
struct Bedded {
  FutexBed bed;
  void UseBed() { ModelFutex::Use(&bed); }
};

// --- Parker

// A token carries everything before it, whether the sleeper is there or not.
struct TokenPublishes : rl::test_suite<TokenPublishes, 2>, Bedded {
  ModelParker parker;
  Plain<int> result;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      result = 1;
      parker.Unpark();
    } else {
      parker.Park();
      RL_ASSERT(result == 1);
    }
  }
};

// Two tokens may be one, but then it carries what came before both.
struct TokensMerge : rl::test_suite<TokensMerge, 3>, Bedded {
  ModelParker parker;
  Atomic<int> done;
  Plain<int> results[2];

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index < 2) {
      results[index] = 1;
      done.fetch_add(1, std::memory_order_relaxed);
      parker.Unpark();
      return;
    }
    while (done.load(std::memory_order_relaxed) < 2) parker.Park();
  }
};

// A sleeper that is called sleeps until the caller has done what comes before the wake,
// and the token carries that, too.
struct CallPublishes : rl::test_suite<CallPublishes, 2>, Bedded {
  ModelParker parker;
  Plain<int> result;
  Plain<int> before_wake;
  Atomic<int> before_wake_skipped;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      result = 1;
      bool called = false;
      parker.UnparkAfter([&] {
        before_wake = 1;
        called = true;
      });
      if (!called) before_wake_skipped.store(1, std::memory_order_relaxed);
    } else {
      parker.Park();
      RL_ASSERT(result == 1);
      if (before_wake_skipped.load(std::memory_order_relaxed) == 0) before_wake = 2;
    }
  }
};

// A call and a token may be one, but then it carries what came before both.
struct CallAndTokenMerge : rl::test_suite<CallAndTokenMerge, 3>, Bedded {
  ModelParker parker;
  Atomic<int> done;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 2) {
      while (done.load(std::memory_order_relaxed) < 2) parker.Park();
      return;
    }
    done.fetch_add(1, std::memory_order_relaxed);
    if (index == 0) {
      parker.UnparkAfter([] {});
    } else {
      parker.Unpark();
    }
  }
};

// --- SharedQueue

struct QueuedNode {
  MutableAtomic<QueuedNode*>& link_word() { return link; }
  MutableAtomic<QueuedNode*> link;
  Plain<int> payload;
};

// Two producers and a consumer, which takes the last task away while others come.
struct QueueKeepsOrder : rl::test_suite<QueueKeepsOrder, 3> {
  pool_internal::BasicSharedQueue<QueuedNode, PoolModelAtomics> queue;
  QueuedNode nodes[3];  // the first two of one producer
  int taken = 0;

  void Push(int node) {
    nodes[node].payload = 1;
    queue.Push(nodes[node]);
  }
  void TakeOne() {
    QueuedNode* const node = queue.Pop();
    if (node == nullptr) return;
    RL_ASSERT(node->payload == 1);
    node->payload = 2;
    if (node == &nodes[1]) RL_ASSERT(nodes[0].payload == 2);
    ++taken;
  }
  void thread(unsigned index) {
    if (index == 0) {
      Push(0);
      Push(1);
    } else if (index == 1) {
      Push(2);
    } else {
      for (int i = 0; i < 3; ++i) TakeOne();
    }
  }
  void after() {
    while (!queue.Empty()) TakeOne();
    RL_ASSERT(taken == 3);
  }
};

// Two consumers, and one producer that links while they look.
struct QueueGivesOnce : rl::test_suite<QueueGivesOnce, 3> {
  pool_internal::BasicSharedQueue<QueuedNode, PoolModelAtomics> queue;
  QueuedNode nodes[2];

  void Take() {
    QueuedNode* const node = queue.Pop();
    if (node == nullptr) return;
    RL_ASSERT(node->payload == 1);
    node->payload = 2;
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (QueuedNode& node : nodes) {
        node.payload = 1;
        queue.Push(node);
      }
    } else {
      Take();
      Take();
    }
  }
  void after() {
    while (!queue.Empty()) Take();
    RL_ASSERT(nodes[0].payload == 2 && nodes[1].payload == 2);
  }
};

// A task that has been in the queue comes back, and another consumer must not see
// its old link.
struct QueueIsReused : rl::test_suite<QueueIsReused, 2> {
  pool_internal::BasicSharedQueue<QueuedNode, PoolModelAtomics> queue;
  QueuedNode nodes[2];
  Atomic<int> pushed;
  Atomic<int> taken;

  QueuedNode* Take() {
    QueuedNode* const node = queue.Pop();
    if (node != nullptr) taken.fetch_add(1, std::memory_order_relaxed);
    return node;
  }
  void Push(QueuedNode& node) {
    pushed.fetch_add(1, std::memory_order_relaxed);
    queue.Push(node);
  }
  void before() {
    for (QueuedNode& node : nodes) Push(node);
  }
  void thread(unsigned index) {
    QueuedNode* const first = Take();
    Take();
    if (index == 0 && first != nullptr) Push(*first);
  }
  void after() {
    while (!queue.Empty()) Take();
    RL_ASSERT(taken.load(std::memory_order_relaxed) == pushed.load(std::memory_order_relaxed));
  }
};

// --- SleeperSet

// S1: the sleeper sees the work, or the waker the sleeper.
struct SleeperAgainstWaker : rl::test_suite<SleeperAgainstWaker, 2>, Bedded {
  pool_internal::BasicSleeperSet<PoolModelAtomics> sleepers{1};
  ModelParker parker;
  Atomic<int> work;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      work.store(1, std::memory_order_seq_cst);
      if (sleepers.Claim() == 0) parker.Unpark();
      return;
    }
    while (work.load(std::memory_order_seq_cst) == 0) {
      sleepers.Add(0);
      if (work.load(std::memory_order_seq_cst) == 0) parker.Park();
      sleepers.Remove(0);
    }
  }
};

// The same for a waker that first asks whether anybody is there.
struct SleeperAgainstLook : rl::test_suite<SleeperAgainstLook, 2>, Bedded {
  pool_internal::BasicSleeperSet<PoolModelAtomics> sleepers{1};
  ModelParker parker;
  Atomic<int> work;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      work.store(1, std::memory_order_seq_cst);
      if (!sleepers.Empty()) parker.Unpark();
      return;
    }
    sleepers.Add(0);
    if (work.load(std::memory_order_seq_cst) == 0) parker.Park();
  }
};

// Q1: the same with mail.
struct SleeperAgainstMail : rl::test_suite<SleeperAgainstMail, 2>, Bedded {
  struct Letter {
    Letter* link() const { return link_; }
    void set_link(Letter* link) { link_ = link; }
    Plain<Letter*> link_;
  };
  pool_internal::BasicTaskQueue<Letter, PoolModelAtomics, ModelMutex> mail;
  pool_internal::BasicSleeperSet<PoolModelAtomics> sleepers{1};
  ModelParker parker;
  Letter letter;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      mail.Push(letter);
      if (sleepers.Claim() == 0) parker.Unpark();
      return;
    }
    while (mail.Pop() == nullptr) {
      sleepers.Add(0);
      if (mail.Empty()) parker.Park();
      sleepers.Remove(0);
    }
  }
};

// --- Absence

// A full arena with an extra slot, whose threads go away.
template <int Slots>
struct FullArena {
  struct Slot {
    MutableAtomic<bool> occupied;
    MutableAtomic<bool> away;
  };
  Slot slots[Slots];
  Atomic<int> queued;
  pool_internal::BasicVacancy<PoolModelAtomics> vacancy;
  ModelParker seeker;
  Atomic<int> calls;

  void Fill() {
    for (Slot& slot : slots) slot.occupied.store(true, std::memory_order_relaxed);
  }
  bool NeedsSomebody() const {
    return queued.load(std::memory_order_seq_cst) > 0 || vacancy.HasSeekers();
  }
  bool ExtraIsOpen() const { return pool_internal::AllAreAway(slots, Slots); }
  void CallSomebody() {
    calls.fetch_add(1, std::memory_order_relaxed);
    seeker.Unpark();
  }
};

// W8: two threads go away while somebody enqueues a task: that one sees that both are
// away, or the last of them sees the task.
struct LastOneAway : rl::test_suite<LastOneAway, 3>, Bedded {
  FullArena<2> arena;

  void before() {
    UseBed();
    arena.Fill();
  }
  void thread(unsigned index) {
    if (index < 2) return pool_internal::GoAway(arena.slots[index], arena);
    arena.queued.store(1, std::memory_order_seq_cst);
    if (arena.ExtraIsOpen()) arena.CallSomebody();
  }
  void after() { RL_ASSERT(arena.calls.load(std::memory_order_relaxed) > 0); }
};

// W8: the same with a thread that waits for a slot.
struct SeekerAgainstAway : rl::test_suite<SeekerAgainstAway, 2>, Bedded {
  FullArena<1> arena;

  void before() {
    UseBed();
    arena.Fill();
  }
  void thread(unsigned index) {
    if (index == 0) return pool_internal::GoAway(arena.slots[0], arena);
    arena.vacancy.AddSeeker();
    if (!arena.ExtraIsOpen()) arena.seeker.Park();
    arena.vacancy.RemoveSeeker();
  }
};

// A worker finds the slot that it may have taken.
struct VacancyFixture : Bedded {
  struct Deque {
    enum class Contents { kEmpty };
    static Contents Inspect() { return Contents::kEmpty; }
    static void ExposeAll() {}
  };
  struct Slot {
    MutableAtomic<bool> occupied;
    Deque deque;
  };
  // Who is called is the worker.
  struct Idle {
    ModelParker worker;
    static void LeaveBehind() {}
    template <typename Arena>
    static void NotifySpawned(const Arena&) {}
    template <typename Arena>
    void ForwardWake(const Arena&) {
      worker.Unpark();
    }
  };
  struct Arena {
    VacancyFixture& test;
    bool HasSlotForWorker() const {
      if (!test.IsTaken()) return true;
      test.vacancy.MarkFull();
      return !test.IsTaken();
    }
    static void ShowNote() {}
    static void WakeSeekers() {}
  };

  Slot for_worker;
  Idle idle;
  pool_internal::BasicVacancy<PoolModelAtomics> vacancy;

  void SetUp() {
    UseBed();
    for_worker.occupied.store(true, std::memory_order_relaxed);
  }
  bool IsTaken() const { return for_worker.occupied.load(std::memory_order_relaxed); }
  void Leave(Slot& slot) { vacancy.Vacate(slot, idle, Arena{*this}); }
  void Work() {
    vacancy.MarkFull();
    if (IsTaken()) idle.worker.Park();
  }
};

// W4: the thread in it leaves.
struct SlotIsLeft : rl::test_suite<SlotIsLeft, 2>, VacancyFixture {
  void before() { SetUp(); }
  void thread(unsigned index) { index == 0 ? Leave(for_worker) : Work(); }
};

// W4: and another one leaves a slot that is not for workers.
struct OtherSlotIsLeft : rl::test_suite<OtherSlotIsLeft, 3>, VacancyFixture {
  Slot other;

  void before() {
    SetUp();
    other.occupied.store(true, std::memory_order_relaxed);
  }
  void thread(unsigned index) { index == 2 ? Work() : Leave(index == 0 ? for_worker : other); }
};

// W9: a thread that sleeps elsewhere, and the task that is enqueued where it began to wait.
struct ReturnerAgainstEnqueue : rl::test_suite<ReturnerAgainstEnqueue, 2>, Bedded {
  pool_internal::BasicReturners<PoolModelAtomics> returners;
  Atomic<int> queued;
  ModelParker parker;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index > 0) {
      queued.store(1, std::memory_order_seq_cst);
      if (returners.Any()) parker.Unpark();
      return;
    }
    returners.Add();
    if (queued.load(std::memory_order_seq_cst) == 0) parker.Park();
    returners.Remove();
  }
};

// S2: two wakers and the sleeper that withdraws: exactly one takes it away.
struct OneClaims : rl::test_suite<OneClaims, 3> {
  pool_internal::BasicSleeperSet<PoolModelAtomics> sleepers{2};
  int taken[3] = {};

  void before() {
    sleepers.Add(0);
    sleepers.Add(1);
  }
  void thread(unsigned index) {
    if (index < 2) {
      if (sleepers.Claim() >= 0) taken[index] = 1;
    } else {
      if (sleepers.Remove(0)) taken[index] = 1;
    }
  }
  void after() {
    int left = 0;
    while (sleepers.Claim() >= 0) ++left;
    RL_ASSERT(taken[0] + taken[1] + taken[2] + left == 2);
    RL_ASSERT(sleepers.Empty());
  }
};

// --- NeedWake

// I1: the scan sees the push, or the push the request.  `again`: somebody has asked before, so that
// pushers pass fences themselves.
template <typename Atomics, bool again = false>
struct PushAgainstScan : rl::test_suite<PushAgainstScan<Atomics, again>, 2> {
  pool_internal::BasicNeedWake<Atomics> need_wake;
  Atomic<int> pushed;
  bool asked = false;
  bool found = false;

  void before() {
    need_wake.Answer();
    if (!again) return;
    need_wake.Ask();
    need_wake.Answer();
  }
  void thread(unsigned index) {
    if (index == 0) {
      pushed.store(1, std::memory_order_relaxed);
      need_wake.AfterPush();
      asked = need_wake.word() != 0 && need_wake.Answer();
    } else {
      need_wake.Ask();
      found = pushed.load(std::memory_order_relaxed) != 0;
    }
  }
  void after() { RL_ASSERT(asked || found); }
};

// The same where each of two pushers may pass the last fence.
struct PushAgainstLastFence : rl::test_suite<PushAgainstLastFence, 3> {
  pool_internal::BasicNeedWake<PoolModelAtomics, 0> need_wake;
  Atomic<int> pushed[2];
  bool asked[2] = {};
  bool found[2] = {};

  void before() {
    need_wake.Ask();
    need_wake.Answer();
  }
  void thread(unsigned index) {
    if (index < 2) {
      pushed[index].store(1, std::memory_order_relaxed);
      need_wake.AfterPush();
      asked[index] = need_wake.word() != 0 && need_wake.Answer();
    } else {
      need_wake.Ask();
      for (int i = 0; i < 2; ++i) found[i] = pushed[i].load(std::memory_order_relaxed) != 0;
    }
  }
  void after() { RL_ASSERT(asked[0] || asked[1] || (found[0] && found[1])); }
};

// One of two pushers answers a request, and the other may rely on it: what it
// pushed is seen by whoever the first one calls.
struct OneAnswers : rl::test_suite<OneAnswers, 3> {
  pool_internal::BasicNeedWake<PoolModelAtomics> need_wake;
  Atomic<int> pushed[2];
  bool called[2] = {};
  bool found = false;

  void before() { need_wake.Answer(); }
  void thread(unsigned index) {
    if (index < 2) {
      pushed[index].store(1, std::memory_order_relaxed);
      need_wake.AfterPush();
      if (need_wake.word() == 0 || !need_wake.Answer()) return;
      called[index] = true;
      // The one who was called: asks before it looks for the last time.
      need_wake.Ask();
      seen[index] = pushed[1 - index].load(std::memory_order_relaxed) != 0;
    } else {
      need_wake.Ask();
      found = pushed[0].load(std::memory_order_relaxed) != 0 ||
              pushed[1].load(std::memory_order_relaxed) != 0;
    }
  }
  void after() {
    RL_ASSERT(called[0] || called[1] || found);
    if (called[0] && !called[1]) RL_ASSERT(seen[0] || found || need_wake.IsAsked());
    if (called[1] && !called[0]) RL_ASSERT(seen[1] || found || need_wake.IsAsked());
  }

  bool seen[2] = {};
};

// --- Wanted

// W3: two callers, of whom one delivers the call; whoever answers sees the work
// of both, or is called again.
struct CallsMerge : rl::test_suite<CallsMerge, 3>, Bedded {
  pool_internal::BasicWanted<PoolModelAtomics> wanted;
  ModelParker parker;
  Atomic<int> work[2];

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index < 2) {
      work[index].store(1, std::memory_order_relaxed);
      if (wanted.Call()) parker.Unpark();
      return;
    }
    while (work[0].load(std::memory_order_relaxed) + work[1].load(std::memory_order_relaxed) < 2) {
      parker.Park();
      wanted.Answer();
    }
  }
};

// A call that finds nobody leaves a note, which the one who becomes free sees, or
// the caller sees the one who became free.
struct NoteIsFound : rl::test_suite<NoteIsFound, 2>, Bedded {
  pool_internal::BasicWanted<PoolModelAtomics> wanted;
  pool_internal::BasicSleeperSet<PoolModelAtomics> sleepers{1};
  ModelParker parker;

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      if (!wanted.Call()) return;
      if (sleepers.Claim() == 0) {
        parker.Unpark();
      } else {
        wanted.TakeBack();
      }
      return;
    }
    // The same as a worker: announces its sleep, looks, parks, and looks again.
    for (;;) {
      sleepers.Add(0);
      if (wanted.IsSet()) break;
      parker.Park();
    }
    RL_ASSERT(wanted.Answer());
  }
};

// --- Workforce

// P8: a thread falls asleep in a wait for what was left behind elsewhere, while the worker that
// has found it there looks whether it may run it, and the limit becomes nothing: it may, or the
// thread gets somebody.
struct LimitEndsInSight : rl::test_suite<LimitEndsInSight, 3>, Bedded {
  // Where something is left behind.
  struct Arena {
    pool_internal::BasicWanted<PoolModelAtomics> wanted_;

    auto& wanted() { return wanted_; }
    static int priority() { return 0; }
    static bool InsistsOnWorker() { return false; }
    static bool HasLeftBehind() { return true; }
    static bool ScanForAnyWork() { return true; }
    static bool NeedsWorker() { return true; }
    static bool HasWorkerSlots() { return true; }
    static bool HasSlotForWorker() { return true; }
    static int FreeWorkerSlots() { return 1; }
  };
  // Whoever is started runs it, and the wait is over.
  struct Pool {
    Arena arena;
    ModelMutex mutex_;
    ModelParker waiting;

    ModelMutex& mutex() { return mutex_; }
    Arena* ArenaAt(std::size_t i) { return i == 0 ? &arena : nullptr; }
    bool AddWorker(int) {
      waiting.Unpark();
      return true;
    }
    static void Wake(int) {}
    static void WakeWaiter(Arena&) {}
  };

  Pool pool;
  pool_internal::BasicWorkforce<PoolModelAtomics> workforce{1, 1};

  void before() { UseBed(); }
  void thread(unsigned index) {
    if (index == 0) {
      workforce.SetLimit(0);
    } else if (index == 1) {
      if (workforce.MayServe(0, pool.arena)) pool.waiting.Unpark();
    } else {
      workforce.BeginSleepingWait(pool);
      pool.waiting.Park();
      workforce.EndSleepingWait();
    }
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_PART_SCENARIOS_H_

// What a thread waits for without a group: the task of a join that somebody has stolen,
// all branches of what was forked, and the predecessors of a task; and predecessors of which
// the last one goes on.  The production source of join_latch.h, credit_latch.h,
// predecessor_count.h and wait_table.h, put together as join.cc, branch.cc, task.cc and
// predecessors_wait.cc do.
#ifndef FILCH_TESTS_MODEL_POOL_JOIN_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_JOIN_SCENARIOS_H_

#include <cstdint>
#include <memory>

#include "filch/pool/credit_latch.h"
#include "filch/pool/join_latch.h"
#include "filch/pool/parker.h"
#include "filch/pool/predecessor_count.h"
#include "filch/pool/wait_table.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// A sleeper, and where those look who may wake it.
struct Waiting {
  using Table = pool_internal::BasicWaitTable<ModelParker, ModelMutex, 1>;

  FutexBed bed;
  Table table;
  ModelParker parker;

  // As WaitFor, without work to do meanwhile.
  template <typename Awaited, typename IsComplete>
  void ParkFor(Awaited& awaited, const IsComplete& is_complete) {
    Table::Waiter waiter;
    table.Enlist(waiter, &awaited, parker);
    awaited.AnnounceWaiter();
    if (!is_complete()) parker.Park();
    table.Delist(waiter);
  }
};

// --- JoinLatch

struct JoinFixture : Waiting {
  using Latch = pool_internal::BasicJoinLatch<PoolModelAtomics>;
  static constexpr int kSlot = 2;  // the thief's

  // Freed as soon as its owner learns that it is complete: whoever touches it
  // afterwards is caught.
  std::unique_ptr<Latch> latch;
  Plain<int> result;

  void SetUp() {
    ModelFutex::Use(&bed);
    latch = std::make_unique<Latch>();
  }
  void Steal(int value, bool throws) {
    latch->NoteThief(kSlot);
    result = value;
    const void* const key = latch.get();
    if (latch->Open(throws)) table.WakeAll(key);
  }
  void Wait(int value, bool throws) {
    while (!latch->complete()) {
      const int thief = latch->Thief();
      RL_ASSERT(thief == -1 || thief == kSlot);
      ParkFor(*latch, [&] { return latch->complete(); });
    }
    RL_ASSERT(latch->Thief() == -1);
    RL_ASSERT(latch->threw() == throws);
    RL_ASSERT(result == value);
  }
};

// J1: the thief wakes the owner or the owner sees that the task is complete, with what
// it did.
template <bool kThrows>
struct JoinWaits : rl::test_suite<JoinWaits<kThrows>, 2>, JoinFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(1, kThrows);
      latch.reset();
    } else {
      Steal(1, kThrows);
    }
  }
};

// The task is spawned twice: nothing of its first time is left.
struct JoinIsRenewed : rl::test_suite<JoinIsRenewed, 2>, JoinFixture {
  ModelParker stolen;

  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(1, true);
      latch->Renew();
      stolen.Unpark();  // as the deque does, it publishes the task
      Wait(2, false);
      latch.reset();
    } else {
      Steal(1, true);
      stolen.Park();
      Steal(2, false);
    }
  }
};

// A third thread asks whether the task is complete.
struct JoinIsWatched : rl::test_suite<JoinIsWatched, 3>, JoinFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(1, false);
    } else if (index == 1) {
      Steal(1, false);
    } else if (latch->complete()) {
      RL_ASSERT(result == 1);
    }
  }
};

// --- CreditLatch

struct BranchFixture : Waiting {
  using Latch = pool_internal::BasicCreditLatch<PoolModelAtomics>;
  using Credit = pool_internal::Credit;

  // Freed as soon as the beginner learns that all is over.
  std::unique_ptr<Latch> latch;
  Plain<int> results[2];

  void SetUp() {
    ModelFutex::Use(&bed);
    latch = std::make_unique<Latch>();
  }
  // As Branch::End, after some work.
  void End(int branch, Credit credit) {
    results[branch] = 1;
    const void* const key = latch.get();
    if (latch->Return(credit)) table.WakeAll(key);
  }
  // As Branch::AwaitAll.
  void AwaitAll(Credit own, int branches) {
    RL_ASSERT(!latch->Return(own));
    while (!latch->complete()) {
      ParkFor(*latch, [&] { return latch->complete(); });
    }
    for (int i = 0; i < branches; ++i) RL_ASSERT(results[i] == 1);
    latch.reset();
  }
};

// J3: who returns the last credit wakes the beginner, or that one sees that all is over, with
// what both did.
template <int kBranches>
struct BranchesEnd : rl::test_suite<BranchesEnd<kBranches>, kBranches + 1>, BranchFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    const Credit share = pool_internal::kAllCredit / 4;
    if (index == 0) {
      AwaitAll(pool_internal::kAllCredit - kBranches * share, kBranches);
    } else {
      End(static_cast<int>(index) - 1, share);
    }
  }
};

// A branch leaves a part of its own to another one, which may end before it.
struct BranchOfBranchEnds : rl::test_suite<BranchOfBranchEnds, 3>, BranchFixture {
  ModelParker forked;

  void before() { SetUp(); }
  void thread(unsigned index) {
    const Credit half = pool_internal::kAllCredit / 2;
    if (index == 0) {
      AwaitAll(half, 2);
    } else if (index == 1) {
      forked.Unpark();  // as the deque does
      End(0, half - half / 2);
    } else {
      forked.Park();
      End(1, half / 2);
    }
  }
};

// --- PredecessorCount

struct PredecessorFixture : Waiting {
  using Count = pool_internal::BasicPredecessorCount<PoolModelAtomics>;

  // Freed as soon as the successor has begun, or its waiter goes on.
  std::unique_ptr<Count> count;
  Plain<int> results[3];

  void SetUp(std::int32_t predecessors) {
    ModelFutex::Use(&bed);
    count = std::make_unique<Count>();
    count->Set(predecessors);
  }
  void CheckResults(int first, int end) {
    for (int i = first; i < end; ++i) RL_ASSERT(results[i] == 1);
  }
  // True: the last one.
  bool Complete(unsigned predecessor) {
    results[predecessor] = 1;
    const void* const key = count.get();
    return count->CountOff([&] { table.WakeAll(key); });
  }
  // As WaitForOtherPredecessors.
  void Wait() {
    while (count->Left() != 1) {
      ParkFor(*count, [&] { return count->Left() == 1; });
    }
  }
};

// T1: the last of several predecessors sees what the others did.
template <int kPredecessors>
struct LastGoesOn : rl::test_suite<LastGoesOn<kPredecessors>, kPredecessors>, PredecessorFixture {
  void before() { SetUp(kPredecessors); }
  void thread(unsigned index) {
    if (!Complete(index)) return;
    CheckResults(0, kPredecessors);
    count.reset();
  }
  void after() { RL_ASSERT(count == nullptr); }
};

// One of them never ran, and is taken back.
struct OneIsTakenBack : rl::test_suite<OneIsTakenBack, 2>, PredecessorFixture {
  void before() { SetUp(2); }
  void thread(unsigned index) {
    if (index == 0) {
      if (!Complete(0)) return;
    } else {
      results[1] = 1;
      if (count->Remove([] {}) != 0) return;
    }
    CheckResults(0, 2);
    count.reset();
  }
  void after() { RL_ASSERT(count == nullptr); }
};

// A thread has run one of three and has the next one in its hands: it counts the first
// one off plainly if it sees that the third one, of another thread, is complete.
struct SiblingIsNext : rl::test_suite<SiblingIsNext, 2>, PredecessorFixture {
  void before() { SetUp(3); }
  void thread(unsigned index) {
    if (index == 1) {
      if (!Complete(2)) return;
    } else {
      results[0] = 1;
      if (count->Is(2)) {
        count->CountOffBesideLast();
      } else {
        RL_ASSERT(!Complete(0));
      }
      if (!Complete(1)) return;
    }
    CheckResults(0, 3);
    count.reset();
  }
  void after() { RL_ASSERT(count == nullptr); }
};

// The same with two, and the second one hands its successor on to another thread.
struct SiblingIsHandedOn : rl::test_suite<SiblingIsHandedOn, 2>, PredecessorFixture {
  PoolModelAtomics::Atomic<int> handed{0};

  void before() { SetUp(2); }
  void thread(unsigned index) {
    if (index == 0) {
      results[0] = 1;
      RL_ASSERT(count->Is(2));
      count->CountOffBesideLast();
      handed.store(1, std::memory_order_release);
    } else if (handed.load(std::memory_order_acquire) == 1) {
      RL_ASSERT(Complete(1));
      CheckResults(0, 2);
      count.reset();
    }
  }
};

// Two are counted off by hand, and a third one is sure to be left.
struct CountedByHand : rl::test_suite<CountedByHand, 2>, PredecessorFixture {
  void before() { SetUp(3); }
  void thread(unsigned index) {
    results[index] = 1;
    if (count->Add(-1) == 1) CheckResults(0, 2);
  }
  void after() { RL_ASSERT(count->Left() == 1); }
};

// T2: a thread waits for its children; the one that leaves it alone wakes it.
template <int kChildren>
struct ParentWaits : rl::test_suite<ParentWaits<kChildren>, kChildren + 1>, PredecessorFixture {
  void before() { SetUp(kChildren + 1); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait();
      CheckResults(1, kChildren + 1);
      count.reset();
    } else {
      RL_ASSERT(!Complete(index));
    }
  }
};

// The same for a child that never ran, and is taken back.
struct ParentWaitsInVain : rl::test_suite<ParentWaitsInVain, 2>, PredecessorFixture {
  void before() { SetUp(2); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait();
      CheckResults(1, 2);
      count.reset();
    } else {
      results[1] = 1;
      const void* const key = count.get();
      RL_ASSERT(count->Remove([&] { table.WakeAll(key); }) == 1);
    }
  }
};

// The waiter has run one of two children itself and counts it without a word, if it can
// see that the other one is complete, too.
struct ParentRunsOne : rl::test_suite<ParentRunsOne, 2>, PredecessorFixture {
  void before() { SetUp(3); }
  void thread(unsigned index) {
    if (index == 1) {
      RL_ASSERT(!Complete(1));
      return;
    }
    if (!count->Is(2)) {
      count->CountOffOwn(1);
      Wait();
    }
    CheckResults(1, 2);
    count.reset();
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_JOIN_SCENARIOS_H_

#include "filch/pool/branch.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

using pool_internal::Branch;
using pool_internal::Credit;
using pool_internal::CreditLatch;
using pool_internal::CurrentSlot;
using pool_internal::ForkOff;

// Calls a function for each of some numbers.
struct Numbers {
  int begin;
  int end;

  template <typename Own>
  void Run(Own& own) {
    own.RunAll(*this);
  }
};

template <typename F>
class Counting : public Branch {
 public:
  Counting(CreditLatch& latch, const F& f) : Branch(latch), f_(f) {}
  Counting(const Counting& other, Credit credit) : Branch(other, credit), f_(other.f_) {}

  void RunAll(Numbers numbers) {
    if (numbers.end - numbers.begin == 1) return f_(numbers.begin);
    const int middle = numbers.begin + (numbers.end - numbers.begin) / 2;
    Numbers right{middle, numbers.end};
    ForkOff(
        CurrentSlot(), *this,
        [&] {
          RunAll({numbers.begin, middle});
        },
        right);
  }
  void KeepException() { std::terminate(); }

 private:
  const F& f_;
};

template <typename F>
void ForEachNumber(int count, const F& f) {
  CreditLatch latch;
  Counting<F> counting(latch, f);
  counting.RunAll({0, count});
  counting.AwaitAll(CurrentSlot());
}

using BranchTest = PoolTest;
FILCH_INSTANTIATE_POOL_TEST(BranchTest);

TEST_P(BranchTest, RunsEachPartOnceAndShowsWhatTheyDid) {
  for (int count = 1; count < 300; count = count * 5 / 4 + 1) {
    std::vector<int> runs(static_cast<std::size_t>(count));
    pool_.Execute(
        [&] { ForEachNumber(count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; }); });
    EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
  }
}

TEST_P(BranchTest, RunsOthersInsideParts) {
  constexpr int kOuter = 20;
  constexpr int kInner = 30;
  std::vector<int> runs(kOuter * kInner);
  pool_.Execute([&] {
    ForEachNumber(kOuter, [&](int i) {
      ForEachNumber(kInner, [&](int k) { ++runs[static_cast<std::size_t>(i * kInner + k)]; });
    });
  });
  EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
}

// Two threads and no worker: one forks in the arena, the other one takes parts while it waits.
class BranchThiefTest : public testing::Test {
 protected:
  BranchThiefTest() : pool_(NoWorkers()), arena_(pool_.AcquireArena({2, 2, Priority::kNormal})) {}
  ~BranchThiefTest() override { pool_.ReleaseArena(arena_); }

  // Calls f() on a thread in the arena, where another one is ready to take parts.
  template <typename F>
  void WithThief(const F& f) {
    HeldWait waits;
    std::thread thief([&] { ExecuteIn(arena_, [&] { waits.Begin(); }); });
    waits.UntilBegun();
    ExecuteIn(arena_, f);
    waits.End();
    thief.join();
  }

 private:
  static PoolOptions NoWorkers() {
    PoolOptions options;
    options.concurrency = 1;
    return options;
  }

  Pool pool_;
  Arena& arena_;
};

// Whether it is on, and who asks.
class Stage {
 public:
  // Shares what the calling thread has left in its deque until then.
  void AwaitWithOthersHelp() {
    while (!set_.load()) {
      CurrentSlot().deque.Expose();
      std::this_thread::yield();
    }
  }
  void Await() { YieldUntil(set_); }
  void Reach() { set_ = true; }
  bool reached() const { return set_.load(); }

 private:
  std::atomic<bool> set_{false};
};

// A branch of one part, which runs a function.
template <typename F>
class Single : public Branch {
 public:
  Single(CreditLatch& latch, const F& f, std::exception_ptr* kept = nullptr)
      : Branch(latch), f_(f), kept_(kept) {}
  Single(const Single& other, Credit credit)
      : Branch(other, credit), f_(other.f_), kept_(other.kept_) {}

  void Call() { f_(*this); }
  void KeepException() { *kept_ = std::current_exception(); }

 private:
  const F& f_;
  std::exception_ptr* kept_;
};

struct OnePart {
  template <typename Own>
  void Run(Own& own) {
    own.Call();
  }
};

TEST_F(BranchThiefTest, DoesNotWaitWhereItForked) {
  WithThief([] {
    Stage taken;
    Stage forked;
    bool done = false;
    const auto f = [&](Branch&) {
      taken.Reach();
      forked.Await();  // a join would never get there
      done = true;
    };
    CreditLatch latch;
    Single<decltype(f)> single(latch, f);
    OnePart part;
    ForkOff(
        CurrentSlot(), single, [&] { taken.AwaitWithOthersHelp(); }, part);
    forked.Reach();
    single.AwaitAll(CurrentSlot());
    EXPECT_TRUE(done);
  });
}

TEST_F(BranchThiefTest, RunsWhatThePartIsNotNeededFor) {
  WithThief([] {
    Stage taken;
    Stage ended;
    // The forker waits for all, and runs what the taken part has forked meanwhile.
    std::thread::id runs_inner;
    const auto inner = [&](Branch&) { runs_inner = std::this_thread::get_id(), ended.Reach(); };
    const auto outer = [&](Branch&) {
      CreditLatch latch;
      Single<decltype(inner)> single(latch, inner);
      OnePart part;
      taken.Reach();
      ForkOff(
          CurrentSlot(), single, [&] { ended.AwaitWithOthersHelp(); }, part);
      single.AwaitAll(CurrentSlot());
    };
    CreditLatch latch;
    Single<decltype(outer)> single(latch, outer);
    OnePart part;
    ForkOff(
        CurrentSlot(), single, [&] { taken.AwaitWithOthersHelp(); }, part);
    single.AwaitAll(CurrentSlot());
    EXPECT_EQ(runs_inner, std::this_thread::get_id());
  });
}

TEST_F(BranchThiefTest, WaitsAsAJoinDoesWithoutCredit) {
  WithThief([] {
    Stage taken;
    std::atomic<bool> done{false};
    const auto f = [&](Branch&) {
      taken.Reach();
      for (int i = 0; i < 1000; ++i) std::this_thread::yield();
      done = true;
    };
    CreditLatch latch;
    Single<decltype(f)> all(latch, f);
    Single<decltype(f)> poor(all, 1);
    OnePart part;
    ForkOff(
        CurrentSlot(), poor, [&] { taken.AwaitWithOthersHelp(); }, part);
    EXPECT_TRUE(done.load());
    all.AwaitAll(CurrentSlot());  // it has all of its credit
  });
}

TEST_F(BranchThiefTest, ATakerKeepsWhatItsPartThrows) {
  WithThief([] {
    Stage taken;
    const auto f = [&](Branch&) {
      taken.Reach();
      throw std::runtime_error("the part");
    };
    std::exception_ptr kept;
    CreditLatch latch;
    Single<decltype(f)> single(latch, f, &kept);
    OnePart part;
    ForkOff(
        CurrentSlot(), single, [&] { taken.AwaitWithOthersHelp(); }, part);
    single.AwaitAll(CurrentSlot());
    ASSERT_NE(kept, nullptr);
    EXPECT_THROW(std::rethrow_exception(kept), std::runtime_error);
  });
}

// Throws when it is copied.
struct StubbornPart {
  explicit StubbornPart(Stage* when_copied) : copied(when_copied) {}
  StubbornPart(const StubbornPart& other) : copied(other.copied) {
    copied->Reach();
    throw std::length_error("the copy");
  }
  template <typename Own>
  void Run(Own&) {
    ADD_FAILURE() << "it could not be taken";
  }

  Stage* copied;
};

TEST_F(BranchThiefTest, AForkThrowsWhatCopyingThePartThrows) {
  WithThief([] {
    Stage copied;
    const auto f = [](Branch&) {};
    CreditLatch latch;
    Single<decltype(f)> single(latch, f);
    StubbornPart part(&copied);
    EXPECT_THROW(ForkOff(
                     CurrentSlot(), single, [&] { copied.AwaitWithOthersHelp(); }, part),
                 std::length_error);
    single.AwaitAll(CurrentSlot());
  });
}

TEST_F(BranchThiefTest, WhatTheLeftPartThrowsComesFirst) {
  WithThief([] {
    Stage taken;
    const auto f = [&](Branch&) {
      taken.Reach();
      throw std::runtime_error("the right part");
    };
    std::exception_ptr kept;
    CreditLatch latch;
    Single<decltype(f)> single(latch, f, &kept);
    OnePart part;
    const auto left = [&] {
      taken.AwaitWithOthersHelp();
      throw std::logic_error("the left part");
    };
    EXPECT_THROW(ForkOff(CurrentSlot(), single, left, part), std::logic_error);
    single.AwaitAll(CurrentSlot());
    EXPECT_NE(kept, nullptr);
  });
}

TEST_F(BranchThiefTest, ATakenPartOfACancelledContextDoesNotRun) {
  WithThief([] {
    bool runs = false;
    const auto f = [&](Branch&) { runs = true; };
    Context context;
    const ContextScope scope(context, CurrentSlot());
    CreditLatch latch;
    Single<decltype(f)> single(latch, f);
    OnePart part;
    const auto left = [&] {
      context.Cancel();
      auto& deque = CurrentSlot().deque;
      while (deque.Inspect() != std::decay_t<decltype(deque)>::Contents::kEmpty) {
        deque.Expose();  // until it was taken
        std::this_thread::yield();
      }
    };
    ForkOff(CurrentSlot(), single, left, part);
    single.AwaitAll(CurrentSlot());
    EXPECT_FALSE(runs);
  });
}

TEST(BranchOfOneThread, DropsThePartWhenTheLeftOneThrows) {
  const auto f = [](Branch&) { ADD_FAILURE() << "it was dropped"; };
  CreditLatch latch;
  Single<decltype(f)> single(latch, f);
  OnePart part;
  const auto left = [] { throw std::logic_error("the left part"); };
  PoolOptions options;
  options.concurrency = 1;
  Pool pool(options);
  pool.Execute([&] {
    EXPECT_THROW(ForkOff(CurrentSlot(), single, left, part), std::logic_error);
    single.AwaitAll(CurrentSlot());
    EXPECT_FALSE(latch.complete());  // the credit was never returned: it came back
  });
}

}  // namespace
}  // namespace filch

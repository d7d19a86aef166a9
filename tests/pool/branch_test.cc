#include "filch/pool/branch.h"

#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/single_branch.h"
#include "tests/pool/with_thief.h"

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

TEST_P(BranchTest, WithoutCreditRunsAllBeforeItReturns) {
  constexpr int kCount = 100;
  std::vector<int> runs(kCount);
  pool_.Execute([&] {
    const auto f = [&](int i) { ++runs[static_cast<std::size_t>(i)]; };
    CreditLatch latch;
    Counting<decltype(f)> all(latch, f);
    Counting<decltype(f)> poor(all, 1);
    poor.RunAll({0, kCount});
    EXPECT_EQ(runs, std::vector<int>(kCount, 1));
  });
}

TEST(BranchWithThiefTest, DoesNotWaitWhereItForked) {
  WithThief([] {
    Stage taken;
    Stage forked;
    bool done = false;
    const auto f = [&](Branch&) {
      taken.Reach();
      EXPECT_EQ(CurrentSlot().innermost, nullptr);
      forked.Await();  // a join would never get there
      done = true;
    };
    CreditLatch latch;
    SingleBranch<decltype(f)> single(latch, f);
    OnePart part;
    ForkOff(
        CurrentSlot(), single, [&] { taken.AwaitThief(); }, part);
    forked.Reach();
    single.AwaitAll(CurrentSlot());
    EXPECT_TRUE(done);
  });
}

TEST(BranchWithThiefTest, HelpsWhoHasTakenItsPart) {
  WithThief([] {
    Stage taken;
    Stage ended;
    // What the taken part forks, while the forker waits for all.
    std::thread::id runs_inner;
    const auto inner = [&](Branch&) { runs_inner = std::this_thread::get_id(), ended.Reach(); };
    const auto outer = [&](Branch&) {
      taken.Reach();
      ForkAndAwait(inner, [&] { ended.AwaitThief(); });
    };
    ForkAndAwait(outer, [&] { taken.AwaitThief(); });
    EXPECT_EQ(runs_inner, std::this_thread::get_id());
  });
}

TEST(BranchWithThiefTest, WaitsAsAJoinDoesWithoutCredit) {
  WithThief([] {
    Stage taken;
    std::atomic<bool> done{false};
    const auto f = [&](Branch&) {
      taken.Reach();
      for (int i = 0; i < 1000; ++i) std::this_thread::yield();
      done = true;
    };
    CreditLatch latch;
    SingleBranch<decltype(f)> all(latch, f);
    SingleBranch<decltype(f)> poor(all, 1);
    OnePart part;
    ForkOff(
        CurrentSlot(), poor, [&] { taken.AwaitThief(); }, part);
    EXPECT_TRUE(done.load());
    all.AwaitAll(CurrentSlot());  // it has all of its credit
  });
}

TEST(BranchWithThiefTest, WithoutCreditAForkThrowsWhatItsPartThrows) {
  WithThief([] {
    Stage taken;
    const auto f = [&](Branch&) {
      taken.Reach();
      throw std::runtime_error("the part");
    };
    CreditLatch latch;
    SingleBranch<decltype(f)> all(latch, f);
    SingleBranch<decltype(f)> poor(all, 1);
    OnePart part;
    EXPECT_THROW(ForkOff(
                     CurrentSlot(), poor, [&] { taken.AwaitThief(); }, part),
                 std::runtime_error);
  });
}

TEST(BranchWithThiefTest, ATakerKeepsWhatItsPartThrows) {
  WithThief([] {
    Stage taken;
    const auto f = [&](Branch&) {
      taken.Reach();
      throw std::runtime_error("the part");
    };
    std::exception_ptr kept;
    ForkAndAwait(
        f, [&] { taken.AwaitThief(); }, &kept);
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

TEST(BranchWithThiefTest, AForkThrowsWhatCopyingThePartThrows) {
  WithThief([] {
    Stage copied;
    const auto f = [](Branch&) {};
    CreditLatch latch;
    SingleBranch<decltype(f)> single(latch, f);
    StubbornPart part(&copied);
    EXPECT_THROW(ForkOff(
                     CurrentSlot(), single, [&] { copied.AwaitThief(); }, part),
                 std::length_error);
    single.AwaitAll(CurrentSlot());
  });
}

TEST(BranchWithThiefTest, WhatTheLeftPartThrowsComesFirst) {
  WithThief([] {
    Stage taken;
    const auto f = [&](Branch&) {
      taken.Reach();
      throw std::runtime_error("the right part");
    };
    std::exception_ptr kept;
    const auto left = [&] {
      taken.AwaitThief();
      throw std::logic_error("the left part");
    };
    EXPECT_THROW(ForkAndAwait(f, left, &kept), std::logic_error);
    EXPECT_NE(kept, nullptr);
  });
}

TEST(BranchWithThiefTest, ATakenPartOfACancelledContextDoesNotRun) {
  WithThief([] {
    bool runs = false;
    const auto f = [&](Branch&) { runs = true; };
    Context context;
    const ContextScope scope(context, CurrentSlot());
    context.Cancel();
    const auto left = [&] {
      auto& deque = CurrentSlot().deque;
      while (deque.Inspect() != std::decay_t<decltype(deque)>::Contents::kEmpty) {
        deque.Expose();  // until it was taken
        std::this_thread::yield();
      }
    };
    ForkAndAwait(f, left);
    EXPECT_FALSE(runs);
  });
}

TEST(BranchOfOneThreadTest, AWaitOfTheLeftPartMayTakeTheOther) {
  int runs = 0;
  TaskGroup group;
  const auto f = [&](Branch&) {
    ++runs;
    group.Withdraw();
  };
  Pool pool(OfThreads(1));
  pool.Execute([&] {
    CreditLatch latch;
    SingleBranch<decltype(f)> single(latch, f);
    OnePart part;
    group.Add();
    ForkOff(
        CurrentSlot(), single, [&] { group.Wait(); }, part);
    single.AwaitAll(CurrentSlot());
    EXPECT_TRUE(latch.complete());  // the credit was returned
  });
  EXPECT_EQ(runs, 1);
}

TEST(BranchOfOneThreadTest, DropsThePartWhenTheLeftOneThrows) {
  const auto f = [](Branch&) { ADD_FAILURE() << "it was dropped"; };
  CreditLatch latch;
  SingleBranch<decltype(f)> single(latch, f);
  OnePart part;
  const auto left = [] { throw std::logic_error("the left part"); };
  Pool pool(OfThreads(1));
  pool.Execute([&] {
    EXPECT_THROW(ForkOff(CurrentSlot(), single, left, part), std::logic_error);
    single.AwaitAll(CurrentSlot());
    EXPECT_FALSE(latch.complete());  // the credit was never returned: it came back
  });
}

}  // namespace
}  // namespace filch

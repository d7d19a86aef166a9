// Constraints whose kinds of cores a selector chooses, on a machine with three kinds, each
// cpu of another one, that hwloc is told of (BUILD.bazel).
#include <sched.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace {

static_assert(TBB_HAS_TASK_ARENA_CORE_TYPE_SELECTOR == 202603);

using tbb::task_arena;
using Candidate = std::tuple<tbb::core_type_id, std::size_t, std::size_t>;
using Kinds = std::vector<tbb::core_type_id>;

// This is about what the process may use, and not about what somebody wishes for.
const int without_wish = unsetenv("FILCH_NUM_THREADS");

int AllowedCpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}

task_arena::constraints Of(tbb::core_type_id kind) {
  return task_arena::constraints{}.set_core_type(kind);
}

int Cpus(tbb::core_type_id kind) { return tbb::info::default_concurrency(Of(kind)); }

// Gives these kinds a positive score, and no other.
class Wants {
 public:
  explicit Wants(Kinds kinds) : kinds_(std::move(kinds)) {}
  int operator()(const Candidate& candidate) const {
    return std::count(kinds_.begin(), kinds_.end(), std::get<0>(candidate)) > 0 ? 7 : -1;
  }

 private:
  Kinds kinds_;
};

class CoreTypeSelectorTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(without_wish, 0);
    if (kinds_.size() < 2) GTEST_SKIP() << "this process may use one of those cpus only";
  }

  const Kinds kinds_ = tbb::info::core_types();
  const task_arena::constraints selectable_ = Of(task_arena::selectable);
};

TEST_F(CoreTypeSelectorTest, IsAskedAboutEachKind) {
  std::vector<Candidate> asked;
  tbb::info::default_concurrency(selectable_, [&](const Candidate& candidate) {
    asked.push_back(candidate);
    return 0;
  });
  ASSERT_EQ(asked.size(), kinds_.size());
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    EXPECT_EQ(asked[i], Candidate(kinds_[i], i, kinds_.size()));
  }
}

TEST_F(CoreTypeSelectorTest, ChoosesOneKind) {
  for (const tbb::core_type_id kind : kinds_) {
    EXPECT_EQ(tbb::info::default_concurrency(selectable_, Wants({kind})), Cpus(kind));
  }
}

TEST_F(CoreTypeSelectorTest, ChoosesSeveralKinds) {
  EXPECT_EQ(tbb::info::default_concurrency(selectable_, Wants({kinds_[0], kinds_[1]})),
            Cpus(kinds_[0]) + Cpus(kinds_[1]));
}

TEST_F(CoreTypeSelectorTest, WithoutAPositiveScoreItIsAllTheSame) {
  EXPECT_EQ(tbb::info::default_concurrency(selectable_, Wants({})),
            tbb::info::default_concurrency());
}

TEST_F(CoreTypeSelectorTest, IsNotAskedIfTheKindIsGiven) {
  const auto never = [](const Candidate&) -> int { throw std::logic_error("asked"); };
  EXPECT_EQ(tbb::info::default_concurrency(Of(kinds_[0]), never), Cpus(kinds_[0]));
  EXPECT_EQ(task_arena(Of(kinds_[1]), never).max_concurrency(), Cpus(kinds_[1]));
  EXPECT_EQ(tbb::info::default_concurrency(task_arena::constraints{}, never),
            tbb::info::default_concurrency());
}

TEST_F(CoreTypeSelectorTest, AnArenaKeepsToTheCpusOfItsKinds) {
  for (const tbb::core_type_id kind : kinds_) {
    task_arena arena(selectable_, Wants({kind}));
    EXPECT_EQ(arena.max_concurrency(), Cpus(kind));
    EXPECT_EQ(arena.execute(AllowedCpus), Cpus(kind));
  }
  task_arena two(selectable_, Wants({kinds_[0], kinds_[1]}), 0, task_arena::priority::high,
                 task_arena::leave_policy::fast);
  EXPECT_EQ(two.max_concurrency(), Cpus(kinds_[0]) + Cpus(kinds_[1]));
  EXPECT_EQ(two.execute(AllowedCpus), two.max_concurrency());
}

TEST_F(CoreTypeSelectorTest, AnArenaMayGetItLater) {
  task_arena arena;
  arena.initialize(selectable_, Wants({kinds_[1]}));
  EXPECT_TRUE(arena.is_active());
  EXPECT_EQ(arena.max_concurrency(), Cpus(kinds_[1]));
  task_arena copy(arena);
  EXPECT_EQ(copy.max_concurrency(), Cpus(kinds_[1]));
}

TEST_F(CoreTypeSelectorTest, WhatItThrowsArrives) {
  const auto fails = [](const Candidate&) -> int { throw std::runtime_error("undecided"); };
  EXPECT_THROW(task_arena(selectable_, fails), std::runtime_error);
  task_arena arena;
  EXPECT_THROW(arena.initialize(selectable_, fails), std::runtime_error);
  EXPECT_FALSE(arena.is_active());
}

TEST(CoreTypeSelectorDeathTest, WithoutOneNoKindIsChosen) {
  EXPECT_DEATH(task_arena(Of(task_arena::selectable)).initialize(), "there is no kind of cores -2");
}

TEST(CoreTypeSelectorDeathTest, WhatHasNoBitIsNotForgotten) {
  const tbb::core_type_id kinds[] = {0, 40};
  EXPECT_DEATH(tbb::detail::r1::any_core_type_of(kinds, 2), "a kind of cores that has no number");
}

}  // namespace

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ParallelPipelineTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelPipelineTest, kLimits);

using tbb::filter_mode;

constexpr int kItems = 500;
constexpr filter_mode kModes[] = {filter_mode::parallel, filter_mode::serial_in_order,
                                  filter_mode::serial_out_of_order};

// Makes the numbers from 0.
class Source {
 public:
  explicit Source(int items) : items_(items) {}
  int operator()(tbb::flow_control& control) const {
    const int number = (*next_)++;
    if (number >= items_) control.stop();
    return number;
  }

 private:
  const int items_;
  std::shared_ptr<std::atomic<int>> next_ = std::make_shared<std::atomic<int>>(0);
};

// Counts who is inside.
class Visits {
 public:
  void Enter() {
    const int now = ++inside_;
    int most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void Leave() { --inside_; }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
};

TEST_P(ParallelPipelineTest, EveryModeInEveryPlace) {
  for (filter_mode first : kModes) {
    for (filter_mode middle : kModes) {
      for (filter_mode last : kModes) {
        for (std::size_t tokens : {1, 3, 100}) {
          Visits visits;
          Visits live;
          std::vector<std::atomic<int>> seen(kItems);
          const Source source(kItems);
          tbb::parallel_pipeline(
              tokens, tbb::make_filter<void, int>(first, [&](tbb::flow_control& control) {
                        const int number = source(control);
                        if (number < kItems) live.Enter();
                        return number;
                      }) & tbb::make_filter<int, int>(middle, [&](int number) {
                        visits.Enter();
                        ++seen[static_cast<std::size_t>(number)];
                        visits.Leave();
                        return number;
                      }) & tbb::make_filter<int, void>(last, [&](int number) {
                        ++seen[static_cast<std::size_t>(number)];
                        live.Leave();
                      }));
          for (const std::atomic<int>& count : seen) ASSERT_EQ(count, 2);
          EXPECT_LE(visits.most(), middle == filter_mode::parallel ? static_cast<int>(tokens) : 1);
          EXPECT_LE(live.most(), static_cast<int>(tokens));
        }
      }
    }
  }
}

TEST_P(ParallelPipelineTest, KeepsTheOrderAcrossParallelFilters) {
  std::vector<int> first;
  std::vector<int> last;
  tbb::parallel_pipeline(
      8, tbb::make_filter<void, int>(filter_mode::serial_in_order, Source(kItems)),
      tbb::make_filter<int, int>(filter_mode::parallel, [](int i) { return i + 1; }),
      tbb::make_filter<int, int>(filter_mode::serial_in_order,
                                 [&](int i) {
                                   first.push_back(i);
                                   return i + 1;
                                 }),
      tbb::make_filter<int, int>(filter_mode::serial_out_of_order, [](int i) { return i; }),
      tbb::make_filter<int, int>(filter_mode::parallel, [](int i) { return i + 1; }),
      tbb::make_filter<int, void>(filter_mode::serial_in_order, [&](int i) { last.push_back(i); }));
  ASSERT_EQ(first.size(), static_cast<std::size_t>(kItems));
  ASSERT_EQ(last.size(), static_cast<std::size_t>(kItems));
  for (int i = 0; i < kItems; ++i) {
    EXPECT_EQ(first[static_cast<std::size_t>(i)], i + 1);
    EXPECT_EQ(last[static_cast<std::size_t>(i)], i + 3);
  }
}

TEST_P(ParallelPipelineTest, ManyItemsKeepTheOrderWithFewTokensAndWithMany) {
  constexpr int kMany = 20000;
  for (const std::size_t tokens : {2, 3, 7, 100000}) {
    int made = 0;
    int next = 0;
    int wrong = 0;
    int middle = 0;
    tbb::parallel_pipeline(
        tokens,
        tbb::make_filter<void, int>(filter_mode::serial_in_order, [&](tbb::flow_control& control) {
          if (made == kMany) control.stop();
          return made++;
        }) & tbb::make_filter<int, int>(filter_mode::serial_out_of_order, [&](int i) {
          ++middle;
          return i;
        }) & tbb::make_filter<int, int>(filter_mode::parallel, [](int i) {
          return i;
        }) & tbb::make_filter<int, void>(filter_mode::serial_in_order, [&](int i) {
          wrong += i != next++;
        }));
    EXPECT_EQ(middle, kMany) << tokens;
    EXPECT_EQ(next, kMany) << tokens;
    EXPECT_EQ(wrong, 0) << tokens;
  }
}

TEST_P(ParallelPipelineTest, AllOrderedFiltersSeeOneOrder) {
  std::vector<int> one;
  std::vector<int> other;
  tbb::parallel_pipeline(
      8, tbb::make_filter<void, int>(filter_mode::parallel, Source(kItems)) &
             tbb::make_filter<int, int>(filter_mode::serial_in_order,
                                        [&](int i) {
                                          one.push_back(i);
                                          return i;
                                        }) &
             tbb::make_filter<int, int>(filter_mode::parallel, [](int i) { return i; }) &
             tbb::make_filter<int, void>(filter_mode::serial_in_order,
                                         [&](int i) { other.push_back(i); }));
  EXPECT_EQ(one.size(), static_cast<std::size_t>(kItems));
  EXPECT_EQ(one, other);
}

// However little there was to do before, and whoever has done it.
TEST_P(ParallelPipelineTest, TwoItemsMayWaitForEachOther) {
  if (limit() < 2) GTEST_SKIP() << "one thread meets nobody";
  constexpr int kMeetings = 20;
  constexpr int kBetween = 1000;
  std::vector<std::atomic<int>> arrived(kMeetings);
  int through = 0;
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_pipeline(
        4, tbb::make_filter<void, int>(filter_mode::serial_in_order, Source(kMeetings * kBetween)) &
               tbb::make_filter<int, int>(filter_mode::parallel,
                                          [&](int number) {
                                            if (number % kBetween < kBetween - 2) return number;
                                            std::atomic<int>& here = arrived[number / kBetween];
                                            ++here;
                                            while (here != 2) std::this_thread::yield();
                                            return number;
                                          }) &
               tbb::make_filter<int, void>(filter_mode::serial_in_order,
                                           [&](int number) { EXPECT_EQ(number, through++); }));
  });
  EXPECT_EQ(through, kMeetings * kBetween);
}

// Nobody is in the middle of the pipeline then.
TEST_P(ParallelPipelineTest, CallsOfAParallelFirstFilterMayWaitForEachOther) {
  if (limit() < 2) GTEST_SKIP() << "one thread meets nobody";
  std::atomic<int> calls{0};
  std::atomic<int> arrived{0};
  std::atomic<int> through{0};
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_pipeline(
        4, tbb::make_filter<void, int>(filter_mode::parallel, [&](tbb::flow_control& control) {
             const int number = ++calls;
             if (number > 2) {
               control.stop();
               return 0;
             }
             ++arrived;
             while (arrived != 2) std::this_thread::yield();
             return number;
           }) & tbb::make_filter<int, void>(filter_mode::parallel, [&](int) { ++through; }));
  });
  EXPECT_EQ(through, 2);
}

TEST_P(ParallelPipelineTest, AParallelFirstFilterThatHasStoppedIsNotCalledAgain) {
  // Of several threads another one may be about to call it.
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  int calls = 0;
  int through = 0;
  tbb::parallel_pipeline(
      16, tbb::make_filter<void, int>(filter_mode::parallel, [&](tbb::flow_control& control) {
            if (++calls > 5) control.stop();
            return calls;
          }) & tbb::make_filter<int, void>(filter_mode::parallel, [&](int) { ++through; }));
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(through, 5);
}

// However many pipelines with such filters were over at once.
TEST_P(ParallelPipelineTest, ItemsOfAShortPipelineMayWaitForEachOther) {
  if (limit() < 2) GTEST_SKIP() << "one thread meets nobody";
  constexpr int kShort = 8;
  tbb::task_arena arena(2);
  const auto run = [&](bool meet) {
    std::atomic<int> arrived{0};
    int through = 0;
    arena.execute([&] {
      tbb::parallel_pipeline(
          4, tbb::make_filter<void, int>(filter_mode::serial_in_order, Source(kShort)) &
                 tbb::make_filter<int, int>(filter_mode::parallel,
                                            [&](int number) {
                                              if (!meet || number < kShort - 2) return number;
                                              ++arrived;
                                              while (arrived != 2) std::this_thread::yield();
                                              return number;
                                            }) &
                 tbb::make_filter<int, void>(filter_mode::serial_in_order,
                                             [&](int number) { EXPECT_EQ(number, through++); }));
    });
    EXPECT_EQ(through, kShort);
  };
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 100; ++i) run(false);
    run(true);
  }
}

// An item that is through has given its token back, whatever its thread does next.
TEST_P(ParallelPipelineTest, TheLastFilterMayWaitForTheNextItem) {
  if (limit() < 2) GTEST_SKIP() << "nobody else makes it";
  constexpr int kNumbers = 5000;
  std::atomic<int> begun{0};
  int through = 0;
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_pipeline(
        2,
        tbb::make_filter<void, int>(filter_mode::serial_in_order, [&](tbb::flow_control& control) {
          if (begun == kNumbers) control.stop();
          return begun == kNumbers ? 0 : begun++;
        }) & tbb::make_filter<int, void>(filter_mode::serial_in_order, [&](int number) {
          EXPECT_EQ(number, through++);
          while (begun < std::min(number + 2, kNumbers)) std::this_thread::yield();
        }));
  });
  EXPECT_EQ(through, kNumbers);
}

// A few buffers, for which a filter waits.
class Buffers {
 public:
  explicit Buffers(int count) : left_(count) {}
  void Take() {
    int left = left_;
    while (left == 0 || !left_.compare_exchange_weak(left, left - 1)) {
      std::this_thread::yield();
      left = left_;
    }
  }
  void Give() { ++left_; }

 private:
  std::atomic<int> left_;
};

// Who has taken an item through a filter goes on with it, and not into the filter with the next.
TEST_P(ParallelPipelineTest, AnItemMayWaitForWhatAnEarlierOneGivesBack) {
  if (limit() < 2) GTEST_SKIP() << "nobody else makes items";
  constexpr int kNumbers = 5000;
  Buffers before(3);
  Buffers after(1);
  int begun = 0;
  int through = 0;
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_pipeline(
        8,
        tbb::make_filter<void, int>(filter_mode::serial_in_order, [&](tbb::flow_control& control) {
          if (begun == kNumbers) {
            control.stop();
            return 0;
          }
          before.Take();
          return begun++;
        }) & tbb::make_filter<int, int>(filter_mode::serial_in_order, [&](int number) {
          after.Take();
          return number;
        }) & tbb::make_filter<int, void>(filter_mode::serial_in_order, [&](int number) {
          EXPECT_EQ(number, through++);
          before.Give();
          after.Give();
        }));
  });
  EXPECT_EQ(through, kNumbers);
}

TEST_P(ParallelPipelineTest, OneFilterIsAPipeline) {
  for (const filter_mode mode : kModes) {
    for (const std::size_t tokens : {1u, 4u}) {
      Visits visits;
      std::atomic<int> calls{0};
      tbb::parallel_pipeline(tokens, tbb::filter<void, void>(mode, [&](tbb::flow_control& control) {
                               visits.Enter();
                               if (++calls >= 10) control.stop();
                               visits.Leave();
                             }));
      if (mode == filter_mode::parallel) {
        EXPECT_GE(calls, 10);
        EXPECT_LE(visits.most(), static_cast<int>(tokens));
      } else {
        EXPECT_EQ(calls, 10);
        EXPECT_EQ(visits.most(), 1);
      }
    }
  }
}

TEST_P(ParallelPipelineTest, OneFilterMayWaitForTasksOfItsOwn) {
  int calls = 0;
  std::atomic<int> runs{0};
  tbb::parallel_pipeline(
      4, tbb::filter<void, void>(filter_mode::serial_in_order, [&](tbb::flow_control& control) {
        if (++calls == 100) control.stop();
        tbb::task_group group;
        group.run([&] { ++runs; });
        group.run_and_wait([&] { ++runs; });
      }));
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(runs, 200);
}

TEST_P(ParallelPipelineTest, WhatOneFilterThrowsCancelsItsContext) {
  for (const filter_mode mode : kModes) {
    tbb::task_group_context context;
    std::atomic<int> calls{0};
    const tbb::filter<void, void> filter(mode, [&](tbb::flow_control&) {
      if (++calls == 10) throw std::domain_error("thrown");
    });
    EXPECT_THROW(tbb::parallel_pipeline(4, filter, context), std::domain_error);
    EXPECT_GE(calls, 10);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    // The context keeps it.
    calls = 100;
    EXPECT_THROW(tbb::parallel_pipeline(4, filter, context), std::domain_error);
    EXPECT_EQ(calls, 100);
    context.reset();
    calls = 9;
    EXPECT_THROW(tbb::parallel_pipeline(4, filter), std::domain_error);
    EXPECT_FALSE(context.is_group_execution_cancelled());
  }
}

TEST_P(ParallelPipelineTest, OneFilterEndsWhenItsContextIsCancelled) {
  tbb::task_group_context context;
  int calls = 0;
  const tbb::filter<void, void> filter(filter_mode::serial_out_of_order, [&](tbb::flow_control&) {
    if (++calls == 10) context.cancel_group_execution();
  });
  tbb::parallel_pipeline(4, filter, context);
  EXPECT_EQ(calls, 10);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

// Whether there is one filter or several.
TEST_P(ParallelPipelineTest, NothingBeginsInACancelledContext) {
  tbb::task_group_context context;
  context.cancel_group_execution();
  std::atomic<int> calls{0};
  for (const filter_mode mode : kModes) {
    tbb::parallel_pipeline(4, tbb::filter<void, void>(mode, [&](tbb::flow_control&) { ++calls; }),
                           context);
    tbb::parallel_pipeline(
        4,
        tbb::make_filter<void, int>(mode, [&](tbb::flow_control&) { return ++calls; }) &
            tbb::make_filter<int, void>(mode, [](int) {}),
        context);
  }
  EXPECT_EQ(calls, 0);
}

TEST_P(ParallelPipelineTest, CarriesWhatOnlyMovesAndWhatIsLarge) {
  struct Large {
    std::string texts[20];
  };
  int sum = 0;
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(filter_mode::serial_in_order, Source(100)),
      tbb::make_filter<int, std::unique_ptr<int>>(filter_mode::parallel,
                                                  [](int i) { return std::make_unique<int>(i); }),
      tbb::make_filter<std::unique_ptr<int>, Large>(filter_mode::parallel,
                                                    [](std::unique_ptr<int> i) {
                                                      Large large;
                                                      large.texts[19] = std::to_string(*i);
                                                      return large;
                                                    }),
      tbb::make_filter<Large, void>(filter_mode::serial_out_of_order, [&](const Large& large) {
        sum += std::stoi(large.texts[19]);
      }));
  EXPECT_EQ(sum, 4950);
}

TEST_P(ParallelPipelineTest, NullPointersAreItems) {
  std::atomic<int> nulls{0};
  const Source source(10);
  tbb::parallel_pipeline(3, tbb::make_filter<void, int*>(filter_mode::serial_in_order,
                                                         [&](tbb::flow_control& control) -> int* {
                                                           source(control);
                                                           return nullptr;
                                                         }) &
                                tbb::make_filter<int*, void>(filter_mode::parallel, [&](int* i) {
                                  if (i == nullptr) ++nulls;
                                }));
  EXPECT_EQ(nulls, 10);
}

struct Counted {
  Counted() { ++live; }
  Counted(const Counted&) { ++live; }
  ~Counted() { --live; }
  static std::atomic<int> live;
};
std::atomic<int> Counted::live{0};

TEST_P(ParallelPipelineTest, RethrowsFromAnyFilterAndLosesNoItem) {
  for (int thrower = 0; thrower < 3; ++thrower) {
    tbb::task_group_context context;
    const Source source(1 << 30);
    const auto run = [&](int self, int number) {
      if (self == thrower && number == 50) throw std::domain_error("thrown");
    };
    std::atomic<int> calls[2] = {};
    EXPECT_THROW(tbb::parallel_pipeline(
                     5,
                     tbb::make_filter<void, Counted>(filter_mode::serial_in_order,
                                                     [&](tbb::flow_control& control) {
                                                       run(0, source(control));
                                                       return Counted();
                                                     }),
                     tbb::make_filter<Counted, Counted>(filter_mode::parallel,
                                                        [&](const Counted& in) {
                                                          run(1, calls[0]++);
                                                          return in;
                                                        }),
                     tbb::make_filter<Counted, void>(filter_mode::serial_in_order,
                                                     [&](const Counted&) { run(2, calls[1]++); }),
                     context),
                 std::domain_error)
        << thrower;
    EXPECT_TRUE(context.is_group_execution_cancelled());
    // oneTBB now and then forgets an item that was under way.
    if (!kOnOneTbb) {
      EXPECT_EQ(Counted::live, 0) << thrower;
    }
    Counted::live = 0;
  }
}

TEST_P(ParallelPipelineTest, NoItemFollowsTheOneThatCancels) {
  // oneTBB does not promise it.
  if (kOnOneTbb) GTEST_SKIP();
  constexpr int kLast = 3;
  for (int round = 0; round < 3000; ++round) {
    tbb::task_group_context context;
    std::atomic<int> begun{0};
    int last = -1;
    tbb::parallel_pipeline(
        4,
        tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                    [&](tbb::flow_control& control) {
                                      const int item = begun;
                                      if (item == 100) control.stop();
                                      begun = item + 1;
                                      return item;
                                    }) &
            tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order,
                                        [&](int item) {
                                          last = item;
                                          if (item != kLast) return;
                                          // The next one is on its way here, if a thread has it.
                                          for (int i = 0; i < 1000 && begun < kLast + 2; ++i) {
                                          }
                                          for (volatile int i = round % 50; i > 0; i = i - 1) {
                                          }
                                          context.cancel_group_execution();
                                        }),
        context);
    EXPECT_EQ(last, kLast);
  }
}

TEST_P(ParallelPipelineTest, EndsWhenItsContextIsCancelled) {
  tbb::task_group_context context;
  std::atomic<int> made{0};
  tbb::parallel_pipeline(4,
                         tbb::make_filter<void, int>(filter_mode::serial_in_order,
                                                     [&](tbb::flow_control&) {
                                                       if (++made == 100)
                                                         context.cancel_group_execution();
                                                       return 0;
                                                     }) &
                             tbb::make_filter<int, void>(filter_mode::parallel, [](int) {}),
                         context);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST(FilterTest, TypesAreDeduced) {
  const auto source = [](tbb::flow_control& control) {
    control.stop();
    return 1;
  };
  const auto step = [](const int& i) { return std::to_string(i); };
  const auto sink = [](std::string) {};
  tbb::filter f1(filter_mode::parallel, source);
  const auto f2 = tbb::make_filter(filter_mode::parallel, step);
  const auto f3 = tbb::make_filter(filter_mode::parallel, sink);
  static_assert(std::is_same_v<decltype(f1), tbb::filter<void, int>>);
  static_assert(std::is_same_v<decltype(f2), const tbb::filter<int, std::string>>);
  static_assert(std::is_same_v<decltype(f3), const tbb::filter<std::string, void>>);
  tbb::parallel_pipeline(1, f1, f2, f3);
}

TEST(FilterTest, CopiesMovesAndGrows) {
  int total = 0;
  tbb::filter<void, int> source(filter_mode::serial_in_order, Source(5));
  const tbb::filter<int, int> twice(filter_mode::parallel, [](int i) { return 2 * i; });
  source &= twice;
  tbb::filter<void, int> copy = source;
  const tbb::filter<void, int> moved = std::move(source);
  tbb::parallel_pipeline(2, moved & tbb::make_filter<int, void>(filter_mode::serial_in_order,
                                                                [&](int i) { total += i; }));
  EXPECT_EQ(total, 20);
  copy.clear();
  copy = moved;
}

TEST(ParallelPipelineDeathTest, APipelineNeedsAFilterAndAToken) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB checks that in debug builds";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const tbb::filter<void, void> one(filter_mode::serial_in_order,
                                    [](tbb::flow_control& control) { control.stop(); });
  EXPECT_DEATH(tbb::parallel_pipeline(1, tbb::filter<void, void>()), "a pipeline needs a filter");
  EXPECT_DEATH(tbb::parallel_pipeline(0, one), "a pipeline needs a token");
}

TEST(ParallelPipelineDeathTest, AnEmptyFilterIsNotConnected) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB checks that in debug builds";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const tbb::filter<void, int> empty;
  const auto drop = tbb::make_filter<int, void>(filter_mode::parallel, [](int) {});
  EXPECT_DEATH(static_cast<void>(empty & drop), "an empty filter is connected");
}

}  // namespace

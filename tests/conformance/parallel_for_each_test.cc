#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <forward_list>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(std::is_same_v<tbb::detail::d1::feeder<int>, tbb::feeder<int>>);

using ParallelForEachTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelForEachTest, kLimits);

template <typename Container>
Container Numbers(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return Container(numbers.begin(), numbers.end());
}

template <typename Container>
void VisitsAll() {
  for (const int count : {0, 1, 5, 500}) {
    Container numbers = Numbers<Container>(count);
    tbb::parallel_for_each(numbers.begin(), numbers.end(), [](int& number) { number += 1000; });
    tbb::parallel_for_each(numbers, [](int& number) { number += 1000; });
    const Container& constant = numbers;
    std::atomic<long> sum{0};
    tbb::parallel_for_each(constant, [&](const int& number) { sum += number; });
    EXPECT_EQ(sum, count * 2000L + count * (count - 1L) / 2);
  }
}

TEST_P(ParallelForEachTest, VisitsSequencesOfEveryKind) {
  VisitsAll<std::vector<int>>();
  VisitsAll<std::deque<int>>();
  VisitsAll<std::list<int>>();
  VisitsAll<std::forward_list<int>>();
}

struct NotesConstness {
  void operator()(int&) const { ++changeable; }
  void operator()(const int&) const { ++constant; }

  std::atomic<int>& changeable;
  std::atomic<int>& constant;
};

TEST_P(ParallelForEachTest, ItemsOfATemporaryAreConstant) {
  std::atomic<int> changeable{0};
  std::atomic<int> constant{0};
  const NotesConstness body{changeable, constant};
  std::vector<int> numbers(10);
  tbb::parallel_for_each(numbers, body);
  EXPECT_EQ(changeable, 10);
  EXPECT_EQ(constant, 0);
  tbb::task_group_context context;
  tbb::parallel_for_each(std::vector<int>(5), body);
  tbb::parallel_for_each(std::vector<int>(6), body, context);
  tbb::parallel_for_each(std::as_const(numbers), body, context);
  EXPECT_EQ(changeable, 10);
  EXPECT_EQ(constant, 21);
  // With its arguments named.
  tbb::parallel_for_each<std::vector<int>, NotesConstness>(numbers, body);
  EXPECT_EQ(changeable, 20);
}

TEST_P(ParallelForEachTest, VisitsASinglePassSequence) {
  std::istringstream text("3 1 4 1 5 9 2 6 5 3 5");
  std::atomic<int> sum{0};
  tbb::parallel_for_each(std::istream_iterator<int>(text), std::istream_iterator<int>(),
                         [&](int number) { sum += number; });
  EXPECT_EQ(sum, 44);
}

// An item that is counted while it lives, and owns memory.
class OwningItem {
 public:
  explicit OwningItem(int number) : number_(std::make_unique<int>(number)) { ++alive(); }
  OwningItem(const OwningItem& other) : OwningItem(other.number()) {}
  ~OwningItem() { --alive(); }
  OwningItem& operator=(const OwningItem&) = delete;

  int number() const { return *number_; }
  static std::atomic<int>& alive() {
    static std::atomic<int> alive{0};
    return alive;
  }

 private:
  std::unique_ptr<int> number_;
};

// A single-pass sequence of numbers; to reach 77 ends it by an exception.
class Counter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = OwningItem;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = OwningItem;

  explicit Counter(int number) : number_(number) {}
  OwningItem operator*() const {
    if (number_ == 77) throw std::out_of_range("77");
    return OwningItem(number_);
  }
  Counter& operator++() {
    ++number_;
    return *this;
  }
  Counter operator++(int) { return Counter(number_++); }
  friend bool operator==(const Counter& a, const Counter& b) { return a.number_ == b.number_; }

 private:
  int number_;
};

TEST_P(ParallelForEachTest, VisitsSinglePassSequencesOfAllLengths) {
  for (const int count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 72}) {
    if (kOnOneTbb && count % 4 != 0) continue;  // it destroys four items of every task
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    tbb::parallel_for_each(Counter(0), Counter(count), [&](const OwningItem& item) {
      ++visits[static_cast<std::size_t>(item.number())];
    });
    for (const std::atomic<int>& times : visits) EXPECT_EQ(times, 1);
    EXPECT_EQ(OwningItem::alive(), 0);
  }
}

TEST_P(ParallelForEachTest, KeepsNoItemOfASinglePassSequenceThatThrows) {
  if (kOnOneTbb) GTEST_SKIP();  // as above
  std::atomic<int> visits{0};
  EXPECT_THROW(
      tbb::parallel_for_each(Counter(0), Counter(100), [&](const OwningItem&) { ++visits; }),
      std::out_of_range);
  EXPECT_LE(visits, 77);
  EXPECT_EQ(OwningItem::alive(), 0);
}

// A sequence that sees how far it was walked through before its items were visited; to
// leave `bad` ends it by an exception.
struct Walk {
  std::atomic<int> reached{0};
  std::atomic<int> visited{0};
  std::atomic<int> farthest_ahead{0};
  int bad = -1;
};

template <typename Category>
class WatchedStep {
 public:
  using iterator_category = Category;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = const int*;
  using reference = const int&;

  WatchedStep() = default;
  WatchedStep(Walk& walk, int number) : walk_(&walk), number_(number) {}
  const int& operator*() const { return number_; }
  WatchedStep& operator++() {
    if (number_ == walk_->bad) throw std::out_of_range("bad");
    ++number_;
    // Blocks of items that were reached are walked through again, by any thread.
    if (number_ > walk_->reached) {
      walk_->reached = number_;
      walk_->farthest_ahead = std::max<int>(walk_->farthest_ahead, number_ - walk_->visited);
    }
    return *this;
  }
  WatchedStep operator++(int) {
    const WatchedStep before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const WatchedStep& a, const WatchedStep& b) {
    return a.number_ == b.number_;
  }
  friend bool operator!=(const WatchedStep& a, const WatchedStep& b) { return !(a == b); }

 private:
  Walk* walk_ = nullptr;
  int number_ = 0;
};

template <typename Category>
int FarthestAhead(int count) {
  using Step = WatchedStep<Category>;
  Walk walk;
  tbb::parallel_for_each(Step(walk, 0), Step(walk, count), [&](int) { ++walk.visited; });
  EXPECT_EQ(walk.visited, count);
  return walk.farthest_ahead;
}

TEST_P(ParallelForEachTest, WalksNotFarAheadOfItsItems) {
  EXPECT_LT(FarthestAhead<std::forward_iterator_tag>(200000), 20000);
  EXPECT_LT(FarthestAhead<std::input_iterator_tag>(200000), 20000);
}

// Of `count` items, one waits for nearly all others, those behind it too.
template <typename Category>
void WaitInAnItem(int waiting, int count) {
  using Step = WatchedStep<Category>;
  Walk walk;
  tbb::parallel_for_each(Step(walk, 0), Step(walk, count), [&](int number) {
    if (number == waiting) {
      while (walk.visited < count - 1000) std::this_thread::yield();
    }
    ++walk.visited;
  });
  EXPECT_EQ(walk.visited, count);
}

TEST_P(ParallelForEachTest, OthersWalkOnWhileAnItemWaits) {
  if (limit() < 2) GTEST_SKIP() << "needs two threads";
  tbb::task_arena arena(2);  // the default arena has one slot where there is one processor
  arena.execute([] {
    for (const int waiting : {600, 601, 5000}) {
      WaitInAnItem<std::forward_iterator_tag>(waiting, 20000);
      WaitInAnItem<std::input_iterator_tag>(waiting, 20000);
    }
  });
}

TEST_P(ParallelForEachTest, AnExceptionOfAnIteratorCancelsTheRest) {
  using Step = WatchedStep<std::forward_iterator_tag>;
  for (const int bad : {0, 3, 77, 4000}) {
    Walk walk;
    walk.bad = bad;
    tbb::task_group_context context;
    EXPECT_THROW(tbb::parallel_for_each(
                     Step(walk, 0), Step(walk, 5000), [&](int) { ++walk.visited; }, context),
                 std::out_of_range);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    EXPECT_LE(walk.visited, bad + 1);
  }
}

TEST_P(ParallelForEachTest, VisitsItemsThatNeitherCopyNorMove) {
  std::list<std::atomic<int>> in_a_list(40);
  std::vector<std::atomic<int>> in_a_vector(40);
  const auto increment = [](std::atomic<int>& item) { ++item; };
  tbb::parallel_for_each(in_a_list, increment);
  tbb::parallel_for_each(in_a_list.rbegin(), in_a_list.rend(), increment);
  tbb::parallel_for_each(in_a_vector, increment);
  for (const std::atomic<int>& item : in_a_list) EXPECT_EQ(item, 2);
  for (const std::atomic<int>& item : in_a_vector) EXPECT_EQ(item, 1);
}

TEST_P(ParallelForEachTest, RunsWhatTheBodyAdds) {
  // A binary tree of 2^11 - 1 nodes from its root.
  std::vector<int> roots = {10};
  std::atomic<int> nodes{0};
  tbb::parallel_for_each(roots.begin(), roots.end(), [&](int height, tbb::feeder<int>& more) {
    ++nodes;
    if (height == 0) return;
    more.add(height - 1);
    const int again = height - 1;
    more.add(again);
  });
  EXPECT_EQ(nodes, 2047);
}

TEST_P(ParallelForEachTest, FeedsItemsThatOnlyMove) {
  std::vector<std::unique_ptr<int>> items;
  items.push_back(std::make_unique<int>(100));
  std::atomic<int> visited{0};
  tbb::parallel_for_each(items.begin(), items.end(),
                         [&](std::unique_ptr<int>& item, tbb::feeder<std::unique_ptr<int>>& more) {
                           ++visited;
                           if (*item > 0) more.add(std::make_unique<int>(*item - 1));
                         });
  EXPECT_EQ(visited, 101);
}

// An item that knows the next one, as in a list that is made of its items.
struct Linked {
  Linked* next = nullptr;
};

int* After(int* item) { return item + 1; }
Linked* After(Linked* item) { return item->next; }

// Knows whether it is at the end, and no !=.
template <typename Category, typename Item = int>
class Walker {
 public:
  using iterator_category = Category;
  using value_type = Item;
  using difference_type = std::ptrdiff_t;
  using pointer = Item*;
  using reference = Item&;

  explicit Walker(Item* at) : at_(at) {}
  Item& operator*() const { return *at_; }
  Walker& operator++() {
    at_ = After(at_);
    return *this;
  }
  Walker operator++(int) { return Walker(std::exchange(at_, After(at_))); }
  bool operator==(const Walker& other) const { return at_ == other.at_; }

 private:
  Item* at_;
};

TEST_P(ParallelForEachTest, AsksIteratorsOnlyWhetherTheyAreEqual) {
  int numbers[] = {1, 2, 3, 4, 5};
  std::atomic<int> sum{0};
  const auto add = [&](int number) { sum += number; };
  using Forward = Walker<std::forward_iterator_tag>;
  tbb::parallel_for_each(Forward(numbers), Forward(numbers + 5), add);
  using Input = Walker<std::input_iterator_tag>;
  tbb::parallel_for_each(Input(numbers), Input(numbers + 5), add);
  EXPECT_EQ(sum, 30);
}

// An iterator that is its own item, const where the iterator is; it leads to a place of a vector.
class Place {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Place;
  using difference_type = std::ptrdiff_t;
  using pointer = Place*;
  using reference = Place&;

  Place() = default;
  explicit Place(int* at) : at_(at) {}
  Place& operator*() { return *this; }
  const Place& operator*() const { return *this; }
  Place& operator++() {
    ++at_;
    return *this;
  }
  Place operator++(int) { return Place(at_++); }
  bool operator==(const Place& other) const { return at_ == other.at_; }
  bool operator!=(const Place& other) const { return at_ != other.at_; }

  void Increment() { ++*at_; }

 private:
  int* at_ = nullptr;
};

TEST_P(ParallelForEachTest, AnIteratorMayBeItsOwnItem) {
  std::vector<int> numbers(500, 7);
  tbb::parallel_for_each(Place(numbers.data()), Place(numbers.data() + numbers.size()),
                         [](Place& place) { place.Increment(); });
  EXPECT_EQ(numbers, std::vector<int>(500, 8));
}

// A random-access iterator, as far as its user went: without operator[].
class Stepper {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = int*;
  using reference = int&;

  explicit Stepper(int* at) : at_(at) {}
  int& operator*() const { return *at_; }
  Stepper operator+(std::ptrdiff_t steps) const { return Stepper(at_ + steps); }
  std::ptrdiff_t operator-(const Stepper& other) const { return at_ - other.at_; }
  bool operator==(const Stepper& other) const { return at_ == other.at_; }

 private:
  int* at_;
};

TEST_P(ParallelForEachTest, AsksRandomAccessIteratorsOnlyToStepAndToLead) {
  std::vector<int> numbers(500, 7);
  tbb::parallel_for_each(Stepper(numbers.data()), Stepper(numbers.data() + numbers.size()),
                         [](int& number) { ++number; });
  EXPECT_EQ(numbers, std::vector<int>(500, 8));
}

// Counts its copies.
struct Counted {
  Counted() = default;
  Counted(const Counted&) { ++copies; }
  Counted(Counted&&) noexcept {}

  static std::atomic<int> copies;
};
std::atomic<int> Counted::copies{0};

TEST_P(ParallelForEachTest, ABodyByValueGetsMovedItems) {
  Counted::copies = 0;
  std::atomic<int> calls{0};
  const auto body = [&](Counted, tbb::feeder<Counted>& feeder) {
    if (++calls <= 20) feeder.add(Counted());
  };
  std::vector<Counted> items(20);
  tbb::parallel_for_each(std::make_move_iterator(items.begin()),
                         std::make_move_iterator(items.end()), body);
  EXPECT_EQ(calls, 40);
  calls = 0;
  std::list<Counted> list(20);
  tbb::parallel_for_each(std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()),
                         body);
  EXPECT_EQ(calls, 40);
  EXPECT_EQ(Counted::copies, 0);
  tbb::parallel_for_each(items, body);
  EXPECT_EQ(Counted::copies, 20);
}

// A unit of work, made from what the sequence has.
struct Work {
  Work(int steps_of_it) : steps(steps_of_it) {}
  int steps;
};
struct WorkBody {
  void operator()(const Work& work, tbb::feeder<Work>& feeder) const {
    ++*runs;
    if (work.steps > 0) feeder.add(Work(work.steps - 1));
  }
  std::atomic<int>* runs;
};

TEST_P(ParallelForEachTest, ABodyMayFeedWhatTheItemsAreConvertedTo) {
  std::atomic<int> runs{0};
  const std::vector<int> steps = {0, 3, 5};
  tbb::parallel_for_each(steps.begin(), steps.end(), WorkBody{&runs});
  EXPECT_EQ(runs, 1 + 4 + 6);
  // And where the items are that already.
  const std::list<Work> works(steps.begin(), steps.end());
  tbb::parallel_for_each(works, WorkBody{&runs});
  EXPECT_EQ(runs, 2 * (1 + 4 + 6));
}

TEST_P(ParallelForEachTest, FewItemsRunAfterACancellation) {
  const std::vector<int> numbers(10000);
  std::atomic<int> runs{0};
  tbb::task_group_context context;
  tbb::parallel_for_each(
      numbers,
      [&](int) {
        if (++runs == 10) context.cancel_group_execution();
      },
      context);
  EXPECT_GE(runs, 10);
  // One or two a thread here; the reference begins some more.
  EXPECT_LT(runs, 200);
}

TEST_P(ParallelForEachTest, NeighboursInAListRunAtTheSameTime) {
  if (limit() < 2) GTEST_SKIP() << "needs two threads";
  std::list<int> numbers(2);
  std::atomic<int> arrived{0};
  tbb::task_arena arena(2);  // the default arena has one slot where there is one processor
  arena.execute([&] {
    tbb::parallel_for_each(numbers, [&](int&) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
  });
  EXPECT_EQ(arrived, 2);
}

TEST_P(ParallelForEachTest, ItemsOfAListMayWaitForLaterOnesAfterManyThatDidNot) {
  if (limit() < 2) GTEST_SKIP() << "needs two threads";
  tbb::task_arena arena(2);
  std::list<int> numbers(4);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int round = 0; round <= 100; ++round) {
    std::atomic<int> begun{0};
    arena.execute([&] {
      tbb::parallel_for_each(numbers, [&](int number) {
        ++begun;
        while (round == 100 && number == 0 && begun < 4) std::this_thread::yield();
      });
    });
    EXPECT_EQ(begun, 4);
  }
}

TEST_P(ParallelForEachTest, ABodyMayTakeItsItemOutOfTheList) {
  for (const int count : {1, 2, 3, 4, 5, 8, 9, 100, 1000}) {
    std::vector<Linked> items(static_cast<std::size_t>(count));
    for (std::size_t i = 1; i < items.size(); ++i) items[i - 1].next = &items[i];
    std::atomic<int> runs{0};
    using Forward = Walker<std::forward_iterator_tag, Linked>;
    tbb::parallel_for_each(Forward(items.data()), Forward(nullptr), [&](Linked& item) {
      item.next = nullptr;
      ++runs;
    });
    EXPECT_EQ(runs, count);
  }
}

TEST_P(ParallelForEachTest, NeighboursInAListDoNotBeginAfterACancellation) {
  for (const int count : {2, 3, 4, 5, 9}) {
    std::list<int> numbers(static_cast<std::size_t>(count));
    std::atomic<std::size_t> runs{0};
    tbb::task_group_context context;
    tbb::parallel_for_each(
        numbers,
        [&](int&) {
          ++runs;
          context.cancel_group_execution();
        },
        context);
    EXPECT_GE(runs, 1u);
    EXPECT_LE(runs, limit());  // one a thread
  }
}

TEST_P(ParallelForEachTest, EveryItemOfAListMayThrow) {
  for (int bad = 0; bad < 9; ++bad) {
    const auto numbers = Numbers<std::list<int>>(9);
    EXPECT_THROW(tbb::parallel_for_each(numbers,
                                        [&](int number) {
                                          if (number == bad) throw std::runtime_error("bad");
                                        }),
                 std::runtime_error);
  }
}

TEST_P(ParallelForEachTest, RethrowsFromItemsAndFromFedItems) {
  std::vector<int> numbers = Numbers<std::vector<int>>(100);
  EXPECT_THROW(tbb::parallel_for_each(numbers,
                                      [](int number) {
                                        if (number == 70) throw std::out_of_range("70");
                                      }),
               std::out_of_range);
  EXPECT_THROW(tbb::parallel_for_each(numbers.begin(), numbers.end(),
                                      [](int number, tbb::feeder<int>& more) {
                                        if (number == 1000) throw std::out_of_range("fed");
                                        if (number == 70) more.add(1000);
                                      }),
               std::out_of_range);
}

TEST_P(ParallelForEachTest, TakesAContext) {
  std::list<int> numbers = Numbers<std::list<int>>(100);
  tbb::task_group_context context;
  std::atomic<int> visited{0};
  tbb::parallel_for_each(
      numbers.begin(), numbers.end(), [&](int) { ++visited; }, context);
  EXPECT_EQ(visited, 100);
  context.cancel_group_execution();
  tbb::parallel_for_each(
      numbers, [&](int) { ++visited; }, context);
  EXPECT_EQ(visited, 100);
}

}  // namespace

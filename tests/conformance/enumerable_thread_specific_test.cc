#include <sys/wait.h>
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/tbb_allocator.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

template <typename F>
void OnThreads(int count, const F& f) {
  std::vector<std::thread> threads;
  std::atomic<int> started{0};
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      // All live at once: a thread that is gone may leave its object to another.
      ++started;
      while (started < count) std::this_thread::yield();
      f(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Cannot be copied.
struct Throws {
  Throws() { ++live; }
  Throws(const Throws&) { throw std::runtime_error("no copy"); }
  Throws& operator=(const Throws&) = default;
  ~Throws() { --live; }
  static inline int live = 0;
};

// Also if the allocator gives small alignments as a rule; programs' own need not give large ones.
template <typename T, template <typename> class Allocator>
void EachBeginsACacheLine() {
  tbb::enumerable_thread_specific<T, Allocator<T>> values;
  std::vector<std::uintptr_t> addresses(10);
  OnThreads(10, [&](int i) {
    addresses[i] = reinterpret_cast<std::uintptr_t>(std::addressof(values.local()));
  });
  for (const std::uintptr_t address : addresses) EXPECT_EQ(address % 64, 0u);
  const auto copy = values;
  for (const T& value : copy) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(std::addressof(value)) % 64, 0u);
  }
}

TEST(ThreadSpecificAlignmentTest, ObjectsBeginCacheLines) {
  struct Hundred {
    char bytes[100];
  };
  EachBeginsACacheLine<int, tbb::cache_aligned_allocator>();
  EachBeginsACacheLine<char, tbb::tbb_allocator>();
  EachBeginsACacheLine<std::vector<int>, tbb::tbb_allocator>();
  EachBeginsACacheLine<Hundred, tbb::tbb_allocator>();
  struct alignas(64) Line {
    char bytes[64];
  };
  EachBeginsACacheLine<Line, tbb::tbb_allocator>();
}

// Gives what is aligned as all objects are, and no more.
template <typename T>
struct Ordinary {
  using value_type = T;
  Ordinary() = default;
  template <typename U>
  Ordinary(const Ordinary<U>&) {}
  T* allocate(std::size_t n) {
    EXPECT_LE(alignof(T), alignof(std::max_align_t));
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  friend bool operator==(const Ordinary&, const Ordinary&) { return true; }
  friend bool operator!=(const Ordinary&, const Ordinary&) { return false; }
};
// One of TBB's by its ancestors only.
struct DerivedFromTbbs : tbb::tbb_allocator<int> {
  template <typename U>
  struct rebind {
    using other = Ordinary<U>;
  };
};

TEST(ThreadSpecificAlignmentTest, ADerivedAllocatorNeedNotGiveMore) {
  tbb::enumerable_thread_specific<int, DerivedFromTbbs> values(7);
  EXPECT_EQ(values.local(), 7);
}

// Programs take it from the header for containers of their own.
TEST(EtsElementTest, DestroysWhatWasCommitted) {
  struct alignas(32) Counted {
    explicit Counted(int* count) : live(count) { ++*live; }
    ~Counted() { --*live; }
    int* const live;
  };
  int live = 0;
  {
    tbb::detail::d1::ets_element<Counted> unused;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(unused.value()) % 32, 0u);
    tbb::detail::d1::ets_element<Counted> element;
    new (static_cast<void*>(element.value())) Counted(&live);
    EXPECT_EQ(element.value_committed(), element.value());
    EXPECT_EQ(live, 1);
  }
  EXPECT_EQ(live, 0);
}

template <typename Container>
class ThreadSpecificTest : public testing::Test {};
template <tbb::ets_key_usage_type kKey>
using Ints = tbb::enumerable_thread_specific<int, tbb::cache_aligned_allocator<int>, kKey>;
using Keys = testing::Types<Ints<tbb::ets_no_key>, Ints<tbb::ets_key_per_instance>>;
TYPED_TEST_SUITE(ThreadSpecificTest, Keys);

TYPED_TEST(ThreadSpecificTest, EachThreadHasItsOwn) {
  TypeParam values(100);
  std::vector<int*> addresses(20);
  OnThreads(20, [&](int i) {
    bool exists = true;
    int& value = values.local(exists);
    EXPECT_FALSE(exists);
    EXPECT_EQ(value, 100);
    value += i;
    addresses[static_cast<std::size_t>(i)] = &value;
    EXPECT_EQ(&values.local(exists), &value);
    EXPECT_TRUE(exists);
  });
  EXPECT_EQ(values.size(), 20u);
  std::sort(addresses.begin(), addresses.end());
  EXPECT_EQ(std::unique(addresses.begin(), addresses.end()), addresses.end());
  EXPECT_EQ(values.combine(std::plus<int>()), 2190);
  int total = 0;
  values.combine_each([&](int value) { total += value; });
  EXPECT_EQ(total, 2190);
}

TYPED_TEST(ThreadSpecificTest, StartsEmptyAndClears) {
  TypeParam values;
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(values.begin(), values.end());
  EXPECT_EQ(values.combine(std::plus<int>()), 0);
  values.local() = 3;
  EXPECT_EQ(values.size(), 1u);
  values.clear();
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(values.local(), 0);
}

TEST(EnumerableThreadSpecificTest, MakesObjectsInEveryWay) {
  tbb::enumerable_thread_specific<std::string> by_value(std::string("x"));
  EXPECT_EQ(by_value.local(), "x");
  int calls = 0;
  tbb::enumerable_thread_specific<std::string> by_call([&calls] {
    ++calls;
    return std::string("called");
  });
  EXPECT_EQ(by_call.local(), "called");
  EXPECT_EQ(by_call.local(), "called");
  EXPECT_EQ(calls, 1);
  tbb::enumerable_thread_specific<std::string> by_arguments(std::size_t{3}, 'y');
  EXPECT_EQ(by_arguments.local(), "yyy");
  struct Fixed {
    Fixed() = default;
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    int value = 7;
  };
  tbb::enumerable_thread_specific<Fixed> fixed;
  EXPECT_EQ(fixed.local().value, 7);
}

TEST(EnumerableThreadSpecificTest, CopiesAndMovesKeepTheThreads) {
  tbb::enumerable_thread_specific<int> values([] { return 1; });
  values.local() = 5;
  OnThreads(3, [&](int) { values.local() = 2; });
  tbb::enumerable_thread_specific<int> copy(values);
  EXPECT_EQ(copy.size(), values.size());
  EXPECT_EQ(copy.local(), 5);
  tbb::enumerable_thread_specific<int> moved(std::move(copy));
  EXPECT_EQ(moved.local(), 5);
  Ints<tbb::ets_key_per_instance> other(values);
  EXPECT_EQ(other.combine(std::plus<int>()), values.combine(std::plus<int>()));
  moved.local() = 6;
  values = moved;
  EXPECT_EQ(values.local(), 6);
  values = std::move(moved);
  EXPECT_EQ(values.local(), 6);
}

struct Copied {
  explicit Copied(int* count) : copies(count) {}
  Copied(const Copied& other) : copies(other.copies) { ++*copies; }
  Copied(Copied&& other) noexcept : copies(other.copies) {}
  ~Copied() = default;
  Copied& operator=(const Copied&) = default;
  Copied& operator=(Copied&&) = default;
  int operator()() const { return 3; }
  int* copies;
};

TEST(EnumerableThreadSpecificTest, TheExemplarIsCopiedForTheContainerAndForEachObject) {
  int copies = 0;
  const Copied exemplar(&copies);
  tbb::enumerable_thread_specific<Copied> objects(exemplar);
  EXPECT_EQ(copies, 1);
  objects.local();
  EXPECT_EQ(copies, 2);
}

TEST(EnumerableThreadSpecificTest, MovingCopiesNeitherObjectsNorWhatMakesThem) {
  int copies = 0;
  const Copied original(&copies);
  tbb::enumerable_thread_specific<Copied> objects(original);
  Copied& object = objects.local();
  tbb::enumerable_thread_specific<int> numbers(original);
  tbb::combinable<int> combined(original);
  copies = 0;
  tbb::enumerable_thread_specific<Copied> other_objects(std::move(objects));
  EXPECT_EQ(&other_objects.local(), &object);
  tbb::enumerable_thread_specific<int> other_numbers(std::move(numbers));
  EXPECT_EQ(other_numbers.local(), 3);
  Ints<tbb::ets_key_per_instance> third_numbers(std::move(other_numbers));
  EXPECT_EQ(third_numbers.local(), 3);
  tbb::combinable<int> other_combined(std::move(combined));
  EXPECT_EQ(other_combined.local(), 3);
  EXPECT_EQ(copies, 0);
}

TEST(EnumerableThreadSpecificTest, MoveAssignmentGivesTheOtherOneWhatThisOneHad) {
  int copies = 0;
  const Copied three(&copies);
  tbb::enumerable_thread_specific<int> threes(three);
  tbb::enumerable_thread_specific<int> fours([copied = three] { return copied() + 1; });
  threes.local() = 30;
  copies = 0;
  fours = std::move(threes);
  EXPECT_EQ(copies, 0);
  EXPECT_EQ(fours.local(), 30);
  EXPECT_EQ(threes.size(), 0u);  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_EQ(threes.local(), 4);
  std::thread([&] { EXPECT_EQ(fours.local(), 3); }).join();
}

TEST(EnumerableThreadSpecificTest, CopiesOfManyObjectsKeepTheThreads) {
  constexpr int kThreads = 50;
  tbb::enumerable_thread_specific<int> values;
  std::atomic<int> made{0};
  std::atomic<bool> copied{false};
  std::vector<tbb::enumerable_thread_specific<int>> copies;
  std::thread copier([&] {
    while (made < kThreads) std::this_thread::yield();
    copies.emplace_back(values);
    tbb::enumerable_thread_specific<int, std::allocator<int>> converted(values);
    copies.emplace_back(std::move(converted));
    copied = true;
  });
  OnThreads(kThreads, [&](int i) {
    values.local() = i;
    ++made;
    while (!copied) std::this_thread::yield();
    for (tbb::enumerable_thread_specific<int>& copy : copies) {
      bool exists = false;
      EXPECT_EQ(copy.local(exists), i);
      EXPECT_TRUE(exists);
    }
  });
  copier.join();
  for (tbb::enumerable_thread_specific<int>& copy : copies) {
    EXPECT_EQ(copy.size(), std::size_t{kThreads});
    EXPECT_TRUE(std::is_permutation(copy.begin(), copy.end(), values.begin()));
  }
}

TEST(EnumerableThreadSpecificTest, WhatIsCombinedOfNoneIsMadeAndDestroyed) {
  static int live = 0;
  struct alignas(128) Counted {
    Counted() { ++live; }
    Counted(const Counted&) { ++live; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --live; }
  };
  const auto first = [](const Counted& a, const Counted&) { return a; };
  tbb::enumerable_thread_specific<Counted> values;
  {
    const Counted combined = values.combine(first);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&combined) % 128, 0u);
    EXPECT_EQ(live, 1);
  }
  EXPECT_EQ(live, 0);
  EXPECT_TRUE(values.empty());

  tbb::enumerable_thread_specific<Throws> failing;
  EXPECT_THROW(failing.combine([](const Throws& a, const Throws&) { return a; }),
               std::runtime_error);
  EXPECT_EQ(Throws::live, 0);
}

TEST(EnumerableThreadSpecificTest, AnObjectThatCannotBeMadeIsTriedAgain) {
  bool fails = true;
  tbb::enumerable_thread_specific<int> values([&]() -> int {
    if (fails) throw std::domain_error("thrown");
    return 4;
  });
  EXPECT_THROW(values.local(), std::domain_error);
  fails = false;
  EXPECT_EQ(values.local(), 4);
}

TEST(EnumerableThreadSpecificTest, IsARangeWithIterators) {
  tbb::enumerable_thread_specific<int> values;
  OnThreads(10, [&](int i) { values.local() = i; });
  const auto& constant = values;
  EXPECT_EQ(std::count_if(constant.begin(), constant.end(), [](int i) { return i < 5; }), 5);
  EXPECT_EQ(values.end() - values.begin(), 10);
  std::atomic<int> sum{0};
  tbb::parallel_for(values.range(2), [&](const auto& part) {
    for (int value : part) sum += value;
  });
  EXPECT_EQ(sum, 45);
}

TEST(CombinableTest, TakesAValueToStartFrom) {
  tbb::combinable<int> ints(5);
  ints.local() += 1;
  EXPECT_EQ(ints.combine(std::plus<int>()), 6);
  tbb::combinable<double> doubles(2);
  EXPECT_EQ(doubles.local(), 2.0);
  const std::string word = "abc";
  tbb::combinable<std::string> words(word);
  std::thread([&] { words.local() += "d"; }).join();
  EXPECT_EQ(words.local(), "abc");
}

TEST(CombinableTest, JoinsTheValues) {
  tbb::combinable<int> values([] { return 10; });
  OnThreads(4, [&](int i) { values.local() += i; });
  EXPECT_EQ(values.combine(std::plus<int>()), 46);
  int total = 0;
  values.combine_each([&](const int& value) { total += value; });
  EXPECT_EQ(total, 46);
  values.clear();
  bool exists = true;
  EXPECT_EQ(values.local(exists), 10);
  EXPECT_FALSE(exists);
}

// A constant member may walk as if it were not one.
std::size_t CountIn(const tbb::enumerable_thread_specific<int>& numbers) {
  std::size_t count = 0;
  for (tbb::enumerable_thread_specific<int>::iterator it = numbers.begin(); it != numbers.end();
       ++it) {
    ++count;
  }
  return count;
}

TEST(EnumerableThreadSpecificTest, IteratorsOfBothKindsMix) {
  tbb::enumerable_thread_specific<int> numbers(7);
  numbers.local() = 8;
  EXPECT_EQ(CountIn(numbers), 1u);
  using Specifics = tbb::enumerable_thread_specific<int>;
  const Specifics::const_iterator first = numbers.begin();
  EXPECT_TRUE(first == numbers.begin());
  EXPECT_TRUE(numbers.begin() == first);
  EXPECT_FALSE(first != numbers.begin());
  EXPECT_TRUE(first < numbers.end());
  EXPECT_EQ(numbers.end() - first, 1);
}

TEST(EnumerableThreadSpecificTest, ARangeIsOneOverConstants) {
  using Specifics = tbb::enumerable_thread_specific<int>;
  static_assert(std::is_const_v<Specifics::const_iterator::value_type>);
  static_assert(!std::is_const_v<Specifics::iterator::value_type>);
  // Those of the ranges are the same.
  static_assert(std::is_same_v<Specifics::range_type::value_type, int>);
  static_assert(std::is_same_v<Specifics::range_type::reference, int&>);
  static_assert(std::is_same_v<Specifics::range_type::const_reference, const int&>);
  static_assert(std::is_same_v<Specifics::const_range_type::value_type, int>);
  static_assert(std::is_same_v<Specifics::const_range_type::reference, int&>);
  static_assert(std::is_same_v<Specifics::const_range_type::const_reference, const int&>);
  Specifics numbers(7);
  numbers.local() = 8;
  const Specifics::const_range_type constants = numbers.range(3);
  EXPECT_EQ(*constants.begin(), 8);
  EXPECT_EQ(constants.size(), 1u);
  EXPECT_EQ(constants.grainsize(), 3u);
}

// A function may add to its first argument and return that.
TEST(EnumerableThreadSpecificTest, WhatIsCombinedSoFarMayBeChanged) {
  using List = std::vector<int>;
  const auto append = [](List& so_far, const List& more) {
    so_far.insert(so_far.end(), more.begin(), more.end());
    return so_far;
  };
  tbb::enumerable_thread_specific<List> lists;
  tbb::combinable<List> others;
  const auto add = [&](int n) {
    lists.local().push_back(n);
    others.local().push_back(n);
  };
  add(1);
  std::thread(add, 2).join();
  std::thread(add, 3).join();
  for (List all : {lists.combine(append), others.combine(append)}) {
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (List{1, 2, 3}));
  }
}

TEST(EnumerableThreadSpecificTest, IsMadeOfWhatItsObjectsAreMadeOf) {
  struct Pair {
    Pair(int a, int b) : first(a), second(b) {}
    int first;
    int second;
  };
  tbb::enumerable_thread_specific<Pair> pairs = {1, 2};
  EXPECT_EQ(pairs.local().first, 1);
  EXPECT_EQ(pairs.local().second, 2);
  tbb::enumerable_thread_specific<std::string> texts = "text";
  EXPECT_EQ(texts.local(), "text");
}

// The function may ask for the caller's object, and wait for threads that ask for theirs.
TYPED_TEST(ThreadSpecificTest, ObjectsThatAreMadeWhileAllAreVisitedAreVisitedToo) {
  TypeParam values(1);
  OnThreads(3, [&](int) { values.local(); });
  const std::size_t before = values.size();
  int visits = 0;
  int sum = 0;
  values.combine_each([&](int& value) {
    if (++visits == 1) {
      values.local() = 5;
      OnThreads(40, [&](int) { values.local(); });
    }
    sum += value;
  });
  EXPECT_GT(values.size(), before);
  EXPECT_EQ(static_cast<std::size_t>(visits), values.size());
  EXPECT_EQ(sum, values.combine(std::plus<int>()));
}

// Some walk through the objects while others come.
TEST(EnumerableThreadSpecificTest, ObjectsAreVisitedWhileOthersAreMade) {
  constexpr int kThreads = 16;
  for (int round = 0; round < 50; ++round) {
    tbb::enumerable_thread_specific<std::atomic<int>> values([] { return 1; });
    std::atomic<int> made{0};
    std::thread monitor([&] {
      int seen = 0;
      do {
        int now = 0;
        int wrong = 0;
        for (const std::atomic<int>& value : values) {
          ++now;
          wrong += static_cast<int>(value < 1);
        }
        EXPECT_GE(now, seen);
        EXPECT_TRUE(kOnOneTbb || wrong == 0);  // oneTBB shows them before they are made
        seen = now;
        EXPECT_GE(values.size(), static_cast<std::size_t>(seen));
        std::this_thread::yield();
      } while (made < kThreads);
    });
    OnThreads(kThreads, [&](int) {
      ++values.local();
      ++made;
    });
    monitor.join();
    EXPECT_FALSE(values.empty());
  }
}

// What it gives out lies side by side.
std::atomic<std::size_t> bytes_in_a_row{0};
template <typename T>
struct InARow {
  using value_type = T;
  InARow() = default;
  template <typename U>
  InARow(const InARow<U>&) {}
  T* allocate(std::size_t n) {
    alignas(std::max_align_t) static char row[1 << 16];
    constexpr std::size_t kUnit = alignof(std::max_align_t);
    const std::size_t size = (n * sizeof(T) + kUnit - 1) / kUnit * kUnit;
    return reinterpret_cast<T*>(row + bytes_in_a_row.fetch_add(size));
  }
  void deallocate(T*, std::size_t) {}
  friend bool operator==(const InARow&, const InARow&) { return true; }
  friend bool operator!=(const InARow&, const InARow&) { return false; }
};

// oneTBB keeps both.
TEST(EnumerableThreadSpecificTest, AThreadWhoseObjectIsMadeMeanwhileHasOne) {
  if (kOnOneTbb) GTEST_SKIP();
  int made = 0;
  tbb::enumerable_thread_specific<int>* all = nullptr;
  tbb::enumerable_thread_specific<int> objects([&] {
    const int number = ++made;
    // As a task that runs while the maker waits.
    if (number == 1) all->local() = 7;
    return number;
  });
  all = &objects;
  int& object = objects.local();
  EXPECT_EQ(object, 7);
  EXPECT_EQ(&object, &objects.local());
  EXPECT_EQ(objects.size(), 1u);
  EXPECT_EQ(made, 2);
}

// Gives out what it is told, and then nothing once.
int allocations_left = 100;
template <typename T>
struct Limited {
  using value_type = T;
  Limited() = default;
  template <typename U>
  Limited(const Limited<U>&) {}
  T* allocate(std::size_t n) {
    if (allocations_left-- == 0) throw std::bad_alloc();
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  friend bool operator==(const Limited&, const Limited&) { return true; }
  friend bool operator!=(const Limited&, const Limited&) { return false; }
};

// A child of fork() is not stopped by what a thread of its parent was doing. One that hangs is
// ended by its alarm.
template <typename F>
void ExpectAForkedChildCan(const F& f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    f();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

// How many allocations go by before one that waits until it may go on.
std::atomic<int> before_wait{-1};
std::atomic<bool> waits{false};
std::atomic<bool> goes_on{false};
template <typename T>
struct Waiting {
  using value_type = T;
  Waiting() = default;
  template <typename U>
  Waiting(const Waiting<U>&) {}
  T* allocate(std::size_t n) {
    if (before_wait-- == 0) {
      waits = true;
      while (!goes_on) std::this_thread::yield();
    }
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  friend bool operator==(const Waiting&, const Waiting&) { return true; }
  friend bool operator!=(const Waiting&, const Waiting&) { return false; }
};

// With oneTBB the child waits for it.
TEST(EnumerableThreadSpecificTest, AChildNeedsNobodyWhoTakesMemoryInItsParent) {
  if (kOnOneTbb) GTEST_SKIP();
  for (int allocation = 0; allocation < 3; ++allocation) {
    tbb::enumerable_thread_specific<int, Waiting<int>> values(7);
    before_wait = allocation;
    waits = false;
    goes_on = false;
    std::thread other([&] { values.local() = 1; });
    while (!waits) std::this_thread::yield();
    ExpectAForkedChildCan([&] {
      if (values.local() != 7 || values.size() != 1) _exit(1);
    });
    goes_on = true;
    other.join();
    EXPECT_EQ(values.size(), 1u);
  }
}

// oneTBB keeps the object and makes another one.
TEST(EnumerableThreadSpecificTest, AnObjectThatCannotBeNotedIsDestroyedWithoutALock) {
  if (kOnOneTbb) GTEST_SKIP();
  struct AsksWhenItEnds {
    explicit AsksWhenItEnds(std::function<void()>* f) : when_it_ends(f) {}
    AsksWhenItEnds(const AsksWhenItEnds&) = delete;
    AsksWhenItEnds& operator=(const AsksWhenItEnds&) = delete;
    ~AsksWhenItEnds() { (*when_it_ends)(); }
    std::function<void()>* when_it_ends;
  };
  for (const int allocations : {1, 2}) {
    std::function<void()> when_one_ends;
    tbb::enumerable_thread_specific<AsksWhenItEnds, Limited<AsksWhenItEnds>> objects(
        &when_one_ends);
    int ended = 0;
    when_one_ends = [&] {
      if (++ended == 1) objects.local();
    };
    allocations_left = allocations;
    EXPECT_THROW(objects.local(), std::bad_alloc);
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(objects.size(), 1u);
    objects.clear();
    EXPECT_EQ(ended, 2);
  }
}

// Threads write to their objects all the time.
struct CountsItsEnd : tbb::enumerable_thread_specific<int> {
  explicit CountsItsEnd(int* ends) : ends_(ends) {}
  ~CountsItsEnd() override { ++*ends_; }

 private:
  int* ends_;
};

TEST(EnumerableThreadSpecificTest, OneThatWasDerivedFromIsDestroyedByItsBase) {
  int ends = 0;
  std::unique_ptr<tbb::enumerable_thread_specific<int>> base =
      std::make_unique<CountsItsEnd>(&ends);
  base->local() = 1;
  base.reset();
  EXPECT_EQ(ends, 1);
}

TEST(EnumerableThreadSpecificTest, ObjectsShareNoCacheLine) {
  constexpr std::uintptr_t kLine = 64;
  constexpr std::size_t kThreads = 20;
  tbb::enumerable_thread_specific<char, InARow<char>> objects;
  std::vector<std::uintptr_t> lines(kThreads);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> done{0};
  for (std::uintptr_t& line : lines) {
    threads.emplace_back([&] {
      line = reinterpret_cast<std::uintptr_t>(&objects.local()) / kLine;
      ++done;
      while (done != kThreads) std::this_thread::yield();  // who comes later is another one
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end());
}

}  // namespace

#include "filch/tbb_compat/src/thread_indexes.h"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::ThreadIndex;
using filch::tbb_compat_internal::ThreadIndexes;

// Of so many threads that live at the same time.
std::vector<std::size_t> IndexesOf(std::size_t threads) {
  std::vector<std::size_t> indexes(threads);
  std::atomic<std::size_t> asked{0};
  std::vector<std::thread> living;
  for (std::size_t& index : indexes) {
    living.emplace_back([&] {
      index = ThreadIndex();
      EXPECT_EQ(ThreadIndex(), index);
      asked.fetch_add(1);
      while (asked.load() < threads) std::this_thread::yield();
    });
  }
  for (std::thread& thread : living) thread.join();
  return indexes;
}

TEST(ThreadIndexesTest, ALivingThreadHasItsOwn) {
  const std::size_t mine = ThreadIndex();
  const std::vector<std::size_t> others = IndexesOf(20);
  std::set<std::size_t> all(others.begin(), others.end());
  all.insert(mine);
  EXPECT_EQ(all.size(), 21u);
  EXPECT_EQ(*all.rbegin(), 20u) << "a number that is free is not the least";
}

TEST(ThreadIndexesTest, AThreadLeavesItsNumberToOthers) {
  const std::size_t mine = ThreadIndex();
  std::set<std::size_t> numbers;
  for (int i = 0; i < 10; ++i) std::thread([&] { numbers.insert(ThreadIndex()); }).join();
  EXPECT_EQ(numbers.size(), 1u);
  EXPECT_EQ(numbers.count(mine), 0u);
}

TEST(ThreadIndexesTest, ThereMayBeMoreThreadsThanNumbers) {
  ThreadIndex();
  const std::vector<std::size_t> indexes = IndexesOf(ThreadIndexes::kMost + 3);
  std::multiset<std::size_t> all(indexes.begin(), indexes.end());
  EXPECT_EQ(all.count(ThreadIndexes::kMost), 4u);
  // They are back.
  EXPECT_LT(IndexesOf(1)[0], ThreadIndexes::kMost);
}

TEST(ThreadIndexesTest, AThreadKeepsItsNumberWhileItsThreadLocalObjectsEnd) {
  static std::size_t at_the_end = ThreadIndexes::kMost;
  struct AsksAtTheEnd {
    ~AsksAtTheEnd() { at_the_end = ThreadIndex(); }
  };
  std::size_t before = ThreadIndexes::kMost;
  std::thread([&before] {
    // Made first, so it is destroyed last.
    thread_local const AsksAtTheEnd asks;
    static_cast<void>(&asks);
    before = ThreadIndex();
  }).join();
  EXPECT_LT(before, ThreadIndexes::kMost);
  EXPECT_EQ(at_the_end, before);
}

TEST(ThreadIndexesTest, ANumberThatTheDestructorOfAKeyTakesIsGivenBack) {
  static std::size_t at_the_end = ThreadIndexes::kMost;
  const std::size_t least = IndexesOf(1)[0];
  pthread_key_t key;
  // Called after what gives numbers back, for that has an older key.
  ASSERT_EQ(pthread_key_create(&key, [](void*) { at_the_end = ThreadIndex(); }), 0);
  for (int i = 0; i < 10; ++i) {
    at_the_end = ThreadIndexes::kMost;
    std::thread([key] {
      static_cast<void>(pthread_setspecific(key, &at_the_end));
      ThreadIndex();
    }).join();
    EXPECT_EQ(at_the_end, least);
  }
  EXPECT_EQ(IndexesOf(1)[0], least);
  pthread_key_delete(key);
}

}  // namespace

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace {

TEST(Flattened2dTest, IsOneSequence) {
  tbb::enumerable_thread_specific<std::vector<int>> lists;
  lists.local() = {1, 1, 1};
  std::thread other([&] {
    lists.local() = {1, 1};
    // All live at once: a thread that is gone may leave its object to another.
    std::thread third([&] { lists.local(); });
    third.join();
  });
  other.join();
  EXPECT_EQ(lists.size(), 3u);
  const auto flat = tbb::flatten2d(lists);
  EXPECT_EQ(flat.size(), 5u);
  EXPECT_EQ(std::count(flat.begin(), flat.end(), 1), 5);
}

TEST(Flattened2dTest, ItsItemsMayBeChanged) {
  tbb::enumerable_thread_specific<std::vector<int>> all;
  all.local() = {1, 2, 3};
  auto flat = tbb::flatten2d(all);
  for (int& item : flat) item *= 2;
  EXPECT_EQ(all.local(), (std::vector<int>{2, 4, 6}));
  using Flat = decltype(flat);
  Flat::iterator first = flat.begin();
  const Flat::const_iterator constant = first;
  EXPECT_EQ(&*first, &*constant);
  static_assert(!std::is_same_v<Flat::iterator, Flat::const_iterator>);
  static_assert(std::is_same_v<decltype(*std::as_const(flat).begin()), const int&>);
}

TEST(Flattened2dTest, ItsIteratorsOfBothKindsMix) {
  tbb::enumerable_thread_specific<std::vector<int>> all;
  all.local() = {1, 2, 3};
  auto flat = tbb::flatten2d(all);
  using Flat = decltype(flat);
  const Flat::const_iterator constant = std::as_const(flat).begin();
  Flat::iterator it;
  it = constant;
  EXPECT_TRUE(it == constant && constant == it);
  EXPECT_EQ(&*it, &*constant);
  ++it;
  EXPECT_TRUE(it != constant && constant != it);
  it = std::as_const(flat).end();
  EXPECT_TRUE(it == flat.end());
}

TEST(Flattened2dTest, ItsIteratorsAreComparedWithOuterOnes) {
  tbb::enumerable_thread_specific<std::vector<int>> all;
  all.local() = {1, 2};
  std::thread([&] {
    all.local();
    std::thread([&] { all.local() = {3}; }).join();
  }).join();
  // The second one is empty.
  ASSERT_EQ(all.size(), 3u);
  const auto first = all.begin();
  auto flat = tbb::flatten2d(all);
  using Flat = decltype(flat);
  static_assert(std::is_same_v<Flat::iterator::size_type, std::size_t>);
  static_assert(std::is_same_v<Flat::const_iterator::size_type, std::size_t>);
  Flat::iterator it = flat.begin();
  EXPECT_TRUE(it == first);
  EXPECT_FALSE(it != first);
  EXPECT_TRUE(it != first + 1);
  EXPECT_TRUE(it != all.end());
  ++it;
  EXPECT_FALSE(it == first);  // at the same inner container, but not at its first item
  ++it;
  EXPECT_TRUE(it == first + 2);
  EXPECT_TRUE(it != first + 1);
  ++it;
  EXPECT_TRUE(it == all.end());
  EXPECT_FALSE(it != all.end());
  const Flat::const_iterator constant = std::as_const(flat).begin();
  EXPECT_TRUE(constant == first);
  EXPECT_TRUE(constant != all.end());
}

TEST(Flattened2dTest, MayBecomeAnother) {
  tbb::enumerable_thread_specific<std::vector<int>> one(1u, 1);
  tbb::enumerable_thread_specific<std::vector<int>> two(2u, 2);
  one.local();
  two.local();
  auto flat = tbb::flatten2d(one);
  flat = tbb::flatten2d(two);
  EXPECT_EQ(flat.size(), 2u);
  EXPECT_EQ(&*flat.begin(), &two.local()[0]);
}

}  // namespace

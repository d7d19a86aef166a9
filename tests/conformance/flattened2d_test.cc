#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

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

// A list for each of as many threads, which live at once: one that is gone may leave its object to
// another.
void FillBesideOthers(tbb::enumerable_thread_specific<std::vector<int>>& all,
                      std::vector<std::vector<int>> lists) {
  if (lists.empty()) return;
  std::thread([&] {
    all.local() = lists.back();
    lists.pop_back();
    FillBesideOthers(all, lists);
  }).join();
}

// A part of a container ends where it was said, whatever lies behind.
TEST(Flattened2dTest, APartEndsBeforeWhatIsBehindIt) {
  tbb::enumerable_thread_specific<std::vector<int>> all;
  FillBesideOthers(all, {{1}, {}, {2, 3}, {}, {}, {4}});
  for (std::size_t begin = 0; begin <= all.size(); ++begin) {
    for (std::size_t end = begin; end <= all.size(); ++end) {
      std::vector<int> expected;
      for (std::size_t i = begin; i != end; ++i) {
        const std::vector<int>& list = *(all.begin() + i);
        expected.insert(expected.end(), list.begin(), list.end());
      }
      const auto flat = tbb::flatten2d(all, all.begin() + begin, all.begin() + end);
      EXPECT_EQ(std::vector<int>(flat.begin(), flat.end()), expected) << begin << ' ' << end;
      EXPECT_EQ(flat.size(), expected.size());
    }
  }
}

// Others may come while it walks. oneTBB's goes on with theirs, and misses its end.
TEST(Flattened2dTest, EndsWhereTheContainerEndedWhenItBegan) {
  if (kOnOneTbb) GTEST_SKIP();
  tbb::enumerable_thread_specific<std::vector<int>> all;
  all.local() = {1, 2};
  auto flat = tbb::flatten2d(all);
  auto it = flat.begin();
  const auto end = flat.end();
  std::thread([&] { all.local() = {3}; }).join();
  ASSERT_EQ(all.size(), 2u);
  std::vector<int> items;
  for (; it != end && items.size() < 3; ++it) items.push_back(*it);
  EXPECT_EQ(items, (std::vector<int>{1, 2}));
  EXPECT_EQ(std::distance(flat.begin(), flat.end()), 2);
}

// Programs have it walk through their own containers of containers.
template <typename Value, typename Container>
std::vector<Value> Segments(Container& all) {
  std::vector<Value> items;
  tbb::detail::d1::segmented_iterator<Container, Value> it(all);
  EXPECT_TRUE(it == all.end());
  for (it = all.begin(); it != all.end(); ++it) items.push_back(*it);
  tbb::detail::d1::segmented_iterator<Container, const Value> constant(all);
  std::size_t count = 0;
  for (constant = all.begin(); constant != all.end(); ++constant) {
    EXPECT_LT(count, items.size());
    EXPECT_EQ(*constant, items[count++]);
  }
  EXPECT_EQ(count, items.size());
  return items;
}

TEST(SegmentedIteratorTest, WalksThroughAnyContainers) {
  std::vector<std::vector<int>> lists = {{}, {1, 2}, {}, {}, {3}, {}};
  EXPECT_EQ(Segments<int>(lists), (std::vector<int>{1, 2, 3}));
  std::list<std::deque<int>> deques = {{1}, {2, 3}};
  EXPECT_EQ(Segments<int>(deques), (std::vector<int>{1, 2, 3}));
  std::vector<std::map<int, char>> maps = {{}, {{1, 'a'}, {2, 'b'}}};
  using Pair = std::pair<const int, char>;
  EXPECT_EQ(Segments<Pair>(maps), (std::vector<Pair>{{1, 'a'}, {2, 'b'}}));
}

TEST(SegmentedIteratorTest, ItsContainerMayChangeBeforeItIsPlaced) {
  std::vector<std::vector<int>> all;
  tbb::detail::d1::segmented_iterator<std::vector<std::vector<int>>, int> it(all);
  it = all.begin();
  EXPECT_TRUE(it == all.end());
  all = {{}, {}};
  it = all.begin();
  EXPECT_TRUE(it == all.end());
  all = {{}, {7}, {}};
  it = all.begin();
  EXPECT_TRUE(it != all.end());
  EXPECT_EQ(*it, 7);
  it = all.begin() + 2;
  EXPECT_TRUE(it == all.end());
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

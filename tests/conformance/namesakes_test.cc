// A program that has functions of the same names as those in the headers, in the namespace
// of its types: no header may call them.  They are deleted, so that it would not compile; in
// a program it would run them instead, or find the call ambiguous.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/collaborative_call_once.h>
#include <tbb/combinable.h>
#include <tbb/enumerable_thread_specific.h>
#ifndef CONFORMANCE_ON_ONETBB
#include <tbb/parallel_do.h>
#endif
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/tbb_allocator.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <list>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace program {

#include "tests/conformance/namesakes.inc"

struct Small {
  int key = 0;
};
inline bool operator<(const Small& a, const Small& b) { return a.key < b.key; }

struct Large {
  int key = 0;
  int more[8] = {};
};
inline bool operator<(const Large& a, const Large& b) { return a.key < b.key; }

struct ByKey {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

struct Index {
  int i = 0;
  explicit operator std::size_t() const { return static_cast<std::size_t>(i); }
  Index& operator++() {
    ++i;
    return *this;
  }
};
inline bool operator<(Index a, Index b) { return a.i < b.i; }
inline std::size_t operator-(Index a, Index b) { return static_cast<std::size_t>(a.i - b.i); }
inline Index operator+(Index a, std::size_t n) { return Index{a.i + static_cast<int>(n)}; }
inline Index operator-(Index a, std::size_t n) { return Index{a.i - static_cast<int>(n)}; }

class Range {
 public:
  explicit Range(int size) : end_(size) {}
  Range(Range& left, tbb::split) : begin_((left.begin_ + left.end_) / 2), end_(left.end_) {
    left.end_ = begin_;
  }
  bool empty() const { return size() == 0; }
  bool is_divisible() const { return size() > 1; }
  int size() const { return end_ - begin_; }

 private:
  int begin_ = 0;
  int end_;
};

template <typename Value>
int SizeOf(const tbb::blocked_range<Value>& range) {
  return static_cast<int>(range.size());
}
inline int SizeOf(const Range& range) { return range.size(); }
template <typename Value>
int SizeOf(const tbb::blocked_range2d<Value>& range) {
  return SizeOf(range.rows()) * SizeOf(range.cols());
}
template <typename Value>
int SizeOf(const tbb::blocked_range3d<Value>& range) {
  return SizeOf(range.pages()) * SizeOf(range.rows()) * SizeOf(range.cols());
}

class Count {
 public:
  explicit Count(std::atomic<int>& sum) : sum_(&sum) {}
  template <typename R>
  auto operator()(const R& range) const -> decltype(SizeOf(range), void()) {
    *sum_ += SizeOf(range);
  }
  void operator()(int) const { ++*sum_; }
  void operator()(const Large&) const { ++*sum_; }
  void operator()() const { ++*sum_; }

 private:
  std::atomic<int>* sum_;
};

struct Sum {
  Sum() = default;
  Sum(Sum&, tbb::split) {}
  template <typename R>
  void operator()(const R& range) {
    sum += SizeOf(range);
  }
  void join(const Sum& right) { sum += right.sum; }

  template <typename R, typename Pass>
  void operator()(const R& range, Pass) {
    sum += SizeOf(range);
  }
  void reverse_join(const Sum& left) { sum += left.sum; }
  void assign(const Sum& other) { sum = other.sum; }

  int sum = 0;
};

struct AddSize {
  template <typename R>
  Large operator()(const R& range, Large so_far) const {
    so_far.key += SizeOf(range);
    return so_far;
  }
  template <typename R>
  Large operator()(const R& range, Large so_far, bool) const {
    so_far.key += SizeOf(range);
    return so_far;
  }
};
struct Add {
  Large operator()(Large a, const Large& b) const {
    a.key += b.key;
    return a;
  }
};

struct FeedOne {
  std::atomic<int>* calls;
  void operator()(Large& item, tbb::feeder<Large>& feeder) const {
    ++*calls;
    if (item.key == 0) feeder.add(Large{1, {}});
  }
};

struct MakeLarge {
  Large operator()() const { return Large{7, {}}; }
};

struct TenItems {
  int* made;
  Large operator()(tbb::flow_control& control) const {
    if (*made == 10) {
      control.stop();
    } else {
      ++*made;
    }
    return Large();
  }
};
struct Pass {
  Large operator()(const Large& item) const { return item; }
};

namespace {

constexpr int kSize = 100;

tbb::blocked_range<Large*> PointerRange() {
  static Large items[kSize];
  return tbb::blocked_range<Large*>(items, items + kSize);
}
tbb::blocked_range<Index> IndexRange() { return tbb::blocked_range<Index>(Index{0}, Index{kSize}); }
tbb::blocked_range2d<Index> SquareRange() {
  return tbb::blocked_range2d<Index>(Index{0}, Index{10}, Index{0}, Index{10});
}
tbb::blocked_range3d<Index> BoxRange() {
  return tbb::blocked_range3d<Index>(Index{0}, Index{5}, Index{0}, Index{4}, Index{0}, Index{5});
}

template <typename R>
void ExpectLoops(const R& range) {
  tbb::task_group_context context;
  tbb::affinity_partitioner affinity;
  std::atomic<int> sum{0};
  const Count count(sum);
  tbb::parallel_for(range, count);
  tbb::parallel_for(range, count, tbb::simple_partitioner());
  tbb::parallel_for(range, count, tbb::auto_partitioner());
  tbb::parallel_for(range, count, tbb::static_partitioner());
  tbb::parallel_for(range, count, affinity);
  tbb::parallel_for(range, count, context);
  tbb::parallel_for(range, count, affinity, context);
  EXPECT_EQ(sum, 7 * kSize);
}

TEST(NamesakesTest, OfLoops) {
  ExpectLoops(Range(kSize));
  ExpectLoops(PointerRange());
  ExpectLoops(IndexRange());
  ExpectLoops(SquareRange());
  ExpectLoops(BoxRange());
}

TEST(NamesakesTest, OfLoopsOverIndices) {
  tbb::task_group_context context;
  tbb::affinity_partitioner affinity;
  std::atomic<int> sum{0};
  const Count count(sum);
  tbb::parallel_for(0, 10, count);
  tbb::parallel_for(0, 10, 1, count);
  tbb::parallel_for(0, 10, count, tbb::simple_partitioner());
  tbb::parallel_for(0, 10, 1, count, affinity);
  tbb::parallel_for(0, 10, count, context);
  tbb::parallel_for(0, 10, count, tbb::static_partitioner(), context);
  tbb::parallel_for(0, 10, 1, count, affinity, context);
  EXPECT_EQ(sum, 70);
}

template <typename R>
void ExpectReductions(const R& range) {
  tbb::task_group_context context;
  tbb::affinity_partitioner affinity;
  Sum body;
  tbb::parallel_reduce(range, body);
  tbb::parallel_reduce(range, body, tbb::simple_partitioner());
  tbb::parallel_reduce(range, body, tbb::static_partitioner());
  tbb::parallel_reduce(range, body, affinity);
  tbb::parallel_reduce(range, body, context);
  tbb::parallel_reduce(range, body, affinity, context);
  tbb::parallel_deterministic_reduce(range, body);
  tbb::parallel_deterministic_reduce(range, body, tbb::static_partitioner());
  tbb::parallel_deterministic_reduce(range, body, context);
  tbb::parallel_deterministic_reduce(range, body, tbb::simple_partitioner(), context);
  EXPECT_EQ(body.sum, 10 * kSize);

  const Large none;
  const AddSize add;
  int sum = tbb::parallel_reduce(range, none, add, Add()).key;
  sum += tbb::parallel_reduce(range, none, add, Add(), affinity).key;
  sum += tbb::parallel_reduce(range, none, add, Add(), context).key;
  sum += tbb::parallel_reduce(range, none, add, Add(), tbb::auto_partitioner(), context).key;
  sum += tbb::parallel_deterministic_reduce(range, none, add, Add()).key;
  sum += tbb::parallel_deterministic_reduce(range, none, add, Add(), context).key;
  EXPECT_EQ(sum, 6 * kSize);
}

TEST(NamesakesTest, OfReductions) {
  ExpectReductions(Range(kSize));
  ExpectReductions(PointerRange());
  ExpectReductions(IndexRange());
  ExpectReductions(SquareRange());
}

template <typename R>
void ExpectScans(const R& range) {
  Sum body;
  tbb::parallel_scan(range, body);
  EXPECT_EQ(body.sum, kSize);
  tbb::parallel_scan(range, body, tbb::simple_partitioner());
  tbb::parallel_scan(range, body, tbb::auto_partitioner());

  const Large none;
  const AddSize add;
  int sum = tbb::parallel_scan(range, none, add, Add()).key;
  sum += tbb::parallel_scan(range, none, add, Add(), tbb::simple_partitioner()).key;
  sum += tbb::parallel_scan(range, none, add, Add(), tbb::auto_partitioner()).key;
  EXPECT_EQ(sum, 3 * kSize);
}

TEST(NamesakesTest, OfScans) {
  ExpectScans(Range(kSize));
  ExpectScans(PointerRange());
  ExpectScans(IndexRange());
}

template <typename T>
std::vector<T> Unsorted() {
  std::vector<T> items(2000);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].key = static_cast<int>(i * 7 % 2000);
  return items;
}

template <typename T>
void ExpectSorts() {
  std::vector<T> items = Unsorted<T>();
  tbb::parallel_sort(items);
  EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
  items = Unsorted<T>();
  tbb::parallel_sort(items, ByKey());
  EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
  items = Unsorted<T>();
  tbb::parallel_sort(items.begin(), items.end());
  EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
  items = Unsorted<T>();
  tbb::parallel_sort(items.data(), items.data() + items.size(), ByKey());
  EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
}

TEST(NamesakesTest, OfSorts) {
  ExpectSorts<Small>();
  ExpectSorts<Large>();
}

TEST(NamesakesTest, OfLoopsOverItems) {
  tbb::task_group_context context;
  std::atomic<int> calls{0};
  const Count count(calls);
  std::vector<Large> items(kSize);
  std::list<Large> chain(kSize);
  tbb::parallel_for_each(items, count);
  tbb::parallel_for_each(std::as_const(chain), count);
  tbb::parallel_for_each(items, count, context);
  tbb::parallel_for_each(chain.begin(), chain.end(), count);
  tbb::parallel_for_each(chain.begin(), chain.end(), count, context);
  EXPECT_EQ(calls, 5 * kSize);

  calls = 0;
  const FeedOne feed{&calls};
  tbb::parallel_for_each(items.begin(), items.end(), feed);
  tbb::parallel_for_each(chain.begin(), chain.end(), feed);
  EXPECT_EQ(calls, 4 * kSize);

#ifndef CONFORMANCE_ON_ONETBB
  calls = 0;
  tbb::parallel_do(items, count);
  tbb::parallel_do(items, count, context);
  tbb::parallel_do(items.begin(), items.end(), count);
  tbb::parallel_do(chain.begin(), chain.end(), feed, context);
  EXPECT_EQ(calls, 5 * kSize);
#endif
}

TEST(NamesakesTest, OfPipelines) {
  tbb::task_group_context context;
  std::atomic<int> calls{0};
  const auto first = [](int& made) {
    return tbb::make_filter<void, Large>(tbb::filter_mode::serial_in_order, TenItems{&made});
  };
  const auto last =
      tbb::make_filter<Large, void>(tbb::filter_mode::serial_out_of_order, Count(calls));
  int made = 0;
  tbb::parallel_pipeline(
      4, first(made) & tbb::make_filter<Large, Large>(tbb::filter_mode::parallel, Pass()) & last);
  made = 0;
  tbb::parallel_pipeline(4, first(made), last);
  made = 0;
  tbb::parallel_pipeline(4, first(made), last, context);
  made = 0;
  tbb::parallel_pipeline(4, tbb::make_filter(tbb::filter_mode::serial_in_order, TenItems{&made}) &
                                tbb::make_filter<Large, Large>(tbb::filter_mode::parallel, Pass()) &
                                last);
  EXPECT_EQ(calls, 40);
}

TEST(NamesakesTest, OfFunctions) {
  tbb::task_group_context context;
  std::atomic<int> calls{0};
  const Count count(calls);
  tbb::parallel_invoke(count, count);
  tbb::parallel_invoke(count, count, count);
  tbb::parallel_invoke(count, count, count, count, count, count);
  tbb::parallel_invoke(count, count, count, context);
  EXPECT_EQ(calls, 14);

  calls = 0;
  tbb::task_group group;
  group.run(count);
  group.run(group.defer(count));
  group.run_and_wait(count);
  EXPECT_EQ(calls, 3);

  calls = 0;
  tbb::task_arena arena;
  arena.execute(count);
  EXPECT_EQ(arena.execute(MakeLarge()).key, 7);
  arena.enqueue(group.defer(count));
  tbb::this_task_arena::enqueue(group.defer(count));
  tbb::this_task_arena::isolate(count);
  EXPECT_EQ(tbb::this_task_arena::isolate(MakeLarge()).key, 7);
  group.wait();
  EXPECT_EQ(calls, 4);

  calls = 0;
  tbb::collaborative_once_flag once;
  tbb::collaborative_call_once(once, count);
  tbb::collaborative_call_once(once, count);
  EXPECT_EQ(calls, 1);
}

TEST(NamesakesTest, OfObjectsByThread) {
  std::atomic<int> calls{0};
  const Count count(calls);
  using Objects = tbb::enumerable_thread_specific<Large>;
  Objects objects(MakeLarge{});
  EXPECT_EQ(objects.local().key, 7);
  EXPECT_EQ(objects.combine(Add()).key, 7);
  objects.combine_each(count);
  tbb::parallel_for(objects.range(), [&](const Objects::range_type& range) {
    for (const Large& object : range) count(object);
  });
  EXPECT_EQ(calls, 2);
  Objects others(Large{3, {}});
  others = objects;
  others = std::move(objects);
  EXPECT_EQ(others.begin()->key, 7);

  tbb::combinable<Large> sums(MakeLarge{});
  sums.local();
  EXPECT_EQ(sums.combine(Add()).key, 7);
  sums.combine_each(count);
  EXPECT_EQ(calls, 3);

  tbb::enumerable_thread_specific<std::vector<Large>> lists;
  lists.local().resize(3);
  for (const Large& object : tbb::flatten2d(lists)) count(object);
  EXPECT_EQ(calls, 6);
}

TEST(NamesakesTest, OfAllocators) {
  const std::vector<Large, tbb::tbb_allocator<Large>> items(3);
  const std::vector<Large, tbb::cache_aligned_allocator<Large>> aligned(3);
  EXPECT_EQ(items.size() + aligned.size(), std::size_t{6});
}

}  // namespace
}  // namespace program

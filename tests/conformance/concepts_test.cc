// With C++20, the algorithms tell from outside what they take.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <vector>

namespace {

using Range = tbb::blocked_range<int>;

// oneTBB has no constraints with clang.
#if __TBB_CPP20_CONCEPTS_PRESENT || !defined(__clang__)

using Context = tbb::task_group_context;

template <typename... Arguments>
concept For = requires(Arguments&... arguments) {
  tbb::parallel_for(arguments...);
};
template <typename... Arguments>
concept ForEach = requires(Arguments&... arguments) {
  tbb::parallel_for_each(arguments...);
};
template <typename... Arguments>
concept Reduce = requires(Arguments&... arguments) {
  tbb::parallel_reduce(arguments...);
  tbb::parallel_deterministic_reduce(arguments...);
};
template <typename... Arguments>
concept Scan = requires(Arguments&... arguments) {
  tbb::parallel_scan(arguments...);
};
template <typename... Arguments>
concept Sort = requires(Arguments&... arguments) {
  tbb::parallel_sort(arguments...);
};

// --- ranges: one that is right, and what may be wrong with others

struct GoodRange {
  GoodRange(const GoodRange&) = default;
  GoodRange(GoodRange&, tbb::split);
  bool empty() const;
  bool is_divisible() const;
};
static_assert(tbb::detail::tbb_range<GoodRange> && tbb::detail::tbb_range<Range> &&
              tbb::detail::splittable<GoodRange> && !tbb::detail::tbb_range<int>);
struct CannotBeCopied : GoodRange {
  CannotBeCopied(const CannotBeCopied&) = delete;
  CannotBeCopied(CannotBeCopied&, tbb::split);
};
struct CannotBeSplit {
  bool empty() const;
  bool is_divisible() const;
};
struct DoesNotTellWhetherEmpty {
  DoesNotTellWhetherEmpty(const DoesNotTellWhetherEmpty&) = default;
  DoesNotTellWhetherEmpty(DoesNotTellWhetherEmpty&, tbb::split);
  bool empty();  // not as a constant
  bool is_divisible() const;
};
struct DoesNotTellWhetherDivisible {
  DoesNotTellWhetherDivisible(const DoesNotTellWhetherDivisible&) = default;
  DoesNotTellWhetherDivisible(DoesNotTellWhetherDivisible&, tbb::split);
  bool empty() const;
};

// What tells may be something that only a condition makes a bool of.
struct Answer {
  explicit operator bool() const { return value; }
  bool value;
};
struct RangeOfAnswers : Range {
  using Range::Range;
  RangeOfAnswers(RangeOfAnswers& range, tbb::split split) : Range(range, split) {}
  Answer empty() const { return {Range::empty()}; }
  Answer is_divisible() const { return {Range::is_divisible()}; }
};

struct TakesAll {
  template <typename T>
  void operator()(T&) const;
};
struct TakesAllButChanges {
  template <typename T>
  void operator()(T&);
};
struct TakesAllAndIsNotCopied : TakesAll {
  TakesAllAndIsNotCopied(const TakesAllAndIsNotCopied&) = delete;
};

static_assert(For<const Range, TakesAll>);
static_assert(For<const Range, TakesAll, Context>);
static_assert(For<const Range, TakesAll, const tbb::static_partitioner>);
static_assert(For<const Range, TakesAll, tbb::affinity_partitioner, Context>);
static_assert(For<const GoodRange, TakesAll>);
static_assert(For<const RangeOfAnswers, TakesAll>);
static_assert(!For<const CannotBeCopied, TakesAll>);
static_assert(!For<const CannotBeSplit, TakesAll>);
static_assert(!For<const DoesNotTellWhetherEmpty, TakesAll>);
static_assert(!For<const DoesNotTellWhetherDivisible, TakesAll>);
static_assert(!For<const Range, int>);
static_assert(!For<const Range, std::function<void(int*)>>);
static_assert(!For<const Range, TakesAllButChanges>);
static_assert(!For<const Range, TakesAllAndIsNotCopied>);
static_assert(!For<const Range, std::function<void(int*)>, const tbb::simple_partitioner>);
static_assert(!For<const Range, std::function<void(int*)>, Context>);

using OfInt = std::function<void(int)>;
static_assert(For<int, int, OfInt>);
static_assert(For<int, int, int, OfInt>);
static_assert(For<int, int, int, OfInt, const tbb::auto_partitioner, Context>);
static_assert(For<std::size_t, std::size_t, TakesAll>);
static_assert(!For<int, int, std::function<void(int*)>>);
static_assert(!For<int, int, int, std::function<void()>>);
static_assert(!For<int*, int*, std::function<void(int*)>>);  // cannot be made of an int

static_assert(ForEach<std::vector<int>, OfInt>);
static_assert(ForEach<const std::list<int>, OfInt, Context>);
static_assert(ForEach<int*, int*, OfInt>);
static_assert(ForEach<std::vector<int>, std::function<void(int, tbb::feeder<int>&)>>);
// What the feeder takes is another type.
static_assert(ForEach<std::vector<int>, std::function<void(long, tbb::feeder<long>&)>>);
static_assert(ForEach<int*, int*, std::function<void(long, tbb::feeder<long>&)>>);
static_assert(!ForEach<std::vector<int>, std::function<void(int*)>>);
static_assert(!ForEach<std::vector<int>, std::function<void(int*, tbb::feeder<int*>&)>>);
static_assert(!ForEach<int, int, OfInt>);
static_assert(!ForEach<int, OfInt>);

// --- reductions

using Sum = std::function<int(const Range&, int)>;
using Join = std::function<int(int, int)>;
struct Body {
  Body(Body&, tbb::split);
  void operator()(const Range&);
  void join(Body&);
};
struct BodyWithoutJoin {
  BodyWithoutJoin(BodyWithoutJoin&, tbb::split);
  void operator()(const Range&);
};
struct BodyWithoutSplit {
  void operator()(const Range&);
  void join(BodyWithoutSplit&);
};
struct BodyOfOtherRanges {
  BodyOfOtherRanges(BodyOfOtherRanges&, tbb::split);
  void operator()(const GoodRange&);
  void join(BodyOfOtherRanges&);
};

static_assert(Reduce<const Range, Body>);
static_assert(Reduce<const Range, Body, const tbb::static_partitioner, Context>);
static_assert(!Reduce<const Range, BodyWithoutJoin>);
static_assert(!Reduce<const Range, BodyWithoutSplit>);
static_assert(!Reduce<const Range, BodyOfOtherRanges>);
static_assert(!Reduce<const CannotBeSplit, Body>);
static_assert(
    Reduce<const RangeOfAnswers, const int, std::function<int(RangeOfAnswers, int)>, Join>);
static_assert(Reduce<const Range, const int, Sum, Join>);
static_assert(Reduce<const Range, const int, Sum, Join, const tbb::simple_partitioner>);
static_assert(!Reduce<const Range, const int, Join, Join>);
static_assert(!Reduce<const Range, const int, Sum, Sum>);
static_assert(!Reduce<const Range, const int, std::function<int*(const Range&, int)>, Join>);

// --- scans

struct ScanBody {
  ScanBody(ScanBody&, tbb::split);
  template <typename Tag>
  void operator()(const Range&, Tag);
  void reverse_join(ScanBody&);
  void assign(ScanBody&);
};
struct ScanBodyWithoutAssign {
  ScanBodyWithoutAssign(ScanBodyWithoutAssign&, tbb::split);
  template <typename Tag>
  void operator()(const Range&, Tag);
  void reverse_join(ScanBodyWithoutAssign&);
};
using ScanSum = std::function<int(const Range&, int, bool)>;

static_assert(Scan<const Range, ScanBody>);
static_assert(Scan<const Range, ScanBody, const tbb::auto_partitioner>);
static_assert(!Scan<const Range, ScanBodyWithoutAssign>);
static_assert(!Scan<const Range, Body>);
static_assert(Scan<const Range, const int, ScanSum, Join>);
static_assert(!Scan<const Range, const int, Sum, Join>);
static_assert(!Scan<const Range, const int, ScanSum, ScanSum>);

// --- sorts

struct Unordered {};

static_assert(Sort<std::vector<int>>);
static_assert(Sort<int*, int*>);
static_assert(Sort<std::vector<int>, std::greater<int>>);
static_assert(Sort<std::vector<bool>::iterator, std::vector<bool>::iterator>);
static_assert(!Sort<std::list<int>>);
static_assert(!Sort<std::vector<Unordered>>);
static_assert(!Sort<Unordered*, Unordered*>);
static_assert(Sort<Unordered*, Unordered*, std::function<bool(Unordered, Unordered)>>);
static_assert(!Sort<std::vector<int>, std::function<bool(int*, int*)>>);
static_assert(!Sort<const std::vector<int>, int>);

// --- what ranges count in

template <typename T>
concept Counts = requires {
  typename tbb::blocked_range<T>;
};
template <typename T, typename U>
concept CountBoth = requires {
  typename tbb::blocked_range2d<T, U>;
  typename tbb::blocked_range3d<T, int, U>;
};

struct Index {
  bool operator<(const Index&) const;
  std::size_t operator-(const Index&) const;
  Index operator+(std::size_t) const;
};
struct IndexOfAnswers {
  IndexOfAnswers(int);
  Answer operator<(const IndexOfAnswers&) const;
  std::size_t operator-(const IndexOfAnswers&) const;
  IndexOfAnswers operator+(std::size_t) const;
};
struct IndexWithoutOrder {
  std::size_t operator-(const IndexWithoutOrder&) const;
  IndexWithoutOrder operator+(std::size_t) const;
};
struct IndexWithoutDistance {
  bool operator<(const IndexWithoutDistance&) const;
  IndexWithoutDistance operator+(std::size_t) const;
};
struct IndexThatIsNotCopied : Index {
  IndexThatIsNotCopied(const IndexThatIsNotCopied&) = delete;
};

static_assert(Counts<int> && Counts<unsigned char> && Counts<const char*>);
static_assert(Counts<std::vector<int>::iterator>);
static_assert(Counts<Index>);
static_assert(Counts<IndexOfAnswers>);
static_assert(!For<IndexOfAnswers, IndexOfAnswers, TakesAll>);  // asks for more than a range does
static_assert(!Counts<IndexWithoutOrder>);
static_assert(!Counts<IndexWithoutDistance>);
static_assert(!Counts<IndexThatIsNotCopied>);
static_assert(!Counts<std::list<int>::iterator>);
static_assert(CountBoth<int, Index> && CountBoth<Index, long>);
static_assert(!CountBoth<int, IndexWithoutOrder> && !CountBoth<IndexWithoutDistance, int>);

// --- filters; the system's oneTBB does not tell yet

#if TBB_INTERFACE_VERSION >= 12200
template <typename In, typename Out, typename FilterOf>
concept Filters = requires(const FilterOf& body) {
  tbb::make_filter<In, Out>(tbb::filter_mode::parallel, body);
  tbb::filter<In, Out>(tbb::filter_mode::parallel, body);
};

static_assert(Filters<int, long, std::function<int(int)>>);
static_assert(Filters<int, long, int(int)>);
static_assert(Filters<int, void, std::function<void(const int&)>>);
static_assert(Filters<int, void, std::function<int(int)>>);
static_assert(Filters<void, int, std::function<int(tbb::flow_control&)>>);
static_assert(Filters<void, void, std::function<void(tbb::flow_control&)>>);
static_assert(Filters<std::unique_ptr<int>, int, std::function<int(std::unique_ptr<int>)>>);
static_assert(Filters<Index, bool, bool (Index::*)() const>);
static_assert(!Filters<int*, int, std::function<int(int)>>);
static_assert(!Filters<int, int*, std::function<int(int)>>);
static_assert(!Filters<void, int, std::function<int(int)>>);
static_assert(!Filters<int, int, std::function<int(tbb::flow_control&)>>);
static_assert(!Filters<int, void, TakesAllAndIsNotCopied>);
static_assert(!Filters<int, void, TakesAllButChanges>);
#endif

#endif

}  // namespace

// And those that are right are run.
int main() {
  std::vector<int> values = {3, 1, 2};
  tbb::parallel_sort(values);
  int sum = tbb::parallel_reduce(
      Range(0, 3), 0,
      [&values](const auto& part, int so_far) {
        for (int i = part.begin(); i != part.end(); ++i) {
          so_far += i * values[static_cast<std::size_t>(i)];
        }
        return so_far;
      },
      [](const int& a, const int& b) { return a + b; });
  sum += tbb::parallel_scan(
      Range(0, 3), 0, [](const auto& part, auto so_far, bool) { return so_far + part.end(); },
      [](auto a, auto b) { return a + b; }, tbb::auto_partitioner());
  tbb::parallel_for(0, 3, [&values](auto& i) { values[static_cast<std::size_t>(i)] += i; });
  tbb::parallel_for(0, 3, 2, [&values](int& i) { values[static_cast<std::size_t>(i)] += i; });
  tbb::parallel_for_each(values, [](auto& value) { ++value; });
  tbb::parallel_for(RangeOfAnswers(0, 3), [&values](const Range& part) {
    for (int i = part.begin(); i != part.end(); ++i) ++values[static_cast<std::size_t>(i)];
  });
  return sum >= 8 && values == std::vector<int>({3, 5, 9}) ? 0 : 1;
}

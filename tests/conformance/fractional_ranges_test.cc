// Ranges of values between which there is no whole number of items: their size is rounded down,
// and what is behind the last item is part of the range all the same.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using FractionalRangesTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, FractionalRangesTest, kLimits);

using Range = tbb::blocked_range<double>;
using Parts = std::vector<std::pair<double, double>>;

// All bounds are sums of a few powers of two, so that sums of parts are exact.
const std::vector<Range>& Ranges() {
  static const std::vector<Range> ranges{Range(0, 0.5),          Range(0, 1.5),
                                         Range(0.75, 3.25),      Range(-1.25, 9.5),
                                         Range(0, 1000.875, 50), Range(0, 0.25, 10)};
  return ranges;
}

// In their order, they are the range.
void ExpectAre(const Range& range, const Parts& parts) {
  double reached = range.begin();
  for (const auto& [begin, end] : parts) {
    EXPECT_EQ(begin, reached);
    reached = end;
  }
  EXPECT_EQ(reached, range.end());
}

// Calls f with each partitioner.
template <typename F>
void WithPartitioners(const F& f) {
  f(tbb::auto_partitioner());
  f(tbb::simple_partitioner());
  f(tbb::static_partitioner());
  tbb::affinity_partitioner affinity;
  f(affinity);
  f(affinity);
}

TEST_P(FractionalRangesTest, LoopsRunWhatIsBehindTheLastItem) {
  for (const Range& range : Ranges()) {
    WithPartitioners([&](auto&& partitioner) {
      std::mutex mutex;
      Parts parts;
      const auto note = [&](const Range& part) {
        const std::lock_guard<std::mutex> lock(mutex);
        parts.emplace_back(part.begin(), part.end());
      };
      tbb::parallel_for(range, note, partitioner);
      std::sort(parts.begin(), parts.end());
      ExpectAre(range, parts);
    });
  }
}

Parts AndThis(const Range& part, Parts parts) {
  parts.emplace_back(part.begin(), part.end());
  return parts;
}
Parts Both(Parts left, const Parts& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST_P(FractionalRangesTest, ReductionsHaveWhatIsBehindTheLastItem) {
  for (const Range& range : Ranges()) {
    WithPartitioners([&](auto&& partitioner) {
      ExpectAre(range, tbb::parallel_reduce(range, Parts(), AndThis, Both, partitioner));
    });
    ExpectAre(range, tbb::parallel_deterministic_reduce(range, Parts(), AndThis, Both,
                                                        tbb::simple_partitioner()));
    ExpectAre(range, tbb::parallel_deterministic_reduce(range, Parts(), AndThis, Both,
                                                        tbb::static_partitioner()));
  }
}

template <typename Partitioner>
void ExpectScans(const Range& range, const Partitioner& partitioner) {
  const auto scan = [&range](const Range& part, double sum, bool is_final) {
    if (is_final) {
      EXPECT_EQ(sum, part.begin() - range.begin());
    }
    return sum + (part.end() - part.begin());
  };
  const auto add = [](double left, double right) { return left + right; };
  EXPECT_EQ(tbb::parallel_scan(range, 0.0, scan, add, partitioner), range.end() - range.begin());
}

TEST_P(FractionalRangesTest, ScansHaveWhatIsBehindTheLastItem) {
  for (const Range& range : Ranges()) {
    ExpectScans(range, tbb::auto_partitioner());
    ExpectScans(range, tbb::simple_partitioner());
  }
}

// In 64ths.
std::size_t Units(const Range& side) {
  return static_cast<std::size_t>((side.end() - side.begin()) * 64);
}

TEST_P(FractionalRangesTest, AreasAndVolumesLoseNoEdge) {
  using Area = tbb::blocked_range2d<double>;
  using Volume = tbb::blocked_range3d<double>;
  WithPartitioners([](auto&& partitioner) {
    std::atomic<std::size_t> area{0};
    tbb::parallel_for(
        Area(0, 10.75, -0.5, 0.25),
        [&area](const Area& part) { area += Units(part.rows()) * Units(part.cols()); },
        partitioner);
    EXPECT_EQ(area, std::size_t{64} * 64 * 129 / 16);

    std::atomic<std::size_t> volume{0};
    tbb::parallel_for(
        Volume(0, 2.5, 0, 0.5, 1, 4.5),
        [&volume](const Volume& part) {
          volume += Units(part.pages()) * Units(part.rows()) * Units(part.cols());
        },
        partitioner);
    EXPECT_EQ(volume, std::size_t{64} * 64 * 64 * 35 / 8);
  });
}

}  // namespace

// A loop of `size` nanoseconds of work in 100 items against the same loop run
// serially, in turn: whether a small loop is ever slower for being parallel.
//
// "ratio" is parallel over serial; "ns" the parallel loop, "serial_ns" the other.
#ifndef FILCH_TOOLS_BENCH_LOOPS_GRAIN_H_
#define FILCH_TOOLS_BENCH_LOOPS_GRAIN_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"
#include "tools/bench/harness/work.h"
#include "tools/bench/loops/launch.h"

namespace bench {

constexpr std::size_t kGrainItems = 100;

// Values are medians of `batch` loops; before each the thread is busy for a while.
template <typename Loop>
void TimeGrain(Run& run, Loop& loop, int batch, double pause) {
  const auto steps = static_cast<std::uint32_t>(
      std::max(1.0, static_cast<double>(run.size()) * 1e-3 * kStepsPerMicrosecond / kGrainItems));
  std::array<std::uint64_t, kGrainItems> results{};
  // An item needs the result of the one that its thread ran before: a processor that ran short
  // ones one over the other would make a loop of 1 us one of 0.4, and a loop that is cut a tenth
  // shorter than one that is not.
  volatile std::uint32_t nothing = 0;
  const auto body = [&](std::size_t begin, std::size_t end) {
    static thread_local std::uint64_t before = 0;
    const std::uint32_t mask = nothing;
    std::uint64_t result = before;
    for (std::size_t i = begin; i != end; ++i) {
      result = Work(steps + (static_cast<std::uint32_t>(result) & mask));
      results[i] = result + i;
    }
    before = result;
  };
  const auto median = [&](auto&& once) {
    std::vector<double> times;
    for (int i = 0; i < batch; ++i) {
      if (pause > 0) BeBusyFor(pause);
      const Clock::time_point begin = Clock::now();
      once();
      times.push_back(NanosecondsSince(begin));
    }
    return Median(times);
  };
  loop.For(kGrainItems, body);
  for (long i = 0; i < run.repeat(); ++i) {
    const double serial = median([&] { body(0, kGrainItems); });
    results.fill(0);
    const double parallel = median([&] { loop.For(kGrainItems, body); });
    run.Record("ns", parallel);
    run.Record("serial_ns", serial);
    run.Record("ratio", parallel / serial);
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t result : results) sum = sum * 31 + result;
  run.Answer(static_cast<std::int64_t>(sum));
}

// Called back to back, for so long that what falls asleep during the serial loops is awake for
// most of the others.
template <typename Loop>
void TimeHotGrain(Run& run, Loop& loop) {
  TimeGrain(run, loop, static_cast<int>(std::clamp(2000000 / run.size(), 20L, 200L)), 0);
}

// Called once a millisecond: the pool has fallen asleep.
template <typename Loop>
void TimeColdGrain(Run& run, Loop& loop) {
  TimeGrain(run, loop, 5, 1e6);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_LOOPS_GRAIN_H_

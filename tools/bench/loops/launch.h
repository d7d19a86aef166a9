// What a loop costs that does nearly nothing: launched again at once, or after the
// calling thread did something else for a while.  The unit is a loop of `size`
// items.
#ifndef FILCH_TOOLS_BENCH_LOOPS_LAUNCH_H_
#define FILCH_TOOLS_BENCH_LOOPS_LAUNCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

// The calling thread is busy with something of its own.
inline void BeBusyFor(double nanoseconds) {
  const Clock::time_point begin = Clock::now();
  while (NanosecondsSince(begin) < nanoseconds) {
  }
}

template <typename Loop>
void Launch(Loop& loop, std::vector<std::uint32_t>& counts) {
  loop.For(counts.size(), [&counts](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i != end; ++i) ++counts[i];
  });
}

// The answer is how often each item was run, for one launch.
inline void AnswerLaunches(Run& run, const std::vector<std::uint32_t>& counts,
                           std::uint32_t launches) {
  const bool right = std::all_of(counts.begin(), counts.end(),
                                 [launches](std::uint32_t count) { return count == launches; });
  run.Answer(right ? "each item once" : "not each item once");
}

template <typename Loop>
void TimeHotLaunch(Run& run, Loop& loop) {
  constexpr int kBatch = 200;
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(run.size()));
  std::uint32_t launches = 0;
  run.Time(kBatch, [&] {
    for (int i = 0; i < kBatch; ++i) Launch(loop, counts);
    launches += kBatch;
  });
  AnswerLaunches(run, counts, launches);
}

template <int pause_in_microseconds, typename Loop>
void TimeColdLaunch(Run& run, Loop& loop) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(run.size()));
  std::uint32_t launches = 0;
  run.Time(
      1, [] { BeBusyFor(1000.0 * pause_in_microseconds); },
      [&] {
        Launch(loop, counts);
        ++launches;
      });
  AnswerLaunches(run, counts, launches);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_LOOPS_LAUNCH_H_

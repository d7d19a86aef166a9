// What a runtime burns when there is nothing to do.
//
// "first" is the processor time of the threads beside the main one in the 10 ms
// after a loop has ended, "later" in the 100 ms after those, both while the main
// thread sleeps; "busy" is the same while that one works for 50 ms serially.  In
// milliseconds for each second.
#ifndef FILCH_TOOLS_BENCH_LOOPS_IDLE_H_
#define FILCH_TOOLS_BENCH_LOOPS_IDLE_H_

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "tools/bench/harness/run.h"
#include "tools/bench/harness/work.h"
#include "tools/bench/loops/launch.h"

namespace bench {

// The processor time of the other threads of this process.
inline double MillisecondsOfOthers() {
  const auto milliseconds = [](clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
  };
  return milliseconds(CLOCK_PROCESS_CPUTIME_ID) - milliseconds(CLOCK_THREAD_CPUTIME_ID);
}

// What the other threads use during `wait`, in ms for each second of it.
template <typename Wait>
double Burned(Wait wait) {
  const Clock::time_point begin = Clock::now();
  const double before = MillisecondsOfOthers();
  wait();
  const double used = MillisecondsOfOthers() - before;
  // The clocks are not read at the same instant.
  return std::max(0.0, used * 1e9 / NanosecondsSince(begin));
}

// `loop` as in loops/loops.h.
template <typename Loop>
void TimeIdle(Run& run, Loop& loop) {
  std::uint64_t answer = 0;
  for (long i = 0; i < run.repeat(); ++i) {
    std::uint64_t results[64] = {};
    loop.For(64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j != end; ++j) results[j] = Work(20000);
    });
    for (const std::uint64_t result : results) answer = answer * 31 + result;
    run.Record("first", Burned([] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }));
    run.Record("later",
               Burned([] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }));
    run.Record("busy", Burned([] { BeBusyFor(5e7); }));
  }
  run.Answer(static_cast<std::int64_t>(answer));
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_LOOPS_IDLE_H_

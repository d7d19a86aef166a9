// What a runtime burns when there is nothing to do.
//
// "first" is the processor time of the threads beside the main one in the 10 ms
// after a loop has ended, "later" in the 100 ms after those, both while the main
// thread sleeps; "busy" is the same while that one works for 50 ms serially.  In
// milliseconds for each second.
#ifndef FILCH_TOOLS_BENCH_LOOPS_IDLE_H_
#define FILCH_TOOLS_BENCH_LOOPS_IDLE_H_

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include "tools/bench/harness/run.h"
#include "tools/bench/harness/work.h"
#include "tools/bench/loops/launch.h"

namespace bench {

// The processor time of the other threads of this process that exist now.  Each by
// its own clock: the one of the process lags behind for threads that run elsewhere,
// by what they used since the system's last tick, which is more than what we look
// for.
inline double MillisecondsOfOthers() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  double sum = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto id = static_cast<pid_t>(std::stol(thread.path().filename().string()));
    if (id == self) continue;
    // What pthread_getcpuclockid makes of a thread's number.
    const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(id) << 3 | 6u);
    timespec now;
    if (clock_gettime(clock, &now) != 0) continue;  // it has just ended
    sum += static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
  }
  return sum;
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

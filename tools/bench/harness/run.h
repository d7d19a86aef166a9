// Run: one run of one workload: what was asked for, and what came out.
//
// A workload is a function that gets a Run, calls Time (or Record, if it takes
// the time itself) and states its answer.  It registers itself under a name that
// is the same in the programs of all runtimes:
//
//   void Fib(Run& run) {
//     std::int64_t value = 0;
//     run.Time(1.0, [&] { value = ParallelFib(run.size()); });
//     run.Answer(value);
//   }
//   const Registration fib("fib", Fib);
//
// One thread.
#ifndef FILCH_TOOLS_BENCH_HARNESS_RUN_H_
#define FILCH_TOOLS_BENCH_HARNESS_RUN_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double NanosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

class Run {
 public:
  Run(long size, int threads, long repeat) : size_(size), threads_(threads), repeat_(repeat) {}

  long size() const { return size_; }
  int threads() const { return threads_; }
  long repeat() const { return repeat_; }

  // Calls `body` once to warm up and then repeat() times; each time is a value
  // of "ns", in nanoseconds for each of `units` units.  `prepare` is called before
  // each and not timed.
  template <typename Prepare, typename Body>
  void Time(double units, Prepare&& prepare, Body&& body) {
    prepare();
    body();
    for (long i = 0; i < repeat_; ++i) {
      prepare();
      const Clock::time_point begin = Clock::now();
      body();
      Record("ns", NanosecondsSince(begin) / units);
    }
  }
  template <typename Body>
  void Time(double units, Body&& body) {
    Time(
        units, [] {}, std::forward<Body>(body));
  }

  // One more value of a metric.
  void Record(const std::string& metric, double value);

  // What every runtime must agree on.
  void Answer(std::string answer) { answer_ = std::move(answer); }
  void Answer(std::int64_t answer) { answer_ = std::to_string(answer); }

  const std::string& answer() const { return answer_; }
  const std::vector<std::pair<std::string, std::vector<double>>>& metrics() const {
    return metrics_;
  }

 private:
  const long size_;
  const int threads_;
  const long repeat_;
  std::string answer_;
  std::vector<std::pair<std::string, std::vector<double>>> metrics_;
};

using Workload = void (*)(Run& run);

// Makes a workload known to the program it is linked into.
class Registration {
 public:
  Registration(const char* name, Workload workload);
};

// The middle of the values, or the value that a share of them does not exceed.
double Quantile(std::vector<double> values, double share);
inline double Median(std::vector<double> values) { return Quantile(std::move(values), 0.5); }

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_HARNESS_RUN_H_

// Tasks from threads that do not belong to the runtime: how long one takes to
// start, and how many fit into a second.
//
// A latency is taken `repeat` times: right after the one before, or when the pool
// has been idle for a while.  The unit of the throughput is a task, from the
// first submission until all `size` have run.
#ifndef FILCH_TOOLS_BENCH_SUBMIT_SUBMIT_H_
#define FILCH_TOOLS_BENCH_SUBMIT_SUBMIT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

// Gives way when the wait gets long: the machine may be crowded.
template <typename Condition>
void SpinUntil(Condition condition) {
  for (int looks = 0; !condition(); ++looks) {
    if (looks % 10000 == 9999) std::this_thread::yield();
  }
}

// submitter.Submit(f) starts f() soon, on another thread.
template <typename Submitter>
void TimeLatency(Run& run, Submitter& submitter, std::chrono::nanoseconds idle) {
  std::thread outside([&] {
    std::vector<double> latencies;
    std::atomic<std::int64_t> started{0};
    // A runtime that nothing has put to sleep is to be measured at work, not while it
    // touches its first memory.
    const long unmeasured = idle.count() > 0 ? 20 : 1000;
    for (long i = -unmeasured; i < run.repeat(); ++i) {
      if (idle.count() > 0) {
        std::this_thread::sleep_for(idle);
      } else {
        // The worker has returned from the task before, and looks for the next.
        const Clock::time_point now = Clock::now();
        SpinUntil([&] { return NanosecondsSince(now) > 2000; });
      }
      started.store(0, std::memory_order_relaxed);
      const Clock::time_point begin = Clock::now();
      submitter.Submit([&started] {
        started.store(Clock::now().time_since_epoch().count(), std::memory_order_release);
      });
      SpinUntil([&] { return started.load(std::memory_order_acquire) != 0; });
      const auto latency = std::chrono::nanoseconds(
          Clock::duration(started.load(std::memory_order_relaxed)) - begin.time_since_epoch());
      if (i >= 0) latencies.push_back(static_cast<double>(latency.count()));
    }
    for (const double latency : latencies) run.Record("ns", latency);
    run.Record("p99", Quantile(latencies, 0.99));
  });
  outside.join();
  run.Answer("all started");
}

template <typename Submitter>
void TimeThroughput(Run& run, Submitter& submitter, int threads) {
  const std::int64_t share = run.size() / threads;
  std::int64_t total = 0;
  std::atomic<std::int64_t> executed{0};
  run.Time(static_cast<double>(share * threads), [&] {
    executed.store(0, std::memory_order_relaxed);
    std::vector<std::thread> outside;
    for (int i = 0; i < threads; ++i) {
      outside.emplace_back([&] {
        for (std::int64_t task = 0; task < share; ++task) {
          submitter.Submit([&executed] { executed.fetch_add(1, std::memory_order_relaxed); });
        }
      });
    }
    for (std::thread& thread : outside) thread.join();
    SpinUntil([&] { return executed.load(std::memory_order_relaxed) == share * threads; });
    total = executed.load(std::memory_order_relaxed);
  });
  run.Answer(total);
}

// AlertSubmitter is the same where the runtime's threads shall be quick to start, at
// the cost of processor time; for a runtime that has no such choice, Submitter.
template <typename Submitter, typename AlertSubmitter = Submitter>
class SubmitRegistrations {
 private:
  template <typename Kind, int microseconds>
  static void Latency(Run& run) {
    Kind submitter(run.threads());
    TimeLatency(run, submitter, std::chrono::microseconds(microseconds));
  }
  template <int threads>
  static void Throughput(Run& run) {
    Submitter submitter(run.threads());
    TimeThroughput(run, submitter, threads);
  }

  Registration hot_{"submit_hot", Latency<Submitter, 0>};
  Registration after_1ms_{"submit_after_1ms", Latency<Submitter, 1000>};
  Registration after_10ms_{"submit_after_10ms", Latency<Submitter, 10000>};
  Registration alert_1ms_{"submit_alert_1ms", Latency<AlertSubmitter, 1000>};
  Registration alert_10ms_{"submit_alert_10ms", Latency<AlertSubmitter, 10000>};
  Registration one_{"submit_by_one", Throughput<1>};
  Registration two_{"submit_by_two", Throughput<2>};
};

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_SUBMIT_SUBMIT_H_

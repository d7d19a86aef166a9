// What a tbb::task costs: Fibonacci without a cut-off in the classic styles, and
// a million tasks spawned by one.
//
//   task_bench [n] [threads] [repetitions]
//
// Prints the median of ns per task; every call of fib counts as one task, and
// continuations do not count.  It is written for TBB 2020 and builds with it too.
#include <tbb/task.h>
#include <tbb/task_scheduler_init.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tools/bench/classic/fib_tasks.h"

namespace {

struct Nothing : tbb::task {
  tbb::task* execute() override { return nullptr; }
};

struct Spawner : tbb::task {
  explicit Spawner(int number) : count(number) {}
  tbb::task* execute() override {
    set_ref_count(count + 1);
    for (int i = 0; i < count; ++i) spawn(*new (allocate_child()) Nothing);
    wait_for_all();
    return nullptr;
  }
  const int count;
};

double Nanoseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

template <typename Work>
void Report(const char* name, double tasks, int repetitions, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(Nanoseconds(std::chrono::steady_clock::now() - begin) / tasks);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-12s %6.2f ns per task (least %.2f)\n", name, times[times.size() / 2], times[0]);
}

template <typename Fib>
void ReportFib(const char* name, int n, int repetitions) {
  double tasks = 1;
  double before = 1;
  for (int i = 2; i <= n; ++i) {
    const double next = tasks + before + 1;
    before = tasks;
    tasks = next;
  }
  Report(name, tasks, repetitions, [n] {
    const long sum = RunTree<Fib>(n);
    long a = 0;
    long b = 1;
    for (int i = 0; i < n; ++i) {
      const long next = a + b;
      a = b;
      b = next;
    }
    if (sum != a) std::abort();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 27;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 15;
  const tbb::task_scheduler_init init(threads);
  ReportFib<BlockingFib>("blocking", n, repetitions);
  ReportFib<ContinuationFib>("continuation", n, repetitions);
  ReportFib<BypassFib>("bypass", n, repetitions);
  ReportFib<RecyclingFib>("recycling", n, repetitions);
  constexpr int kMillion = 1000000;
  Report("spawn", kMillion, repetitions, [] {
    tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Spawner(kMillion));
  });
}

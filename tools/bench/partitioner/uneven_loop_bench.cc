// One loop, several distributions of work, every scheme in turn.
//
// Prints, for each distribution and cost of an item (1 ns to 1 ms; "real ns" is
// what the serial run took), the median over interleaved rounds of each scheme's
// time divided by perfect (total work / threads, taken from a serial run of the
// same round), and of stealing's time divided by that of the round's best scheme.
// OpenMP's team exists already; all others start their threads for each loop,
// which is part of the time.  Each round begins with another scheme, and nobody
// runs while the team of the one before still spins.
//
//   bazel run //tools/bench/partitioner:uneven_loop_bench -- [threads] [rounds]
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/partitioner/dynamic_partitioner.h"
#include "filch/partitioner/guided_partitioner.h"
#include "filch/partitioner/static_partitioner.h"
#include "filch/partitioner/stealing_range_partitioner.h"

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(const std::function<void()>& run) {
  const Clock::time_point begin = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A chain of dependent multiplications: no memory, no shared execution unit.
std::uint64_t Work(std::uint32_t steps) {
  std::uint64_t x = steps;
  for (std::uint32_t i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

double StepsPerNs() {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    volatile std::uint64_t sink = 0;
    best = std::max(best, 1e7 / (1e9 * Seconds([&sink] { sink = Work(10000000); })));
  }
  return best;
}

// The steps of each item; the mean item takes `ns`.
std::vector<std::uint32_t> Items(const std::string& distribution, int n, double ns, double rate) {
  std::vector<double> weight(static_cast<std::size_t>(n), 1.0);
  std::mt19937 random(1);
  for (int i = 0; i < n; ++i) {
    double& w = weight[static_cast<std::size_t>(i)];
    if (distribution == "linear") w = i;
    if (distribution == "first-1%") w = i < n / 100 ? 100.0 : 0.001;
    if (distribution == "pareto") {
      w = std::pow(std::uniform_real_distribution<>(1e-6, 1)(random), -1 / 1.5);
    }
    if (distribution == "one-1000x" && i == n / 3) w = 1000;
  }
  double sum = 0;
  for (double w : weight) sum += w;
  std::vector<std::uint32_t> steps;
  for (double w : weight) steps.push_back(static_cast<std::uint32_t>(w / sum * n * ns * rate));
  return steps;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// libgomp's threads spin for some milliseconds after a loop, on a cpu that the next
// scheme's threads need.
void WaitUntilNobodySpins() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

struct Scheme {
  const char* name;
  std::function<void()> run;
};

// Each partition in a thread; the calling thread takes the last.
template <typename Partitioner, typename Body>
void InThreads(const Partitioner& partitioner, unsigned threads, const Body& body) {
  auto partitions = partitioner.GetPartitions(threads);
  std::vector<std::thread> team;
  for (unsigned t = 0; t + 1 < threads; ++t) {
    team.emplace_back([&partition = partitions[t], &body] { partition.ForEach(body); });
  }
  partitions.back().ForEach(body);
  for (std::thread& thread : team) thread.join();
}

void Compare(const std::string& distribution, double ns, unsigned threads, int rounds,
             double rate) {
  // 40 ms of work, but enough items for every distribution.
  const int n = static_cast<int>(std::min(5e6, std::max(400.0, 4e7 / ns)));
  const std::vector<std::uint32_t> steps = Items(distribution, n, ns, rate);
  const auto body = [&steps](int i) {
    volatile std::uint64_t sink = Work(steps[static_cast<std::size_t>(i)]);
    (void)sink;
  };
  const int team = static_cast<int>(threads);
  const std::vector<Scheme> schemes = {
      {"serial",
       [&] {
         for (int i = 0; i < n; ++i) body(i);
       }},
      {"stealing", [&] { InThreads(filch::StealingRangePartitioner(0, n), threads, body); }},
      {"static", [&] { InThreads(filch::StaticPartitioner(0, n), threads, body); }},
      {"counter", [&] { InThreads(filch::DynamicPartitioner(0, n), threads, body); }},
      {"guided", [&] { InThreads(filch::GuidedPartitioner(0, n), threads, body); }},
      {"omp-static",
       [&] {
#pragma omp parallel for schedule(static) num_threads(team)
         for (int i = 0; i < n; ++i) body(i);
       }},
      {"omp-dynamic",
       [&] {
#pragma omp parallel for schedule(dynamic) num_threads(team)
         for (int i = 0; i < n; ++i) body(i);
       }},
      {"omp-guided",
       [&] {
#pragma omp parallel for schedule(guided) num_threads(team)
         for (int i = 0; i < n; ++i) body(i);
       }},
  };
  std::vector<double> serial_ns;
  std::vector<double> to_best;
  std::vector<std::vector<double>> ratio(schemes.size());
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> seconds(schemes.size());
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      const std::size_t s = (i + static_cast<std::size_t>(round)) % schemes.size();
      WaitUntilNobodySpins();
      seconds[s] = Seconds(schemes[s].run);
    }
    serial_ns.push_back(seconds[0] / n * 1e9);
    to_best.push_back(seconds[1] / *std::min_element(seconds.begin() + 1, seconds.end()));
    for (std::size_t s = 0; s < schemes.size(); ++s) {
      ratio[s].push_back(seconds[s] / (seconds[0] / threads));
    }
  }
  std::printf("%-10s %9.0f %10.1f", distribution.c_str(), ns, Median(serial_ns));
  for (std::size_t s = 1; s < schemes.size(); ++s) std::printf(" %11.3f", Median(ratio[s]));
  std::printf(" %13.3f\n", Median(to_best));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int wish = argc > 1 ? std::atoi(argv[1]) : 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  if (wish < 1 || rounds < 1 || argc > 3) {
    std::fprintf(stderr, "usage: uneven_loop_bench [threads] [rounds]\n");
    return 2;
  }
  const auto threads = static_cast<unsigned>(wish);
  const double rate = StepsPerNs();
  std::printf("%-10s %9s %10s %11s %11s %11s %11s %11s %11s %11s %13s\n", "items", "mean ns",
              "real ns", "stealing", "static", "counter", "guided", "omp-static", "omp-dynamic",
              "omp-guided", "stealing/best");
  for (const char* distribution : {"uniform", "linear", "first-1%", "pareto", "one-1000x"}) {
    for (double ns : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6}) {
      Compare(distribution, ns, threads, rounds, rate);
    }
  }
  return EXIT_SUCCESS;
}

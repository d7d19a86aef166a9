// One loop, several distributions of work, every scheme in turn.
//
// Prints, for each distribution and cost of an item, the median over interleaved
// rounds of each scheme's time divided by perfect (total work / threads, taken
// from a serial run of the same round).  OpenMP's team is warm; all others start
// their threads for each loop, which is part of the time.
//
//   bazel run //tools/bench/partitioner:uneven_loop_bench -- [threads] [rounds]
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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
  const int n = static_cast<int>(std::min(5e6, std::max(2000.0, 4e7 / ns)));
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
  std::vector<std::vector<double>> ratio(schemes.size());
  for (int round = 0; round < rounds; ++round) {
    double perfect = 0;
    for (std::size_t s = 0; s < schemes.size(); ++s) {
      const double seconds = Seconds(schemes[s].run);
      if (s == 0) perfect = seconds / threads;
      ratio[s].push_back(seconds / perfect);
    }
  }
  std::printf("%-10s %9.0f", distribution.c_str(), ns);
  for (std::size_t s = 1; s < schemes.size(); ++s) {
    std::nth_element(ratio[s].begin(), ratio[s].begin() + rounds / 2, ratio[s].end());
    std::printf(" %11.3f", ratio[s][static_cast<std::size_t>(rounds / 2)]);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const double rate = StepsPerNs();
  std::printf("%-10s %9s %11s %11s %11s %11s %11s %11s %11s\n", "items", "mean ns", "stealing",
              "static", "counter", "guided", "omp-static", "omp-dynamic", "omp-guided");
  for (const char* distribution : {"uniform", "linear", "first-1%", "pareto", "one-1000x"}) {
    for (double ns : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
      Compare(distribution, ns, threads, rounds, rate);
    }
  }
  return EXIT_SUCCESS;
}

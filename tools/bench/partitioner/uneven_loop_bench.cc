// One loop, several distributions of work, every scheme in turn.
//
// Prints, for each distribution and cost of an item (1 ns to 1 ms; "real ns" is
// what the serial run took), the median over interleaved rounds of each scheme's
// time divided by perfect (total work / threads, taken from a serial run of the
// same round), and stealing's median divided by the best one.
// Schemes are compared, not the starts of threads: every team is awake and spins,
// OpenMP's and the one of threads by hand.  Each round begins with another scheme,
// and nobody runs while the team of the one before still spins.
//
//   bazel run //tools/bench/partitioner:uneven_loop_bench -- [threads] [rounds] [distribution]
//   [mean ns]
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
#include "tools/bench/harness/spin_team.h"

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(const std::function<void()>& run) {
  const Clock::time_point begin = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A chain of dependent multiplications: no memory, no shared execution unit.  Not
// inlined: the same instructions at the same place for all schemes.
__attribute__((noinline)) std::uint64_t Work(std::uint32_t steps) {
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

// Where the large item of a round is: each scheme meets it early in some places and late
// in others, so another place in each round.
int PlaceOfLargeItem(int n, int round) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double turns = (round + 1) * kGoldenRatio;
  return static_cast<int>((turns - std::floor(turns)) * n);
}

// The steps of each item; the mean item takes `ns`.
std::vector<std::uint32_t> Items(const std::string& distribution, int n, double ns, double rate,
                                 int round) {
  std::vector<double> weight(static_cast<std::size_t>(n), 1.0);
  std::mt19937 random(1);
  for (int i = 0; i < n; ++i) {
    double& w = weight[static_cast<std::size_t>(i)];
    if (distribution == "linear") w = i;
    if (distribution == "first-1%") w = i < n / 100 ? 100.0 : 0.001;
    if (distribution == "pareto") {
      w = std::pow(std::uniform_real_distribution<>(1e-6, 1)(random), -1 / 1.5);
    }
    if (distribution == "one-1000x" && i == PlaceOfLargeItem(n, round)) w = 1000;
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

// Until the system has given every thread of a team a processor of its own.
void KeepBusy() {
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(10);
  while (Clock::now() < end) {
  }
}

// The seconds of one run, with a team that is awake.
struct Scheme {
  const char* name;
  std::function<double()> seconds;
};

// Each partition in a thread of a team that ends with the run.
template <typename Partitioner, typename Body>
double SecondsInTeam(int items, int threads, const Body& body) {
  bench::SpinTeam team(threads);
  team.Run([](int) { KeepBusy(); });
  return Seconds([&] {
    const Partitioner partitioner(0, items);
    auto partitions = partitioner.GetPartitions(static_cast<unsigned>(threads));
    team.Run([&](int thread) { partitions[static_cast<std::size_t>(thread)].ForEach(body); });
  });
}

// `run` is one OpenMP loop.
template <typename Run>
double SecondsInOpenMp(int threads, const Run& run) {
#pragma omp parallel num_threads(threads)
  {}
  return Seconds(run);
}

void Compare(const std::string& distribution, double ns, int threads, int rounds, double rate) {
  // 40 ms of work, but enough items for every distribution.
  const int n = static_cast<int>(std::min(5e6, std::max(400.0, 4e7 / ns)));
  std::vector<std::uint32_t> steps;
  const auto body = [&steps](int i) {
    // Used, though nobody looks at it; a store would be one to another place of the
    // stack in each scheme, which showed.
    const std::uint64_t result = Work(steps[static_cast<std::size_t>(i)]);
    asm volatile("" : : "r"(result));
  };
  const std::vector<Scheme> schemes = {
      {"serial",
       [&] {
         return Seconds([&] {
           for (int i = 0; i < n; ++i) body(i);
         });
       }},
      {"stealing",
       [&] { return SecondsInTeam<filch::StealingRangePartitioner<int>>(n, threads, body); }},
      {"static", [&] { return SecondsInTeam<filch::StaticPartitioner<int>>(n, threads, body); }},
      {"counter", [&] { return SecondsInTeam<filch::DynamicPartitioner<int>>(n, threads, body); }},
      {"guided", [&] { return SecondsInTeam<filch::GuidedPartitioner<int>>(n, threads, body); }},
      {"omp-static",
       [&] {
         return SecondsInOpenMp(threads, [&] {
#pragma omp parallel for schedule(static) num_threads(threads)
           for (int i = 0; i < n; ++i) body(i);
         });
       }},
      {"omp-dynamic",
       [&] {
         return SecondsInOpenMp(threads, [&] {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
           for (int i = 0; i < n; ++i) body(i);
         });
       }},
      {"omp-guided",
       [&] {
         return SecondsInOpenMp(threads, [&] {
#pragma omp parallel for schedule(guided) num_threads(threads)
           for (int i = 0; i < n; ++i) body(i);
         });
       }},
  };
  std::vector<double> serial_ns;
  std::vector<std::vector<double>> ratio(schemes.size());
  for (int round = 0; round < rounds; ++round) {
    steps = Items(distribution, n, ns, rate, round);
    std::vector<double> seconds(schemes.size());
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      const std::size_t s = (i + static_cast<std::size_t>(round)) % schemes.size();
      WaitUntilNobodySpins();
      seconds[s] = schemes[s].seconds();
    }
    serial_ns.push_back(seconds[0] / n * 1e9);
    for (std::size_t s = 0; s < schemes.size(); ++s) {
      ratio[s].push_back(seconds[s] / (seconds[0] / threads));
    }
  }
  std::printf("%-10s %9.0f %10.1f", distribution.c_str(), ns, Median(serial_ns));
  std::vector<double> medians;
  for (std::size_t s = 1; s < schemes.size(); ++s) {
    medians.push_back(Median(ratio[s]));
    std::printf(" %11.3f", medians.back());
  }
  std::printf(" %13.3f\n", medians[0] / *std::min_element(medians.begin(), medians.end()));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const std::string only = argc > 3 ? argv[3] : "";
  const double only_ns = argc > 4 ? std::atof(argv[4]) : 0;
  if (threads < 1 || rounds < 1 || only_ns < 0 || argc > 5) {
    std::fprintf(stderr, "usage: uneven_loop_bench [threads] [rounds] [distribution] [mean ns]\n");
    return 2;
  }
  const double rate = StepsPerNs();
  std::printf("%-10s %9s %10s %11s %11s %11s %11s %11s %11s %11s %13s\n", "items", "mean ns",
              "real ns", "stealing", "static", "counter", "guided", "omp-static", "omp-dynamic",
              "omp-guided", "stealing/best");
  for (const char* distribution : {"uniform", "linear", "first-1%", "pareto", "one-1000x"}) {
    if (!only.empty() && only != distribution) continue;
    for (double ns : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6}) {
      if (only_ns != 0 && only_ns != ns) continue;
      Compare(distribution, ns, threads, rounds, rate);
    }
  }
  return EXIT_SUCCESS;
}

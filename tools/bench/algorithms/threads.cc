#include "tools/bench/algorithms/algorithms.h"
#include "tools/bench/harness/spin_team.h"

namespace bench {
namespace {

void RunReduce(Run& run) {
  SpinTeam team(run.threads());
  const auto threads = static_cast<std::size_t>(run.threads());
  struct alignas(64) Share {
    double sum = 0;
  };
  std::vector<Share> shares(threads);
  TimeReduce(run, [&](const double* data, std::size_t n) {
    team.Run([&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      shares[i].sum = Sum(data + n * i / threads, data + n * (i + 1) / threads);
    });
    double sum = 0;
    for (const Share& share : shares) sum += share.sum;
    return sum;
  });
}

void RunScan(Run& run) {
  SpinTeam team(run.threads());
  TimeScan(run, [&](const double* in, double* out, std::size_t n) {
    TwoPassScan(in, out, n, static_cast<std::size_t>(run.threads()), [&](const auto& f) {
      team.Run([&f](int thread) { f(static_cast<std::size_t>(thread)); });
    });
  });
}

const Registration reduce("reduce", RunReduce);
const Registration scan("scan", RunScan);

}  // namespace
}  // namespace bench

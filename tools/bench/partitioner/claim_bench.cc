// What an index costs a lone owner, in cpu time, by batch size and way of consuming.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "filch/partitioner/stealing_range_partitioner.h"

namespace {

constexpr int kItems = 1 << 18;

// One partition, so nobody steals; batch 0 adapts.
auto Partitions(const benchmark::State& state) {
  return filch::StealingRangePartitioner(0, kItems, {1, static_cast<std::uint32_t>(state.range(0))})
      .GetPartitions(1);
}

void CountIndices(benchmark::State& state) {
  state.counters["per_index"] = benchmark::Counter(
      kItems, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void BM_ForEach(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t sum = 0;
    Partitions(state)[0].ForEach([&sum](int i) {
      std::uint64_t item = static_cast<std::uint64_t>(i);
      benchmark::DoNotOptimize(item);
      sum += item;
    });
    benchmark::DoNotOptimize(sum);
  }
  CountIndices(state);
}

void BM_ForEachInterval(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t sum = 0;
    Partitions(state)[0].ForEachInterval([&sum](int begin, int end) {
      for (int i = begin; i != end; ++i) {
        std::uint64_t item = static_cast<std::uint64_t>(i);
        benchmark::DoNotOptimize(item);
        sum += item;
      }
    });
    benchmark::DoNotOptimize(sum);
  }
  CountIndices(state);
}

void BM_RangeFor(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t sum = 0;
    auto partitions = Partitions(state);
    for (int i : partitions[0]) {
      std::uint64_t item = static_cast<std::uint64_t>(i);
      benchmark::DoNotOptimize(item);
      sum += item;
    }
    benchmark::DoNotOptimize(sum);
  }
  CountIndices(state);
}

void BM_Serial(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (int i = 0; i != kItems; ++i) {
      std::uint64_t item = static_cast<std::uint64_t>(i);
      benchmark::DoNotOptimize(item);
      sum += item;
    }
    benchmark::DoNotOptimize(sum);
  }
  CountIndices(state);
}

BENCHMARK(BM_Serial);
BENCHMARK(BM_ForEach)->Arg(1)->Arg(16)->Arg(64)->Arg(1024)->Arg(0);
BENCHMARK(BM_ForEachInterval)->Arg(1)->Arg(16)->Arg(64)->Arg(1024)->Arg(0);
BENCHMARK(BM_RangeFor)->Arg(1)->Arg(16)->Arg(64)->Arg(1024)->Arg(0);

}  // namespace

// parallel_reduce, parallel_deterministic_reduce and parallel_scan.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>

#include <functional>
#include <memory>
#include <vector>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

using Range = tbb::blocked_range<std::size_t>;

std::uint64_t SumOf(const Range& part, std::uint64_t sum, std::uint32_t steps) {
  for (std::size_t i = part.begin(); i != part.end(); ++i) sum += bench::Work(steps) + i;
  return sum;
}

template <typename Reduction>
void AddReduction(const char* kind, Reduction reduction) {
  AddGrid(kind, [=](std::size_t n, std::uint32_t steps) {
    return Call{[=] { return reduction(n, steps); }, {}};
  });
}

template <typename Partitioner>
void AddPartitioned(const char* kind) {
  AddGrid(kind, [](std::size_t n, std::uint32_t steps) {
    auto partitioner = std::make_shared<Partitioner>();
    return Call{[=] {
                  return tbb::parallel_reduce(
                      Range(0, n), std::uint64_t{0},
                      [=](const Range& part, std::uint64_t sum) { return SumOf(part, sum, steps); },
                      std::plus<>(), *partitioner);
                },
                {}};
  });
}

class SumBody {
 public:
  explicit SumBody(std::uint32_t steps) : steps_(steps) {}
  SumBody(SumBody& other, tbb::split) : steps_(other.steps_) {}
  void operator()(const Range& part) { sum_ = SumOf(part, sum_, steps_); }
  void join(SumBody& right) { sum_ += right.sum_; }
  std::uint64_t sum() const { return sum_; }

 private:
  const std::uint32_t steps_;
  std::uint64_t sum_ = 0;
};

void AddScan() {
  AddGrid("scan", [](std::size_t n, std::uint32_t steps) {
    auto sums = std::make_shared<std::vector<std::uint64_t>>(n);
    return Call{[=] {
                  const std::uint64_t total = tbb::parallel_scan(
                      Range(0, n), std::uint64_t{0},
                      [&](const Range& part, std::uint64_t sum, bool is_final) {
                        for (std::size_t i = part.begin(); i != part.end(); ++i) {
                          sum += bench::Work(steps) + i;
                          if (is_final) (*sums)[i] = sum;
                        }
                        return sum;
                      },
                      std::plus<>());
                  return total + (*sums)[n / 2];
                },
                {}};
  });
}

const Rows rows([] {
  AddReduction("reduce", [](std::size_t n, std::uint32_t steps) {
    return tbb::parallel_reduce(
        Range(0, n), std::uint64_t{0},
        [=](const Range& part, std::uint64_t sum) { return SumOf(part, sum, steps); },
        std::plus<>());
  });
  AddReduction("reduce_body", [](std::size_t n, std::uint32_t steps) {
    SumBody body(steps);
    tbb::parallel_reduce(Range(0, n), body);
    return body.sum();
  });
  AddPartitioned<tbb::simple_partitioner>("reduce_simple");
  AddPartitioned<tbb::static_partitioner>("reduce_static");
  AddPartitioned<tbb::affinity_partitioner>("reduce_affinity");
  AddReduction("reduce_deterministic", [](std::size_t n, std::uint32_t steps) {
    return tbb::parallel_deterministic_reduce(
        Range(0, n), std::uint64_t{0},
        [=](const Range& part, std::uint64_t sum) { return SumOf(part, sum, steps); },
        std::plus<>());
  });
  AddScan();
});

}  // namespace
}  // namespace sweep

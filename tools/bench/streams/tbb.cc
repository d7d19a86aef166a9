#include <tbb/combinable.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_pipeline.h>

#include <functional>

#include "tools/bench/streams/streams.h"

namespace bench {
namespace {

struct Streams {
  template <std::uint32_t kSteps>
  static std::int64_t Pipeline(std::int64_t size) {
    constexpr std::size_t kTokens = 16;
    std::int64_t fetched = 0;
    std::int64_t added = 0;
    std::int64_t sum = 0;
    tbb::parallel_pipeline(
        kTokens,
        tbb::make_filter<void, std::int64_t>(tbb::filter_mode::serial_in_order,
                                             [&](tbb::flow_control& control) -> std::int64_t {
                                               if (fetched == size) control.stop();
                                               return fetched++;
                                             }) &
            tbb::make_filter<std::int64_t, std::int64_t>(
                tbb::filter_mode::parallel,
                [](std::int64_t item) { return Digest<kSteps>(item); }) &
            tbb::make_filter<std::int64_t, void>(
                tbb::filter_mode::serial_in_order,
                [&](std::int64_t digest) { sum += digest * (added++ % 3); }));
    return sum;
  }

  static std::int64_t EachOnce(std::int64_t size) {
    tbb::combinable<std::int64_t> sums([] { return std::int64_t{0}; });
    tbb::parallel_for_each(Once(0), Once(size),
                           [&](std::int64_t item) { sums.local() += Digest<1>(item); });
    return sums.combine(std::plus<std::int64_t>());
  }
};

const StreamWorkloads<Streams> streams;

}  // namespace
}  // namespace bench

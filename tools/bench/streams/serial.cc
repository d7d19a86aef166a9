#include "tools/bench/streams/streams.h"

namespace bench {
namespace {

struct Streams {
  template <std::uint32_t kSteps>
  static std::int64_t Pipeline(std::int64_t size) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < size; ++i) sum += Digest<kSteps>(i) * (i % 3);
    return sum;
  }

  static std::int64_t EachOnce(std::int64_t size) {
    std::int64_t sum = 0;
    for (Once item(0); item != Once(size); ++item) sum += Digest<1>(*item);
    return sum;
  }
};

const StreamWorkloads<Streams> streams;

}  // namespace
}  // namespace bench

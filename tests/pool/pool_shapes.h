// The pools that every property of the scheduler is tested with: without
// workers, with few and with many more than cpus, and with threads that do not
// look around before they sleep.
#ifndef FILCH_TESTS_POOL_POOL_SHAPES_H_
#define FILCH_TESTS_POOL_POOL_SHAPES_H_

#include <chrono>
#include <ostream>
#include <string>

#include "filch/pool/pool.h"
#include "gtest/gtest.h"

namespace filch {

struct PoolShape {
  int concurrency;
  std::chrono::microseconds spin;

  friend std::ostream& operator<<(std::ostream& out, const PoolShape& shape) {
    return out << shape.concurrency << " threads, " << shape.spin.count() << " us of spin";
  }
};

// A fixture with a pool of the shape.
class PoolTest : public testing::TestWithParam<PoolShape> {
 public:
  static std::string Name(const testing::TestParamInfo<PoolShape>& info) {
    return std::to_string(info.param.concurrency) + "Threads" +
           (info.param.spin.count() == 0 ? "NoSpin" : "");
  }

 protected:
  PoolTest() : pool_(Options()) {}

  static PoolOptions Options() {
    PoolOptions options;
    options.concurrency = GetParam().concurrency;
    options.spin = GetParam().spin;
    return options;
  }

  Pool pool_;
};

#define FILCH_INSTANTIATE_POOL_TEST(Fixture)                                              \
  INSTANTIATE_TEST_SUITE_P(Pools, Fixture,                                                \
                           testing::Values(PoolShape{1, std::chrono::microseconds(50)},   \
                                           PoolShape{1, std::chrono::microseconds(0)},    \
                                           PoolShape{2, std::chrono::microseconds(50)},   \
                                           PoolShape{2, std::chrono::microseconds(0)},    \
                                           PoolShape{4, std::chrono::microseconds(50)},   \
                                           PoolShape{16, std::chrono::microseconds(0)},   \
                                           PoolShape{64, std::chrono::microseconds(50)}), \
                           Fixture::Name)

}  // namespace filch

#endif  // FILCH_TESTS_POOL_POOL_SHAPES_H_

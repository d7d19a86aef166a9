// ParallelismTest: the fixture of tests that must hold at every limit of
// parallelism.
//
// Each test runs with max_allowed_parallelism at 1, 2 and 4.  The limit of one
// is where programs hang that count on a second thread.
//
//   using ParallelForTest = ParallelismTest;
//   TEST_P(ParallelForTest, RunsEveryIndexOnce) { ... }
//   INSTANTIATE_TEST_SUITE_P(Limits, ParallelForTest, kLimits);
#ifndef FILCH_TESTS_CONFORMANCE_PARALLELISM_FIXTURE_H_
#define FILCH_TESTS_CONFORMANCE_PARALLELISM_FIXTURE_H_

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <cstddef>

#include "gtest/gtest.h"

class ParallelismTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t limit() const { return GetParam(); }

 private:
  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, GetParam()};
};

// There may be one cpu only.
inline bool HasNoWorkers(std::size_t limit) {
  return limit == 1 || tbb::info::default_concurrency() == 1;
}

inline const auto kLimits = testing::Values(std::size_t{1}, std::size_t{2}, std::size_t{4});

#endif  // FILCH_TESTS_CONFORMANCE_PARALLELISM_FIXTURE_H_

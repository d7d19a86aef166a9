// FakeClock: a clock that goes on by a microsecond when it is looked at.
#ifndef FILCH_TESTS_POOL_FAKE_CLOCK_H_
#define FILCH_TESTS_POOL_FAKE_CLOCK_H_

#include <chrono>

namespace filch {
namespace pool_internal {

struct FakeClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<FakeClock>;

  static time_point now() { return time_point(std::chrono::microseconds(looks++)); }
  static inline int looks = 0;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_TESTS_POOL_FAKE_CLOCK_H_

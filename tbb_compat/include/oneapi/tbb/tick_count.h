// tick_count: a moment, for measuring how long something took.
//
// The clock never goes backwards.  Moments are values; any thread.
//
//   tbb::tick_count start = tbb::tick_count::now();
//   ...
//   double seconds = (tbb::tick_count::now() - start).seconds();
#ifndef FILCH_TBB_COMPAT_TICK_COUNT_H_
#define FILCH_TBB_COMPAT_TICK_COUNT_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <chrono>

#include "detail/_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class tick_count {
 public:
  using clock_type = std::chrono::steady_clock;

  // The time between two moments, and what the standard library does with it.
  class interval_t : public clock_type::duration {
   public:
    interval_t() : interval_t(zero()) {}
    explicit interval_t(double seconds)
        : interval_t(std::chrono::duration_cast<clock_type::duration>(
              std::chrono::duration<double>(seconds))) {}

    double seconds() const { return std::chrono::duration<double>(*this).count(); }

    friend interval_t operator+(const interval_t& a, const interval_t& b) {
      return interval_t(clock_type::duration(a.count() + b.count()));
    }
    friend interval_t operator-(const interval_t& a, const interval_t& b) {
      return interval_t(clock_type::duration(a.count() - b.count()));
    }

   private:
    friend class tick_count;
    explicit interval_t(clock_type::duration length) : clock_type::duration(length) {}
  };

  // The epoch of the clock.
  tick_count() = default;

  static tick_count now() {
    tick_count moment;
    moment.moment_ = clock_type::now();
    return moment;
  }

  // The length of one tick in seconds.
  static double resolution() {
    return static_cast<double>(clock_type::period::num) /
           static_cast<double>(clock_type::period::den);
  }

  friend interval_t operator-(const tick_count& later, const tick_count& earlier) {
    return Between(earlier, later);
  }

 private:
  static interval_t Between(const tick_count& earlier, const tick_count& later) {
    return interval_t(later.moment_ - earlier.moment_);
  }

  clock_type::time_point moment_{};
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::tick_count;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TICK_COUNT_H_

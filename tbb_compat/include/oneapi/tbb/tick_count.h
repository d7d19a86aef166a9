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
  using Clock = std::chrono::steady_clock;

 public:
  // The time between two moments.
  class interval_t {
   public:
    interval_t() = default;
    explicit interval_t(double seconds)
        : length_(
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {
    }

    double seconds() const { return std::chrono::duration<double>(length_).count(); }

    interval_t& operator+=(const interval_t& other) {
      length_ += other.length_;
      return *this;
    }
    interval_t& operator-=(const interval_t& other) {
      length_ -= other.length_;
      return *this;
    }
    friend interval_t operator+(interval_t a, const interval_t& b) { return a += b; }
    friend interval_t operator-(interval_t a, const interval_t& b) { return a -= b; }

   private:
    friend class tick_count;
    explicit interval_t(Clock::duration length) : length_(length) {}

    Clock::duration length_{};
  };

  // The epoch of the clock.
  tick_count() = default;

  static tick_count now() {
    tick_count moment;
    moment.moment_ = Clock::now();
    return moment;
  }

  // The length of one tick in seconds.
  static double resolution() {
    return static_cast<double>(Clock::period::num) / static_cast<double>(Clock::period::den);
  }

  friend interval_t operator-(const tick_count& later, const tick_count& earlier) {
    return Between(earlier, later);
  }

 private:
  static interval_t Between(const tick_count& earlier, const tick_count& later) {
    return interval_t(later.moment_ - earlier.moment_);
  }

  Clock::time_point moment_{};
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

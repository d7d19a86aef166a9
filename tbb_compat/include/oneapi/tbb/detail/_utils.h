// Small helpers that programs take from oneTBB's detail namespace.
//
// Waiting with these spins; prefer tbb::mutex, or what std::atomic has in C++20.
#ifndef FILCH_TBB_COMPAT_DETAIL_UTILS_H_
#define FILCH_TBB_COMPAT_DETAIL_UTILS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "_assert.h"
#include "_config.h"
#include "_machine.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {

template <typename... Ts>
void suppress_unused_warning(Ts&&...) {}

// No cache line of any processor is longer.
inline constexpr std::size_t max_nfs_size = 128;

// Pauses longer and longer, and then lets others have the processor. One thread.
class atomic_backoff {
 public:
  atomic_backoff() = default;
  // Pauses at once.
  explicit atomic_backoff(bool) { pause(); }
  atomic_backoff(const atomic_backoff&) = delete;
  atomic_backoff& operator=(const atomic_backoff&) = delete;

  void pause() {
    if (!bounded_pause()) yield();
  }
  // False: it has paused for as long as makes sense.
  bool bounded_pause() {
    if (count_ > kMost) return false;
    machine_pause(count_);
    count_ *= 2;
    return true;
  }
  void reset() { count_ = 1; }

 private:
  static constexpr std::int32_t kMost = 16;

  std::int32_t count_ = 1;
};

// Waits while condition(value) is true; returns the first value for which it is not. The
// order is the strongest, whatever is asked for. Any thread.
template <typename T, typename Condition>
T spin_wait_while(const std::atomic<T>& location, const Condition& condition, std::memory_order) {
  atomic_backoff backoff;
  T value = location.load(std::memory_order_seq_cst);  // D1: what it was made with
  while (condition(value)) {
    backoff.pause();
    value = location.load(std::memory_order_seq_cst);  // D1: what it was made with
  }
  return value;
}
template <typename T, typename U>
T spin_wait_while_eq(const std::atomic<T>& location, const U& value,
                     std::memory_order order = std::memory_order_acquire) {
  return d0::spin_wait_while(
      location, [&value](const T& now) { return now == value; }, order);
}
template <typename T, typename U>
T spin_wait_until_eq(const std::atomic<T>& location, const U& value,
                     std::memory_order order = std::memory_order_acquire) {
  return d0::spin_wait_while(
      location, [&value](const T& now) { return !(now == value); }, order);
}

// Calls condition() until it is true, or for as long as it makes sense to spin; returns what it
// has returned last. Any thread.
template <typename Condition>
bool timed_spin_wait_until(Condition condition) {
  constexpr int kYields = 32;
  atomic_backoff backoff;
  bool is_met = condition();
  while (!is_met && backoff.bounded_pause()) is_met = condition();
  for (int i = 0; !is_met && i != kYields; ++i) {
    yield();
    is_met = condition();
  }
  return is_met;
}

// Of a positive number, rounded down.
template <typename Integer>
constexpr std::uintptr_t log2(Integer n) {
  return static_cast<std::uintptr_t>(63 - __builtin_clzll(static_cast<unsigned long long>(n)));
}

template <typename Integer>
constexpr bool is_power_of_two(Integer n) {
  static_assert(std::is_integral_v<Integer>, "only integers are powers of two");
  return n != 0 && (n & (n - 1)) == 0;
}

// Whether n, which is not 0, is a power of two, and `least`, which is one, or more.
template <typename Integer, typename Power>
constexpr bool is_power_of_two_at_least(Integer n, Power least) {
  static_assert(std::is_integral_v<Integer>, "only integers are powers of two");
  return (n & (n - static_cast<Integer>(least))) == 0;
}

// n modulo a power of two.
template <typename Integer, typename Power>
constexpr Integer modulo_power_of_two(Integer n, Power power) {
  return static_cast<Integer>(n & (static_cast<Integer>(power) - 1));
}

// `alignment` is a power of two.
template <typename T>
bool is_aligned(T* pointer, std::uintptr_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(pointer) & (alignment - 1)) == 0;
}

class no_assign {
 public:
  no_assign() = default;
  no_assign(const no_assign&) = default;
  void operator=(const no_assign&) = delete;
};

class no_copy : no_assign {
 public:
  no_copy() = default;
  no_copy(const no_copy&) = delete;
};

}  // namespace d0

namespace d1 {

// A function whose type its caller does not know.
class delegate_base {
 public:
  virtual ~delegate_base() = default;
  virtual bool operator()() const = 0;
};

// One that calls f(), which must outlive it.
template <typename F>
class delegated_function final : public delegate_base {
 public:
  explicit delegated_function(F& f) : f_(f) {}
  bool operator()() const override { return f_(); }

 private:
  F& f_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_UTILS_H_

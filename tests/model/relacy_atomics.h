// RelacyAtomics: the atomics of filch's lock-free templates, served by the
// Relacy race detector.
//
// Include it after everything else: Relacy's headers define `new`, `delete`,
// `assert` and more as macros, which this header takes back.  A model test is a
// plain program with no GoogleTest in it.
#ifndef FILCH_TESTS_MODEL_RELACY_ATOMICS_H_
#define FILCH_TESTS_MODEL_RELACY_ATOMICS_H_

#include <atomic>
//
#include <relacy/relacy.hpp>

#undef assert
#undef delete
#undef free
#undef new
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace filch {
namespace model {

inline rl::memory_order ToRelacy(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return rl::mo_relaxed;
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return rl::mo_acquire;
    case std::memory_order_release:
      return rl::mo_release;
    case std::memory_order_acq_rel:
      return rl::mo_acq_rel;
    case std::memory_order_seq_cst:
      return rl::mo_seq_cst;
  }
  return rl::mo_seq_cst;
}

// What a failed compare-exchange may order, given the order of a successful
// one; the rule of std::atomic's overload with one order.
inline std::memory_order FailureOrder(std::memory_order success) {
  if (success == std::memory_order_acq_rel) return std::memory_order_acquire;
  if (success == std::memory_order_release) return std::memory_order_relaxed;
  return success;
}

// The part of std::atomic's interface that production code uses; an order is
// always spelled out, so none is defaulted here.
template <typename T>
class Atomic {
 public:
  Atomic() : Atomic(T()) {}
  explicit Atomic(T value) { value_.store(value, rl::mo_relaxed, $); }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order) const { return value_.load(ToRelacy(order), $); }
  void store(T value, std::memory_order order) { value_.store(value, ToRelacy(order), $); }
  T exchange(T value, std::memory_order order) {
    return value_.exchange(value, ToRelacy(order), $);
  }
  T fetch_add(T value, std::memory_order order) {
    return value_.fetch_add(value, ToRelacy(order), $);
  }
  T fetch_sub(T value, std::memory_order order) {
    return value_.fetch_sub(value, ToRelacy(order), $);
  }
  T fetch_or(T value, std::memory_order order) {
    return value_.fetch_or(value, ToRelacy(order), $);
  }
  T fetch_and(T value, std::memory_order order) {
    return value_.fetch_and(value, ToRelacy(order), $);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
    return value_.compare_exchange_strong(expected, desired, ToRelacy(success), $,
                                          ToRelacy(failure), $);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) {
    return value_.compare_exchange_weak(expected, desired, ToRelacy(success), $, ToRelacy(failure),
                                        $);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order) {
    return compare_exchange_strong(expected, desired, order, FailureOrder(order));
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order) {
    return compare_exchange_weak(expected, desired, order, FailureOrder(order));
  }

 private:
  mutable rl::atomic<T> value_;
};

// A plain variable under Relacy's data-race detector.
template <typename T>
class Plain {
 public:
  Plain() : Plain(T()) {}
  Plain(T value) { value_($) = value; }  // NOLINT(google-explicit-constructor)
  Plain(const Plain& other) : Plain(static_cast<T>(other)) {}
  Plain& operator=(const Plain& other) { return *this = static_cast<T>(other); }
  Plain& operator=(T value) {
    value_($) = value;
    return *this;
  }
  operator T() const { return static_cast<T>(value_($)); }  // NOLINT(google-explicit-constructor)
  Plain& operator+=(T value) { return *this = static_cast<T>(*this) + value; }
  Plain& operator-=(T value) { return *this = static_cast<T>(*this) - value; }

 private:
  mutable rl::var<T> value_;
};

struct RelacyAtomics {
  template <typename T>
  using Atomic = model::Atomic<T>;
  template <typename T>
  using Plain = model::Plain<T>;
  static void SeqCstFence() { rl::atomic_thread_fence(rl::mo_seq_cst, $); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_RELACY_ATOMICS_H_

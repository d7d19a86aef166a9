// KeptResult: what a function returns, kept for somebody else to take.
//
//   KeptResult<R> result;
//   result.KeepOf(f);     // one thread, somewhere
//   return result.Take(); // another one, after it
//
// One thread at a time.
#ifndef FILCH_POOL_KEPT_RESULT_H_
#define FILCH_POOL_KEPT_RESULT_H_

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace filch {
namespace pool_internal {

template <typename R>
class KeptResult {
 public:
  // Calls f(), and keeps what it returns instead of what was kept before.  Throws what f throws.
  template <typename F>
  void KeepOf(F&& f) {
    result_.emplace(std::forward<F>(f)());
  }

  // What was kept; now nothing is.
  R Take() {
    const DropAtEnd drop_at_end{*this};
    return *std::move(result_);
  }
  void Drop() { result_.reset(); }

 private:
  struct DropAtEnd {
    KeptResult& kept;
    ~DropAtEnd() { kept.Drop(); }
  };

  std::optional<R> result_;
};

// Kept as the address of what it refers to.
template <typename R>
class KeptReference {
 public:
  template <typename F>
  void KeepOf(F&& f) {
    R result = std::forward<F>(f)();
    result_ = std::addressof(result);
  }
  R Take() { return static_cast<R>(*result_); }
  void Drop() {}

 private:
  std::remove_reference_t<R>* result_ = nullptr;
};
template <typename T>
class KeptResult<T&> : public KeptReference<T&> {};
template <typename T>
class KeptResult<T&&> : public KeptReference<T&&> {};

template <>
class KeptResult<void> {
 public:
  template <typename F>
  void KeepOf(F&& f) {
    std::forward<F>(f)();
  }
  void Take() {}
  void Drop() {}
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_KEPT_RESULT_H_

// The exceptions of TBB 2020.
//
// filch carries every exception from a task to the wait as it was thrown, so
// none of those that stand for another one (captured_exception,
// movable_exception) is ever thrown by filch; programs may throw and catch them.
#ifndef FILCH_TBB_COMPAT_TBB_EXCEPTION_H_
#define FILCH_TBB_COMPAT_TBB_EXCEPTION_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include "detail/_config.h"
#include "detail/_exception.h"

#define TBB_USE_CAPTURED_EXCEPTION 0

namespace tbb {

// A lock was used in a way that it does not allow.
class improper_lock : public std::exception {
 public:
  const char* what() const noexcept override { return "tbb: a lock was used improperly"; }
};

// A task_handle was run while it was running already.
class invalid_multiple_scheduling : public std::exception {
 public:
  const char* what() const noexcept override { return "tbb: a task_handle was run twice"; }
};

// An exception that can be kept and thrown again elsewhere.
class tbb_exception : public std::exception {
 public:
  // A copy on the heap, which takes the content of this one.
  virtual tbb_exception* move() noexcept = 0;
  // Deletes what move() has made.
  virtual void destroy() noexcept = 0;
  // Throws a copy.
  virtual void throw_self() = 0;
  // The name of the type of the original exception.
  virtual const char* name() const noexcept = 0;
  const char* what() const noexcept override = 0;
};

// Stands for an exception of which only the name and the text are known.
class captured_exception : public tbb_exception {
 public:
  captured_exception(const char* name, const char* info) { set(name, info); }
  // One on the heap, for destroy().
  static captured_exception* allocate(const char* name, const char* info) {
    return new captured_exception(name, info);
  }

  captured_exception* move() noexcept override {
    return new (std::nothrow) captured_exception(std::move(*this));
  }
  void destroy() noexcept override { delete this; }
  void throw_self() override;
  const char* name() const noexcept override { return name_.c_str(); }
  const char* what() const noexcept override { return info_.c_str(); }

  void set(const char* name, const char* info) {
    name_ = name != nullptr ? name : "";
    info_ = info != nullptr ? info : "";
  }
  void clear() { set(nullptr, nullptr); }

 private:
  std::string name_;
  std::string info_;
};

// Carries data of the program's own.
template <typename Data>
class movable_exception : public tbb_exception {
 public:
  explicit movable_exception(const Data& data) : data_(data) {}

  Data& data() noexcept { return data_; }
  const Data& data() const noexcept { return data_; }

  movable_exception* move() noexcept override {
    return new (std::nothrow) movable_exception(std::move(*this));
  }
  void destroy() noexcept override { delete this; }
#ifdef __cpp_exceptions
  void throw_self() override { throw *this; }
#else
  void throw_self() override { std::terminate(); }
#endif
#ifdef __cpp_rtti
  const char* name() const noexcept override { return typeid(*this).name(); }
#else
  const char* name() const noexcept override { return what(); }
#endif
  const char* what() const noexcept override { return "tbb::movable_exception"; }

 private:
  Data data_;
};

}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TBB_EXCEPTION_H_

// task_handle: a task that was made and not yet run.
//
// task_group::defer makes it; run() or task_arena::enqueue takes it. Its group
// counts it as unfinished until it has run or the handle is gone. It moves like
// a std::unique_ptr; one thread at a time.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_HANDLE_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_HANDLE_H_

#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

#include "_assert.h"
#include "_config.h"
#include "_task_group_context.h"
#include "filch/pool/arena.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {

// A deferred task, on the heap.
class DeferredTask : public filch::Task {
 public:
  filch::WaitGroup& group() const { return group_; }
  // Destroys a task that the scheduler does not have.
  void Discard() { discard_(*this); }

 protected:
  using DiscardFunction = void (*)(DeferredTask&);
  DeferredTask(Function run, DiscardFunction discard, filch::WaitGroup& group)
      : Task(run, &group.context()), discard_(discard), group_(group) {}
  ~DeferredTask() = default;

 private:
  const DiscardFunction discard_;
  filch::WaitGroup& group_;
};

template <typename F>
class DeferredTaskOf final : public DeferredTask {
 public:
  template <typename Source>
  DeferredTaskOf(filch::WaitGroup& group, Source&& f)
      : DeferredTask(&DeferredTaskOf::RunAndCount, &DeferredTaskOf::Delete, group),
        f_(std::forward<Source>(f)) {}

 private:
  static filch::Task* RunAndCount(filch::Task& task, filch::Execution& execution) noexcept {
    auto* const self = static_cast<DeferredTaskOf*>(&task);
    filch::WaitGroup& group = self->group();
    if (!execution.cancelled) {
      try {
        self->f_();
      } catch (...) {
        group.context().CaptureCurrentException();
      }
    }
    delete self;
    group.Done(execution);
    return nullptr;
  }
  static void Delete(DeferredTask& task) { delete static_cast<DeferredTaskOf*>(&task); }

  const F f_;
};

class task_handle {
 public:
  task_handle() = default;
  task_handle(task_handle&& other) noexcept : task_(std::exchange(other.task_, nullptr)) {}
  task_handle& operator=(task_handle&& other) noexcept {
    if (this != &other) {
      Drop();
      task_ = std::exchange(other.task_, nullptr);
    }
    return *this;
  }
  ~task_handle() { Drop(); }

  explicit operator bool() const noexcept { return task_ != nullptr; }

  friend bool operator==(const task_handle& handle, std::nullptr_t) noexcept { return !handle; }
  friend bool operator==(std::nullptr_t, const task_handle& handle) noexcept { return !handle; }
  friend bool operator!=(const task_handle& handle, std::nullptr_t) noexcept {
    return handle.task_ != nullptr;
  }
  friend bool operator!=(std::nullptr_t, const task_handle& handle) noexcept {
    return handle.task_ != nullptr;
  }

 private:
  friend class HandleAccess;
  explicit task_handle(DeferredTask& task) : task_(&task) {}

  void Drop() {
    if (task_ == nullptr) return;
    filch::WaitGroup& group = task_->group();
    std::exchange(task_, nullptr)->Discard();
    group.Withdraw();
  }

  DeferredTask* task_ = nullptr;
};

// What task_group and task_arena do with a handle.
class HandleAccess {
 public:
  template <typename F, typename Source>
  static task_handle Make(filch::WaitGroup& group, Source&& f) {
    auto* const task = new DeferredTaskOf<F>(group, std::forward<Source>(f));
    group.Add();
    return task_handle(*task);
  }

  static void Check(const task_handle& handle, [[maybe_unused]] const filch::WaitGroup& group) {
    __TBB_ASSERT_RELEASE(handle.task_ != nullptr, "an empty task_handle was run");
    __TBB_ASSERT(&handle.task_->group() == &group, "a task_handle was run by another task_group");
  }

  // The handle is empty afterwards; if memory is short it keeps its task.
  static void Spawn(task_handle& handle) {
    DeferredTask& task = *handle.task_;
    task.group().Spawn(task);
    handle.task_ = nullptr;
  }

  static void Enqueue(task_handle& handle, filch::Arena& arena) {
    __TBB_ASSERT_RELEASE(handle.task_ != nullptr, "an empty task_handle was enqueued");
    arena.Enqueue(*std::exchange(handle.task_, nullptr));
  }

  // Calls f(); if it returns a handle with a task, that task is started.
  template <typename F>
  static void CallAndRunResult(const F& f) {
    if constexpr (std::is_same_v<std::decay_t<decltype(f())>, task_handle>) {
      task_handle next = f();
      if (next) Spawn(next);
    } else {
      f();
    }
  }
};

// What a task calls: the program's functor, moved or copied here once. A handle that it
// returns is run, if it has a task.
template <typename F>
class TaskFunction {
 public:
  template <typename Source,
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<Source>, TaskFunction>>>
  explicit TaskFunction(Source&& f) : f_(std::forward<Source>(f)) {}

  void operator()() const {
    try {
      HandleAccess::CallAndRunResult(f_);
    } catch (...) {
      r1::EndIfExceptionsTerminate();
      throw;
    }
  }

 private:
  F f_;
};

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_HANDLE_H_

// task_handle: a task that was made and not yet run.
//
// task_group::defer makes it; run() or task_arena::enqueue takes it. Its group
// counts it as unfinished until it has run or the handle is gone. It moves like
// a std::unique_ptr; one thread at a time.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_HANDLE_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_HANDLE_H_

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "_assert.h"
#include "_config.h"
#include "_deferred_task.h"
#include "_run_guarded.h"
#include "filch/pool/arena.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {

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
    if (task_ != nullptr) std::exchange(task_, nullptr)->Drop();
  }

  DeferredTask* task_ = nullptr;
};

// Stands for the end of a task that a handle has or had: the task may have run, and the
// handle be gone. Copies stand for the same task; one thread at a time for each of them.
// Not part of oneTBB's interface yet: define TBB_PREVIEW_TASK_GROUP_EXTENSIONS.
class task_completion_handle {
 public:
  // For no task.
  task_completion_handle() = default;
  // For the task of a handle that has one. Throws std::bad_alloc.
  task_completion_handle(const task_handle& handle);
  task_completion_handle& operator=(const task_handle& handle) {
    return *this = task_completion_handle(handle);
  }

  explicit operator bool() const noexcept { return completion_ != nullptr; }

  // Whether both are for the same task, or for none.
  friend bool operator==(const task_completion_handle& a,
                         const task_completion_handle& b) noexcept {
    return a.completion_ == b.completion_;
  }
  friend bool operator!=(const task_completion_handle& a,
                         const task_completion_handle& b) noexcept {
    return !(a == b);
  }
  friend bool operator==(const task_completion_handle& handle, std::nullptr_t) noexcept {
    return !handle;
  }
  friend bool operator==(std::nullptr_t, const task_completion_handle& handle) noexcept {
    return !handle;
  }
  friend bool operator!=(const task_completion_handle& handle, std::nullptr_t) noexcept {
    return handle.completion_ != nullptr;
  }
  friend bool operator!=(std::nullptr_t, const task_completion_handle& handle) noexcept {
    return handle.completion_ != nullptr;
  }

 private:
  friend class HandleAccess;

  std::shared_ptr<TaskCompletion> completion_;
};

// What task_group and task_arena do with a handle.
class HandleAccess {
 public:
  template <typename F, typename Source>
  static task_handle Make(task_group& owner, filch::WaitGroup& tasks, Source&& f) {
    auto* const task = d1::small_object_allocator().new_object<DeferredTaskOf<F>>(
        owner, tasks.context(), std::forward<Source>(f));
    tasks.Add();
    return task_handle(*task);
  }

  static void Check(const task_handle& handle, [[maybe_unused]] const task_group& owner) {
    __TBB_ASSERT_RELEASE(handle.task_ != nullptr, "an empty task_handle was run");
    __TBB_ASSERT(&handle.task_->owner() == &owner, "a task_handle was run by another task_group");
  }

  static void Spawn(task_handle& handle) {
    LetGo(handle, [](DeferredTask& task) { task.Spawn(); });
  }

  static void Enqueue(task_handle& handle, filch::Arena& arena) {
    __TBB_ASSERT_RELEASE(handle.task_ != nullptr, "an empty task_handle was enqueued");
    LetGo(handle, [&arena](DeferredTask& task) { task.Enqueue(arena); });
  }

  // Whom task_completion_handle(handle) stands for. Throws std::bad_alloc.
  static std::shared_ptr<TaskCompletion> CompletionOf(const task_handle& handle) {
    __TBB_ASSERT_RELEASE(handle.task_ != nullptr,
                         "the completion of an empty task_handle was asked for");
    return handle.task_->Completion();
  }

  // What task_group's members of these names do.
  static void SetOrder(const task_handle& before, const task_handle& after) {
    __TBB_ASSERT_RELEASE(before.task_ != nullptr && after.task_ != nullptr,
                         "the order of an empty task_handle was set");
    before.task_->Completion()->Precede(*after.task_);
  }
  static void SetOrder(const task_completion_handle& before, const task_handle& after) {
    __TBB_ASSERT_RELEASE(before != nullptr, "the order of an empty task_completion_handle was set");
    __TBB_ASSERT_RELEASE(after.task_ != nullptr, "the order of an empty task_handle was set");
    before.completion_->Precede(*after.task_);
  }
  // Waits for the end of a task, whose group must last so long; whether it ran to its end.
  static bool Wait(const task_completion_handle& handle) {
    __TBB_ASSERT_RELEASE(handle != nullptr, "an empty task_completion_handle was waited for");
    return handle.completion_->Wait();
  }
  static TaskCompletion::State StateOf(const task_completion_handle& handle) {
    __TBB_ASSERT_RELEASE(handle != nullptr,
                         "the status of an empty task_completion_handle was asked for");
    return handle.completion_->state();
  }

  static void TransferCompletion(const task_handle& heir) {
    __TBB_ASSERT_RELEASE(heir.task_ != nullptr,
                         "a completion was transferred to an empty task_handle");
    DeferredTask::PassOnCompletions(*heir.task_);
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

 private:
  // Calls start(task). If memory is short the handle keeps its task.
  template <typename Start>
  static void LetGo(task_handle& handle, const Start& start) {
    // Empty before the task can run: who waits for the task may then destroy the handle.
    DeferredTask& task = *std::exchange(handle.task_, nullptr);
    FILCH_TRY { start(task); }
    FILCH_CATCH_ALL {
      handle.task_ = &task;
      FILCH_RETHROW;
    }
  }
};

inline task_completion_handle::task_completion_handle(const task_handle& handle)
    : completion_(HandleAccess::CompletionOf(handle)) {}

// What a task calls: the program's functor, moved or copied here once. A handle that it
// returns is run, if it has a task.
template <typename F>
class TaskFunction {
 public:
  template <typename Source,
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<Source>, TaskFunction>>>
  explicit TaskFunction(Source&& f) : f_(std::forward<Source>(f)) {}

  void operator()() const { HandleAccess::CallAndRunResult(f_); }

 private:
  F f_;
};

// The same for a task of a group; an exception that nobody is to hear of stays inside. The
// functor is moved or copied once or twice more with this, on its way into the task.
template <typename F>
class GroupFunction : private TaskFunction<F> {
 public:
  template <typename Source,
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<Source>, GroupFunction>>>
  explicit GroupFunction(Source&& f) : TaskFunction<F>(std::forward<Source>(f)) {}

  void operator()() const {
    d1::RunGuarded([this] { TaskFunction<F>::operator()(); });
  }
};

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_HANDLE_H_

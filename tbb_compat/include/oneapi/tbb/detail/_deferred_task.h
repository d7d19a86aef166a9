// DeferredTask: a task that its owner starts later, and TaskCompletion: what others know
// of its end.
//
// A task starts when its owner has let go of it and every task that was put before it is
// over. A task is over when it has run, or when it is sure that it never will: it was
// dropped, or its group was cancelled. Who asks for none of that pays one store.
//
// Memory ordering: what a task did before it was over is visible to those that come after,
// and to whoever knows that it is over.
#ifndef FILCH_TBB_COMPAT_DETAIL_DEFERRED_TASK_H_
#define FILCH_TBB_COMPAT_DETAIL_DEFERRED_TASK_H_

#include <exception>
#include <memory>
#include <utility>

#include "_config.h"
#include "_sleeping_lock.h"
#include "_small_object_pool.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/catch_all.h"
#include "filch/topology/plain_vector.h"

namespace tbb {

class task_group;

namespace detail {
inline namespace filch_1 {
namespace d2 {

class DeferredTask;

// Whether a task is over, and who waits for that: threads, and tasks that come after it.
// Shared by the task and the handles that look at it, because the task may be gone long
// before them.
class TaskCompletion {
 public:
  // Of a task of the group.
  explicit TaskCompletion(filch::WaitGroup& group) : group_(group) {}

  enum class State {
    kNotOver,
    kRan,     // to its end
    kFailed,  // it threw, or never ran
  };

  // `successor`, whose owner has not let go of it, starts when this is over too. Throws
  // std::bad_alloc. Any thread.
  void Precede(DeferredTask& successor);

  // Any thread.
  State state() const;
  // Waits until it is over, and runs tasks meanwhile, those of its group wherever they
  // are; the group must last so long. True if it ran to its end; if not, throws what it threw, or
  // the exception for which it did not run. Any thread, several at once.
  bool Wait();

 private:
  friend class DeferredTask;
  friend class ReadyTasks;

  // A thread that waits, on its stack.
  struct Waiter {
    filch::WaitGroup end;  // one task: the end of this one
    Waiter* next = nullptr;
  };

  // How it ended, and the exception that was on its way.
  struct Ending {
    State state;
    std::exception_ptr exception;
  };

  // Before it is over: what it has thrown. Any thread.
  void KeepException(std::exception_ptr exception) noexcept;
  // Once: it is over. An exception that was kept goes before that of the ending. Those
  // that come after it, which nobody has told; the threads have been told. Any thread.
  filch::PlainVector<DeferredTask*> Finish(const Ending& ending) noexcept;
  // Whether the waiter is to wait.
  bool Enlist(Waiter& waiter);

  filch::WaitGroup& group_;
  mutable d1::SleepingLock lock_;
  State state_ = State::kNotOver;                 // guarded by lock_
  std::exception_ptr exception_;                  // guarded by lock_
  Waiter* waiters_ = nullptr;                     // guarded by lock_
  filch::PlainVector<DeferredTask*> successors_;  // guarded by lock_
};

// All that a task is to finish: its own, and those that other tasks passed on to it.
using TaskCompletions = filch::PlainVector<std::shared_ptr<TaskCompletion>>;

// A task in the memory that tasks come from, or in its own if it is large. It counts as its own
// predecessor until its owner lets go of it.
class DeferredTask : public filch::Task {
 public:
  // Of which it is a task.
  const task_group& owner() const { return owner_; }

  // What others may wait for; made when somebody asks. Throws std::bad_alloc. Any
  // thread, while the owner has not let go.
  std::shared_ptr<TaskCompletion> Completion();

  // The owner lets go, with the last call that it makes.  If it is to run, its group is bound
  // as by task_group::run; if that throws std::bad_alloc, the owner still has it.
  //
  // It is to run on this thread's deque, or where its last predecessor ended. Throws likewise.
  void Spawn();
  // It is to run in the arena, behind what is enqueued there.
  void Enqueue(filch::Arena& arena);
  // It will not run.
  void Drop() noexcept;

  // The calling task leaves it to `heir`, whose owner has not let go of it, to finish
  // what comes after it. Nothing happens in a task that nobody can wait for. Throws
  // std::bad_alloc. Any thread.
  static void PassOnCompletions(DeferredTask& heir);

 protected:
  using Discard = void (*)(DeferredTask&);
  // `context` is that of the group.
  DeferredTask(Function run, Discard discard, task_group& owner, filch::Context& context)
      : Task(run, &context, nullptr, 1), discard_(discard), owner_(owner) {}
  ~DeferredTask() = default;

  // What the task's function does: calls `body()`, which may throw, and ends the task.
  template <typename Body>
  filch::Task* RunAndFinish(filch::Execution& execution, const Body& body) noexcept {
    if (!execution.cancelled) {
      const Running running(*this);
      FILCH_TRY {
        body();
        ran_ = true;
      }
      FILCH_CATCH_ALL { CaptureException(); }
    }
    return Finish(execution);
  }

 private:
  friend class ReadyTasks;

  enum class Start { kSpawn, kEnqueue, kDrop };

  // What counts the tasks of the group.
  filch::WaitGroup& group() const;

  // While it exists, the task is the innermost deferred one of the calling thread.
  class Running {
   public:
    explicit Running(DeferredTask& task);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    DeferredTask* const outer_;
  };

  // What those who wait for it are to hear. While its group counts it.
  TaskCompletion::Ending HowItEnds() const;
  // The body has thrown what the calling thread handles.
  void CaptureException() noexcept;
  // The task is gone; what may run next on this thread, or null.
  filch::Task* Finish(filch::Execution& execution) noexcept;

  // How it starts, when nothing comes before it any more; set by the owner.
  Start start_ = Start::kSpawn;
  bool ran_ = false;                 // to its end
  bool has_own_completion_ = false;  // guarded by lock_
  d1::SleepingLock lock_;
  const Discard discard_;
  task_group& owner_;
  filch::Arena* arena_ = nullptr;  // for kEnqueue
  // Its own first, if it has one. Guarded by lock_ while there is an owner.
  TaskCompletions completions_;
};

template <typename F>
class DeferredTaskOf final : public DeferredTask {
 public:
  template <typename Source>
  DeferredTaskOf(task_group& owner, filch::Context& context, Source&& f)
      : DeferredTask(&DeferredTaskOf::RunHere, &DeferredTaskOf::Delete, owner, context),
        f_(std::forward<Source>(f)) {}

 private:
  static filch::Task* RunHere(filch::Task& task, filch::Execution& execution) noexcept {
    auto& self = static_cast<DeferredTaskOf&>(task);
    return self.RunAndFinish(execution, self.f_);
  }
  static void Delete(DeferredTask& task) {
    d1::small_object_allocator().delete_object(static_cast<DeferredTaskOf*>(&task));
  }

  const F f_;
};

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_DEFERRED_TASK_H_

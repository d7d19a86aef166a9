// ForkJoinTask: a computation that is started now and asked for its result
// later, as an object of the user's.
//
// Derive from it and say in Compute() what is to be computed.  Fork() makes it
// available to other threads, Join() gives its result or throws what it threw.
// The names and their meaning are those of Java's RecursiveTask (ForkJoinTask);
// unlike there, the object belongs to the caller, is joined once for each Fork,
// and gives its result away.  Nothing is allocated.
//
//   class Fib final : public filch::ForkJoinTask<std::int64_t> {
//    public:
//     explicit Fib(int n) : n_(n) {}
//     std::int64_t Compute() override {
//       if (n_ < 2) return n_;
//       Fib a(n_ - 1), b(n_ - 2);
//       InvokeAll(a, b);
//       return a.Join() + b.Join();
//     }
//    private:
//     const int n_;
//   };
//   const std::int64_t fib = Fib(30).Invoke();
//
// Use it where starting and asking lie apart, or where the computation has a
// state worth a class; for functions that start and end together Join
// (pool/join.h) is cheaper, and TaskGroup takes any number of them.
//
// Who may call: Fork, Join and InvokeAll any thread, one at a time for each task;
// IsDone any thread.  Who joins in another arena than the one where Fork was
// called goes there to help, so a join makes progress in a pool without workers.
// Inside Isolate, join what was forked inside.
//
// A task that is forked must be joined before it is destroyed, or the process
// ends with a sentence: a thief may be using it.  InvokeAll is the way to do
// without that care when something between Fork and Join may throw.  A task is
// computed even if its context was cancelled, for Join owes a result; long
// computations ask CurrentContext() themselves.
//
// Memory ordering: what a thread did before Fork is visible to Compute, and what
// Compute did after Join, and after an IsDone that said true.
//
// After D. Lea, "A Java Fork/Join Framework" (2000).
#ifndef FILCH_POOL_FORK_JOIN_TASK_H_
#define FILCH_POOL_FORK_JOIN_TASK_H_

#include <cstddef>
#include <initializer_list>

#include "filch/pool/arena.h"
#include "filch/pool/join.h"
#include "filch/pool/kept_result.h"
#include "filch/pool/task.h"

namespace filch {

namespace pool_internal {

// What does not depend on the result's type.
class ForkedTask : public JoinTask {
 protected:
  enum class Phase {
    kIdle,      // not forked, or joined
    kForked,    // the scheduler may have it
    kComputed,  // by InvokeAll; the result waits for Join
  };

  ForkedTask() : JoinTask(&ForkedTask::RunStolen, nullptr) {}
  ~ForkedTask() {
    if (__builtin_expect(phase_ == Phase::kForked, 0)) FailDestroyed();
  }

  // Calls Compute and keeps what it returns.
  virtual void ComputeAndKeep() = 0;
  // Forgets what was kept.
  virtual void DropResult() = 0;

  void Start();
  // The task is forked and will not be from now on.  True: it came back and is
  // the caller's to compute.  False: another thread has computed it.
  bool TakeBack();
  static void ComputeAll(std::initializer_list<ForkedTask*> tasks);

  Phase phase() const { return phase_; }
  void set_phase(Phase phase) { phase_ = phase; }

  [[noreturn]] static void FailNotForked();

 private:
  static Task* RunStolen(Task& task, Execution& execution) noexcept;
  static void ComputeFirst(ForkedTask* const* tasks, std::size_t count, std::size_t forked_from);
  [[noreturn]] static void FailDestroyed();

  Phase phase_ = Phase::kIdle;  // the user's
  Arena* arena_ = nullptr;      // where it was forked
};

}  // namespace pool_internal

template <typename R>
class ForkJoinTask : private pool_internal::ForkedTask {
 public:
  ForkJoinTask() = default;
  virtual ~ForkJoinTask() = default;

  // The computation.  Called once for each Fork or Invoke, on any thread.
  virtual R Compute() = 0;

  // Lets other threads compute the task from now on; it must not be forked
  // already.  Throws std::bad_alloc, and then it is not.
  void Fork() { Start(); }

  // Waits for the end of the computation, which this thread does itself if no
  // other has begun it, and returns its result or throws what it threw.  The
  // task must have been forked, or be one of InvokeAll's; it may be forked again
  // afterwards.  The thread runs other tasks meanwhile.
  R Join() {
    if (phase() == Phase::kForked) {
      if (TakeBack()) return Compute();
      Rethrow();
    } else if (phase() == Phase::kIdle) {
      FailNotForked();
    }
    set_phase(Phase::kIdle);
    return result_.Take();
  }

  // The same as Fork and Join.
  R Invoke() { return Compute(); }

  // Computes all the tasks, which may run at the same time, and waits for all;
  // then every Join returns at once.  If any throws, the first exception in the
  // order of the arguments is thrown when all that were started have ended; those
  // that had not started are dropped, and no task has a result.
  template <typename... Rs>
  static void InvokeAll(ForkJoinTask<Rs>&... tasks) {
    ComputeAll({static_cast<pool_internal::ForkedTask*>(&tasks)...});
  }

  // A forked task: whether another thread has computed it, so that Join would
  // not wait.
  bool IsDone() const { return complete(); }

 private:
  template <typename Other>
  friend class ForkJoinTask;

  void ComputeAndKeep() final {
    result_.KeepOf([this]() -> R { return Compute(); });
  }
  void DropResult() final { result_.Drop(); }

  pool_internal::KeptResult<R> result_;
};

// Computes all the tasks; for callers that are no task themselves.
template <typename First, typename... More>
void InvokeAll(ForkJoinTask<First>& first, ForkJoinTask<More>&... more) {
  ForkJoinTask<First>::InvokeAll(first, more...);
}

}  // namespace filch

#endif  // FILCH_POOL_FORK_JOIN_TASK_H_

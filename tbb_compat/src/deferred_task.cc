#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../include/oneapi/tbb/detail/_deferred_task.h"
#include "../include/oneapi/tbb/detail/_run_guarded.h"
#include "../include/oneapi/tbb/detail/_task_group.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {
namespace {

thread_local DeferredTask* innermost_deferred = nullptr;

// The deferred task that the calling thread runs; null if it runs none, or another
// task inside one.
DeferredTask* CurrentTask() {
  const filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
  DeferredTask* const task = innermost_deferred;
  const bool is_current =
      task != nullptr && slot.innermost == task && slot.context == task->context();
  return is_current ? task : nullptr;
}

}  // namespace

// Tasks that nothing comes before any more and that nobody has started. On the stack of
// whoever starts them.
class ReadyTasks {
 public:
  // Those of what comes after `over` that waited for nothing else.
  void AddSuccessors(const TaskCompletions& over, const TaskCompletion::Ending& ending) noexcept {
    for (const std::shared_ptr<TaskCompletion>& completion : over) {
      for (DeferredTask* const task : completion->Finish(ending)) {
        if (task->PredecessorDone()) Add(*task);
      }
    }
  }
  void Add(DeferredTask& task) {
    task.set_link(first_);
    first_ = &task;
  }

  // One that may run next on this thread, or null.
  filch::Task* TakeOneToRun() {
    if (first_ == nullptr || first_->start_ != DeferredTask::Start::kSpawn) return nullptr;
    return &Take();
  }

  // All of them, and those that become ready by that.
  void StartAll() noexcept {
    while (first_ != nullptr) {
      DeferredTask& task = Take();
      switch (task.start_) {
        case DeferredTask::Start::kSpawn:
          SpawnOrGiveUp(task);
          break;
        case DeferredTask::Start::kEnqueue:
          task.group().EnqueueIn(*task.arena_, task);
          break;
        case DeferredTask::Start::kDrop:
          GiveUp(task);
          break;
      }
    }
  }

 private:
  DeferredTask& Take() {
    DeferredTask& task = *first_;
    first_ = static_cast<DeferredTask*>(task.link());
    return task;
  }

  // Without memory for it the task cannot run, which is its group's exception.
  void SpawnOrGiveUp(DeferredTask& task) noexcept {
    try {
      task.group().Spawn(task);
    } catch (...) {
      task.group().context().CaptureCurrentException();
      GiveUp(task);
    }
  }

  // It is over without having run.
  void GiveUp(DeferredTask& task) noexcept {
    filch::WaitGroup& group = task.group();
    const TaskCompletions over = std::move(task.completions_);
    const TaskCompletion::Ending ending = task.HowItEnds();
    task.discard_(task);
    AddSuccessors(over, ending);
    group.Withdraw();
  }

  DeferredTask* first_ = nullptr;  // linked by the tasks' links
};

void TaskCompletion::Precede(DeferredTask& successor) {
  const std::lock_guard<d1::SleepingLock> lock(lock_);
  if (state_ != State::kNotOver) return;
  successors_.push_back(&successor);
  successor.AddPredecessors(1);
}

TaskCompletion::State TaskCompletion::state() const {
  const std::lock_guard<d1::SleepingLock> lock(lock_);
  return state_;
}

bool TaskCompletion::Wait() {
  if (state() == State::kNotOver) {  // else its group may be gone
    Waiter waiter{filch::WaitGroup(group_.context())};
    if (Enlist(waiter)) group_.WaitForPart(waiter.end);
  }
  const std::lock_guard<d1::SleepingLock> lock(lock_);
  if (exception_ != nullptr) std::rethrow_exception(exception_);
  return state_ == State::kRan;
}

bool TaskCompletion::Enlist(Waiter& waiter) {
  const std::lock_guard<d1::SleepingLock> lock(lock_);
  if (state_ != State::kNotOver) return false;
  waiter.end.Add();
  waiter.next = std::exchange(waiters_, &waiter);
  return true;
}

void TaskCompletion::KeepException(std::exception_ptr exception) noexcept {
  const std::lock_guard<d1::SleepingLock> lock(lock_);
  exception_ = std::move(exception);
}

filch::PlainVector<DeferredTask*> TaskCompletion::Finish(const Ending& ending) noexcept {
  Waiter* waiter;
  std::vector<DeferredTask*> successors;
  {
    const std::lock_guard<d1::SleepingLock> lock(lock_);
    state_ = ending.state;
    if (exception_ == nullptr) exception_ = ending.exception;
    waiter = std::exchange(waiters_, nullptr);
    successors = std::exchange(successors_, {});
  }
  while (waiter != nullptr) {
    Waiter& told = *std::exchange(waiter, waiter->next);
    told.end.Withdraw();  // it may be gone now
  }
  return successors;
}

std::shared_ptr<TaskCompletion> DeferredTask::Completion() {
  const std::lock_guard<d1::SleepingLock> lock(lock_);
  if (!has_own_completion_) {
    // What others have passed on is of their tasks, whose groups may be gone.
    completions_.insert(completions_.begin(), std::make_shared<TaskCompletion>(group()));
    has_own_completion_ = true;
  }
  return completions_.front();
}

filch::WaitGroup& DeferredTask::group() const { return owner_.tasks(); }

void DeferredTask::Spawn() {
  owner_.BindContext();
  start_ = Start::kSpawn;
  if (!PredecessorDone()) return;
  try {
    group().Spawn(*this);
  } catch (...) {
    set_predecessors(1);  // the owner's again
    throw;
  }
}

void DeferredTask::Enqueue(filch::Arena& arena) {
  owner_.BindContext();
  start_ = Start::kEnqueue;
  arena_ = &arena;
  if (PredecessorDone()) group().EnqueueIn(arena, *this);
}

void DeferredTask::Drop() noexcept {
  start_ = Start::kDrop;
  if (!PredecessorDone()) return;
  ReadyTasks ready;
  ready.Add(*this);
  ready.StartAll();
}

void DeferredTask::PassOnCompletions(DeferredTask& heir) {
  DeferredTask* const current = CurrentTask();
  if (current == nullptr) return;
  TaskCompletions& own = current->completions_;  // ours: the task has no owner any more
  const std::lock_guard<d1::SleepingLock> lock(heir.lock_);
  heir.completions_.insert(heir.completions_.end(), own.begin(), own.end());
  own.clear();
}

TaskCompletion::Ending DeferredTask::HowItEnds() const {
  if (ran_) return {TaskCompletion::State::kRan, nullptr};
  return {TaskCompletion::State::kFailed, context()->exception()};
}

void DeferredTask::CaptureException() noexcept {
  r1::KeepException(*context());
  for (const std::shared_ptr<TaskCompletion>& completion : completions_) {
    completion->KeepException(std::current_exception());
  }
}

filch::Task* DeferredTask::Finish(filch::Execution& execution) noexcept {
  filch::WaitGroup& group = this->group();
  filch::Task* next = nullptr;
  if (completions_.empty()) {
    discard_(*this);
  } else {
    const TaskCompletions over = std::move(completions_);
    const TaskCompletion::Ending ending = HowItEnds();
    discard_(*this);
    ReadyTasks ready;
    ready.AddSuccessors(over, ending);
    next = ready.TakeOneToRun();
    ready.StartAll();
  }
  group.Done(execution);
  return next;
}

DeferredTask::Running::Running(DeferredTask& task)
    : outer_(std::exchange(innermost_deferred, &task)) {}

DeferredTask::Running::~Running() { innermost_deferred = outer_; }

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

// SerialQueue: functions that run one after the other, in the order in which they
// were pushed, never two at a time; nobody waits for them.
//
//   filch::SerialQueue log(arena);
//   log.Push([line] { file << line; });   // no lock: one at a time, in order
//
// Enqueue starts functions in about the order in which they came, and several may
// run at the same time.  A serial queue turns that into strict order: it gives the
// arena one function at a time, and the next one when that is over.  Meanwhile
// the threads do other work; no thread waits for its turn.  Many serial queues
// share the threads of their arena fairly.
//
// Any thread may push, the functions too.  The queue may be destroyed at any
// time; what was pushed still runs.  The arena must outlive that.  An exception
// that leaves a function ends the program (std::terminate), as with Enqueue.
//
// Memory ordering: what a thread did before Push is visible to the function, and
// what a function did is visible to the next one.
//
// It is an actor's mailbox; compare the serial queues of Grand Central Dispatch.
#ifndef FILCH_POOL_SERIAL_QUEUE_H_
#define FILCH_POOL_SERIAL_QUEUE_H_

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/closure_memory.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/serial_order.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {

namespace pool_internal {

// What a serial queue's functions share with it.
class SerialStart {
 public:
  SerialStart(Arena& arena, Priority priority) : arena_(arena), priority_(priority) {}

  // The task runs when all that were pushed before it are over.  Any thread.
  void Push(Task& task) {
    order_.Push(task, [this](Task& next) { arena_.Enqueue(next, priority_); });
  }
  // The task that ran is over.
  void Done() {
    order_.Done([this](Task& next) { arena_.Enqueue(next, priority_); });
  }

 private:
  Arena& arena_;
  const Priority priority_;
  SerialOrder order_;
};

template <typename F>
class SerialTask final : public Task {
 public:
  template <typename Source>
  static SerialTask& Make(Slot& slot, const std::shared_ptr<SerialStart>& order, Source&& f) {
    return ClosureMemory<SerialTask>::Make(slot.memory, [&](void* memory) -> SerialTask& {
      return *::new (memory) SerialTask(order, std::forward<Source>(f));
    });
  }

 private:
  template <typename Source>
  SerialTask(const std::shared_ptr<SerialStart>& order, Source&& f)
      : Task(&SerialTask::RunAndPassOn, nullptr), order_(order), f_(std::forward<Source>(f)) {}
  ~SerialTask() = default;

  static Task* RunAndPassOn(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<SerialTask&>(task);
    self.f_();
    const std::shared_ptr<SerialStart> order = std::move(self.order_);
    self.~SerialTask();
    ClosureMemory<SerialTask>::Free(execution.slot.memory, &self);
    order->Done();
    return nullptr;
  }

  std::shared_ptr<SerialStart> order_;
  F f_;
};

}  // namespace pool_internal

class SerialQueue {
 public:
  // The functions run in the arena, with that priority among what is enqueued
  // there.
  explicit SerialQueue(Arena& arena, Priority priority = Priority::kNormal)
      : order_(std::make_shared<pool_internal::SerialStart>(arena, priority)) {}
  SerialQueue(const SerialQueue&) = delete;
  SerialQueue& operator=(const SerialQueue&) = delete;

  // Throws std::bad_alloc or what copying f throws, and then nothing is pushed.
  // Any thread.
  template <typename F>
  void Push(F&& f) {
    using SerialTaskOfF = pool_internal::SerialTask<std::decay_t<F>>;
    order_->Push(SerialTaskOfF::Make(pool_internal::CurrentSlot(), order_, std::forward<F>(f)));
  }

 private:
  const std::shared_ptr<pool_internal::SerialStart> order_;
};

}  // namespace filch

#endif  // FILCH_POOL_SERIAL_QUEUE_H_

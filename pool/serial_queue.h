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
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/serial_order.h"
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

// A function in its turn, which is over when nothing of it is left.
template <typename F>
class SerialCall {
 public:
  template <typename Source>
  SerialCall(std::shared_ptr<SerialStart> order, Source&& f)
      : order_(std::move(order)), f_(std::in_place, std::forward<Source>(f)) {}

  void operator()() {
    (*f_)();
    f_.reset();
    order_->Done();
  }

 private:
  const std::shared_ptr<SerialStart> order_;
  std::optional<F> f_;
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
    using Call = pool_internal::SerialCall<std::decay_t<F>>;
    order_->Push(pool_internal::EnqueuedTask<Call>::Make(pool_internal::CurrentSlot(), order_,
                                                         std::forward<F>(f)));
  }

 private:
  const std::shared_ptr<pool_internal::SerialStart> order_;
};

}  // namespace filch

#endif  // FILCH_POOL_SERIAL_QUEUE_H_

// task_scheduler_observer: is told of threads that come to an arena and leave it.
//
// Derive from it, and prepare in on_scheduler_entry what the thread's tasks need.
// Both functions are called on the thread itself while it is in the arena: entry
// before it takes its first task there, exit when it goes. A thread that is inside
// already when observe() is called is told of when it has run out of work once, the
// calling one at once. Nothing may be thrown.
//
// An observer without an arena watches the one of the thread that calls observe();
// in programs of TBB 2020 it watches all arenas.
//
// The most derived destructor calls observe(false), since nobody else can do it in
// time.
//
//   class Names : public tbb::task_scheduler_observer {
//    public:
//     Names() { observe(); }
//     ~Names() override { observe(false); }
//     void on_scheduler_entry(bool is_worker) override { SetThreadName(is_worker); }
//   };
#ifndef FILCH_TBB_COMPAT_TASK_SCHEDULER_OBSERVER_H_
#define FILCH_TBB_COMPAT_TASK_SCHEDULER_OBSERVER_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <atomic>

#include "detail/_config.h"
#include "filch/pool/arena_hook.h"
#include "task_arena.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class task_scheduler_observer {
 public:
#ifdef FILCH_TBB_CLASSIC
  // Watches all arenas, or the one of the thread that calls observe().
  explicit task_scheduler_observer(bool local = false) : watches_all_(!local) {}
#else
  // Watches the arena of the thread that calls observe().
  task_scheduler_observer() = default;
#endif
  // Watches this arena; makes it if observe() finds none.
  explicit task_scheduler_observer(task_arena& arena) : arena_(&arena) {}
  virtual ~task_scheduler_observer() {
    if (__builtin_expect(is_observing(), 0)) observe(false);
  }
  task_scheduler_observer(const task_scheduler_observer&) = delete;
  task_scheduler_observer& operator=(const task_scheduler_observer&) = delete;

  // The calling thread has come to the arena, or is about to leave it; `is_worker`
  // is whether it belongs to the scheduler.
  virtual void on_scheduler_entry(bool is_worker) { static_cast<void>(is_worker); }
  virtual void on_scheduler_exit(bool is_worker) { static_cast<void>(is_worker); }

  // Begins to watch, or ends it; threads inside are not told of any more then, and
  // no call is running afterwards but those in which the caller is. One thread at a
  // time.
  void observe(bool state = true);
  // Any thread.
  bool is_observing() const {
    return observing_.load(std::memory_order_relaxed);  // W1: whoever calls observe() knows
  }

 private:
  class Hook final : public filch::ArenaHook {
   public:
    explicit Hook(task_scheduler_observer& owner) noexcept : owner_(owner) {}

   private:
    void OnEnter(bool worker) noexcept override { owner_.on_scheduler_entry(worker); }
    void OnLeave(bool worker) noexcept override { owner_.on_scheduler_exit(worker); }

    task_scheduler_observer& owner_;
  };

  task_arena* arena_ = nullptr;
  bool watches_all_ = false;
  std::atomic<bool> observing_{false};
  Hook hook_{*this};
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::task_scheduler_observer;
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines it, and some programs look for it.
namespace interface6 {
using detail::d1::task_scheduler_observer;
}
namespace internal {
using task_scheduler_observer_v3 = detail::d1::task_scheduler_observer;
}
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TASK_SCHEDULER_OBSERVER_H_

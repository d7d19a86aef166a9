// collaborative_call_once: std::call_once whose waiting callers help.
//
// The first caller of a flag calls the function; those who come meanwhile run
// tasks that the function has started, and no others, until it is done. If they are
// in another arena and that of the first caller has no room for them, they sleep. An
// exception goes to the caller whose function threw it, the flag stays unset, and
// another caller tries. Any thread.
//
//   static tbb::collaborative_once_flag flag;
//   tbb::collaborative_call_once(flag, [&] { tbb::parallel_for(range, fill); });
#ifndef FILCH_TBB_COMPAT_COLLABORATIVE_CALL_ONCE_H_
#define FILCH_TBB_COMPAT_COLLABORATIVE_CALL_ONCE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "detail/_config.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/enter.h"
#include "filch/pool/execute.h"
#include "filch/pool/helping.h"
#include "filch/pool/isolate.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_group.h"
#include "task_arena.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Whether a function has been called. Not while a call with it is under way.
class collaborative_once_flag {
 public:
  collaborative_once_flag() = default;
  collaborative_once_flag(const collaborative_once_flag&) = delete;
  collaborative_once_flag& operator=(const collaborative_once_flag&) = delete;

 private:
  template <typename F, typename... Args>
  friend void collaborative_call_once(collaborative_once_flag& flag, F&& f, Args&&... args);

  // A call that is under way counts as one task. What it starts is a region of its own.
  class Call {
   public:
    Call() { tasks_.Add(); }

    // By the thread that has made it. Isolated: a caller of the same flag that this thread ran
    // while it waits inside would wait for itself.
    template <typename F>
    void Run(const F& f) {
      filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
      const filch::IsolationReentry inside(region_);
      // The region is new: nothing of it lies below.
      slot.isolation_floor = slot.deque.bottom();
      f();
    }
    void End() { tasks_.Withdraw(); }

    // By others. They may hold a lock, so they run nothing but what belongs to the call. A
    // wait that takes itself to the arena of the call would be outside of the region there, or
    // in another one, so they are there before it begins.
    void Help() {
      if (tasks_.IsComplete()) return;
      const filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
      if (slot.arena == &arena_) return WaitInside();
      for (const auto* below = slot.outer; below != nullptr; below = below->outer) {
        if (below->arena == &arena_) return filch::ExecuteIn(arena_, [this] { WaitInside(); });
      }
      if (filch::pool_internal::Slot* const there = arena_.OccupyToHelp()) {
        const filch::pool_internal::EnterScope scope(*there);
        return WaitInside();
      }
      filch::WithHelping(filch::Helping::kOwnTasks, [this] { WaitInside(); });
    }

   private:
    void WaitInside() {
      const filch::IsolationReentry inside(region_);
      tasks_.WaitForTasks();
    }

    filch::Arena& arena_ = *filch::pool_internal::CurrentSlot().arena;
    const filch::Isolation region_ = filch::Isolation::Make();
    filch::Context context_;
    filch::WaitGroup tasks_{context_};
  };

  bool is_done() const {
    return done_.load(std::memory_order_acquire);  // O1: what the function wrote
  }

  // Ends the call, done or not, in every case.
  class Attempt {
   public:
    Attempt(collaborative_once_flag& flag, std::shared_ptr<Call> call)
        : flag_(flag), call_(std::move(call)) {}
    ~Attempt() {
      {
        const std::lock_guard<std::mutex> lock(flag_.mutex_);
        flag_.call_.reset();
      }
      call_->End();
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

   private:
    collaborative_once_flag& flag_;
    const std::shared_ptr<Call> call_;
  };

  template <typename F>
  void CallOnce(const F& f) {
    while (!is_done()) {
      std::unique_lock<std::mutex> lock(mutex_);
      if (is_done()) return;
      if (call_ != nullptr) {
        const std::shared_ptr<Call> call = call_;
        lock.unlock();
        call->Help();
        continue;
      }
      call_ = std::make_shared<Call>();
      const std::shared_ptr<Call> call = call_;
      const Attempt attempt(*this, call);
      lock.unlock();
      call->Run(f);
      done_.store(true, std::memory_order_release);  // O1: publishes what the function wrote
    }
  }

  std::atomic<bool> done_{false};
  std::mutex mutex_;
  std::shared_ptr<Call> call_;
};

template <typename F, typename... Args>
void collaborative_call_once(collaborative_once_flag& flag, F&& f, Args&&... args) {
  if (flag.is_done()) return;  // inlined, unlike the rest
  flag.CallOnce([&] { std::invoke(std::forward<F>(f), std::forward<Args>(args)...); });
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
using detail::d1::collaborative_call_once;
using detail::d1::collaborative_once_flag;
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_COLLABORATIVE_CALL_ONCE_H_

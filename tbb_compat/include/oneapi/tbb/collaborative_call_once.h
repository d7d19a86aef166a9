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
#include "detail/_lone_context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/helped_call.h"
#include "filch/topology/catch_all.h"
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

  bool is_done() const {
    return done_.load(std::memory_order_acquire);  // O1: what the function wrote
  }

  template <typename F>
  void CallOnce(const F& f) {
    while (!is_done()) {
      std::unique_lock<std::mutex> lock(mutex_);
      if (is_done()) return;
      if (call_ != nullptr) {
        const std::shared_ptr<filch::HelpedCall> call = call_;
        lock.unlock();
        call->HelpUntilEnd();
        continue;
      }
      call_ = std::make_shared<filch::HelpedCall>();
      const std::shared_ptr<filch::HelpedCall> call = call_;
      lock.unlock();
      FILCH_TRY {
        // For a group of its own, which it may cancel.
        call->Run([&f] {
          LoneContext context;
          const filch::ContextScope scope(context);
          f();
        });
      }
      FILCH_CATCH_ALL {
        lock.lock();
        call_.reset();
        lock.unlock();
        call->End();
        FILCH_RETHROW;
      }
      // The flag is left as it is, with the call: whoever sees this may destroy it.
      done_.store(true, std::memory_order_release);  // O1: publishes what the function wrote
      return call->End();
    }
  }

  std::atomic<bool> done_{false};
  std::mutex mutex_;
  std::shared_ptr<filch::HelpedCall> call_;
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

// task_group_context: what a group of tasks shares when it is cancelled.
//
// Algorithms and task groups make one each; pass your own to cancel from
// outside, or to learn afterwards that something was cancelled.  Cancelling a
// context cancels the contexts that are bound below it and none above.  A bound
// context stands below the context of the task that uses it, while it does; one that is
// used outside of tasks first is isolated from then on.  Any thread; it must outlive its
// use.
//
//   tbb::task_group_context context;
//   tbb::parallel_for(range, [&](const Range& part) {
//     if (Found(part)) context.cancel_group_execution();
//   }, context);
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_

#include <atomic>
#include <cstdint>

#include "_config.h"
#include "_context_users.h"
#include "filch/pool/context.h"
#include "filch/pool/slow_dispatch.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
// Whether the context that the calling thread works for, if any, is cancelled.
bool CurrentContextIsCancelled() noexcept;
}  // namespace r1

namespace d1 {
class ContextUse;
class LoneContext;
}  // namespace d1
}  // namespace filch_1
}  // namespace detail

class task_group;

// What a group's tasks that are enqueued prefer; only programs of TBB 2020 set
// it.
enum priority_t { priority_low = 1, priority_normal = 2, priority_high = 3 };

// In tbb itself and not in an inline namespace: old programs declare it there.
// It has no data beside the pool's context, so that every context of the pool
// can be looked at as one.
class task_group_context : public filch::Context {
 public:
  enum kind_type { isolated, bound };
  // With fp_settings, tasks run with the floating-point settings that the thread
  // has which makes the context. With concurrent_wait, several threads may wait for
  // one tbb::task; for all else they always may. The scheduler carries every
  // exception as it is, so exact_exception means nothing.
  enum traits_type : std::uintptr_t {
    fp_settings = 2,
    concurrent_wait = 4,
    exact_exception = std::uintptr_t{1} << 16,
    default_traits = 0
  };

  task_group_context(kind_type kind = bound, std::uintptr_t traits = default_traits)
      : task_group_context(nullptr, traits, kind == isolated) {
    if ((traits & fp_settings) != 0) StartWithFpSettings();
  }
  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  // Asks tasks that have not started not to start. True for the first call
  // since the last reset(). Any thread.
  bool cancel_group_execution() { return Cancel(); }

  // Whether this context, or one above it while it is in use, was cancelled.
  // Any thread.
  bool is_group_execution_cancelled() const { return IsCancelled(); }

  // As new. Only while no task of the context is left.
  void reset() {
    Reset();
    if (__builtin_expect((Notes() & kThrew) != 0, 0)) {
      notes().fetch_and(~kThrew, std::memory_order_relaxed);  // U3: all is over
    }
  }

  // Keeps the exception that is being handled, and cancels, unless the context, or one above
  // it, was cancelled before.
  void register_pending_exception();

  // The group's tasks run with the floating-point settings that the calling thread
  // has now. Only while no task of the context is left.
  void capture_fp_settings() { CaptureFpSettings(); }
  std::uintptr_t traits() const {
    return Notes() >> kTraitsShift;  // U2: never changes
  }

  // What enqueued tasks of the group prefer. Any thread.
  void set_priority(priority_t level) {
    const auto bits = static_cast<std::uint32_t>(level) << kPriorityShift;
    notes().fetch_and(~kPriorityMask | bits, std::memory_order_relaxed);  // U2: a hint
    notes().fetch_or(bits, std::memory_order_relaxed);                    // U2: a hint
  }
  priority_t priority() const {
    const std::uint32_t level = (Notes() & kPriorityMask) >> kPriorityShift;
    return level == 0 ? priority_normal : static_cast<priority_t>(level);
  }

 private:
  friend class detail::d1::ContextUse;
  friend class detail::d1::LoneContext;
  friend class task_group;

  // The parts of the pool's word for whoever made the context. Those of its users, 1, 2, 32 and 64,
  // are in UserNotes.
  static constexpr std::uint32_t kStays = detail::d1::UserNotes::kStays;
  static constexpr int kPriorityShift = 2;
  static constexpr std::uint32_t kPriorityMask = 3u << kPriorityShift;
  static constexpr std::uint32_t kThrew = 16;  // an exception cancelled it
  static constexpr std::uint32_t kLone = 128;  // a function's that is part of no group
  static constexpr int kTraitsShift = 8;

  // Of an algorithm, or a group, which moves it if anybody does.
  explicit task_group_context(filch::Context* parent)
      : task_group_context(parent, default_traits, true) {}
  task_group_context(filch::Context* parent, std::uintptr_t traits, bool stays)
      : Context(parent, static_cast<std::uint32_t>(traits << kTraitsShift) | (stays ? kStays : 0)) {
  }
  struct NotesOnly {};
  task_group_context(NotesOnly, std::uint32_t notes) : Context(nullptr, notes) {}

  std::uint32_t Notes() const {
    return notes().load(std::memory_order_relaxed);  // U2: constants and a hint
  }
};

namespace detail {
inline namespace filch_1 {
namespace r1 {

// The context's members, under the names by which libraries that know oneTBB's entry points
// call them.
inline bool cancel_group_execution(task_group_context& context) {
  return context.cancel_group_execution();
}
inline bool is_group_execution_cancelled(task_group_context& context) {
  return context.is_group_execution_cancelled();
}
inline void reset(task_group_context& context) { context.reset(); }
inline void capture_fp_settings(task_group_context& context) { context.capture_fp_settings(); }

}  // namespace r1

namespace d1 {
using tbb::task_group_context;

// Whether the context of the task that runs now was cancelled; false outside of
// tasks. Any thread.
inline bool is_current_task_group_canceling() {
  // Nearly always nothing in the process is.
  return filch::pool_internal::SlowDispatch::IsNeeded() && r1::CurrentContextIsCancelled();
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail

inline namespace v1 {
using detail::d1::is_current_task_group_canceling;
using tbb::task_group_context;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_

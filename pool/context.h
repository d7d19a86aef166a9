// Context: what a group of tasks shares when something goes wrong.
//
// Contexts form a tree.  Cancelling one cancels everything below it and nothing
// above it.  The first exception that a task of the group throws is kept, and
// cancels the group; the one who waits for the group rethrows it when every
// task of the group is accounted for.  Later exceptions are dropped.
//
// A context must outlive its tasks and the contexts below it that are in use.
//
// Memory ordering: IsCancelled is a relaxed hint; an exception is read after
// the completion that orders it (a latch or a task group's counters).
#ifndef FILCH_POOL_CONTEXT_H_
#define FILCH_POOL_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <exception>

#include "filch/pool/kept_exception.h"
#include "filch/pool/slow_dispatch.h"

namespace filch {

class Context {
 public:
  // A context of its own (parent == nullptr) or one below `parent`.
  explicit Context(Context* parent = nullptr, std::uint32_t notes = 0)
      : parent_(parent), notes_(notes) {}
  ~Context() {
    if (__builtin_expect(!untouched(), 0)) Close();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Asks the group's tasks not to start.  True for the first call since the
  // last Reset.  Any thread.
  bool Cancel();

  // Whether this context or one above it was cancelled.  Any thread.
  bool IsCancelled() const {
    // A hint: a late answer only lets one more task start.  While nothing in the
    // process is cancelled nobody walks up a tree.
    return pool_internal::SlowDispatch::IsNeeded() && IsCancelledHereOrAbove();
  }

  // Neither cancelled, itself, nor holding an exception or settings.  Only when no
  // task of the group is left, else a hint.
  bool untouched() const {
    return state_.load(std::memory_order_relaxed) == 0;  // C1, C2: the group is complete
  }

  // Keeps the exception if it is the first, and cancels.  Any thread.
  void Capture(std::exception_ptr exception);
  // The same with the exception that the calling thread handles.  Not inline,
  // which keeps the handler's part of each task small.
  void CaptureCurrentException() noexcept;

  // The kept exception, or null; the context forgets it.  Only when no task of
  // the group is left.
  std::exception_ptr TakeException();

  // The kept exception, or null; the context keeps it.  Any thread that waited
  // for the task that threw it; others may get null.
  std::exception_ptr exception() const;

  // As new: neither cancelled nor holding an exception.  Only when no task of
  // the group is left.
  void Reset();

  // Keeps the calling thread's floating-point settings: the group's tasks run with
  // them from now on, and the tasks of the contexts below that have none.  Only
  // while no task of the group is there.  Reset leaves them.
  void CaptureFpSettings();
  // The settings of this context, or the nearest above that has some, for
  // FpControl; 0: there are none.  Any thread.
  std::uint32_t FpSettings() const;

  // Puts the context below another one, which then has to outlive it or its
  // next set_parent.  Any thread, also while others ask IsCancelled.
  void set_parent(Context* parent) {
    parent_.store(parent, std::memory_order_release);  // C3: the parent's construction
  }
  Context* parent() const {
    return parent_.load(std::memory_order_acquire);  // C3: it may be looked at
  }

  // A word for whoever made the context; a facade keeps its flags here.
  std::atomic<std::uint32_t>& notes() { return notes_; }
  const std::atomic<std::uint32_t>& notes() const { return notes_; }

 private:
  static constexpr std::uint32_t kCancelled = 1;
  static constexpr std::uint32_t kCaptured = 2;
  static constexpr std::uint32_t kStored = 4;      // exception_ is there
  static constexpr std::uint32_t kFpSettings = 8;  // fp_settings_ are there

  bool IsCancelledHereOrAbove() const;
  void Close();

  std::atomic<Context*> parent_;
  std::atomic<std::uint32_t> state_{0};
  std::atomic<std::uint32_t> notes_;
  pool_internal::KeptException exception_;  // filled in state kStored
  std::uint32_t fp_settings_;               // written with state kFpSettings
};

}  // namespace filch

#endif  // FILCH_POOL_CONTEXT_H_

// Context: what a group of tasks shares when something goes wrong.
//
// Contexts form a tree.  Cancelling one cancels everything below it and nothing
// above it.  The first exception that a task of the group throws is kept, and
// cancels the group; the one who waits for the group rethrows it when every
// task of the group is accounted for.  Later exceptions are dropped.
//
// A context must outlive its tasks and the contexts below it that are in use, but for
// those that a ContextGuest put there.
//
// Memory ordering: IsCancelled is a relaxed hint; an exception is read after
// the completion that orders it (a latch or a task group's counters).
#ifndef FILCH_POOL_CONTEXT_H_
#define FILCH_POOL_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <exception>

#include "filch/pool/context_tree.h"
#include "filch/pool/kept_exception.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/topology/forced_inline.h"

namespace filch {

class Context;

// ContextGuest: a context that stands below one that may end first.  When that ends, or
// goes elsewhere itself, the guest stands alone, and stays cancelled if it was.
//
//   guest.Visit(context, host);  // by a task of the host, so it is there
//   ...                          // tasks of both; the host may end
//   guest.Leave();               // before the context ends
//
// Dearer than set_parent: a lock for each of the three, and for each walk up from the
// guest while SlowDispatch is needed.
class ContextGuest {
 public:
  ContextGuest() {}  // not `= default`: that would clear all of it where it says ()
  ~ContextGuest() {
    if (__builtin_expect(is_visiting(), 0)) Leave();
  }
  ContextGuest(const ContextGuest&) = delete;
  ContextGuest& operator=(const ContextGuest&) = delete;

  // Not while it visits somebody.  Any thread.
  void Visit(Context& context, Context& host);
  // The context has no parent afterwards.  Any thread, also twice.
  void Leave();
  // A hint for other threads than the one that called Visit.  Any thread.
  bool is_visiting() const { return guest_.is_visiting(); }

 private:
  pool_internal::ContextTree::Guest guest_;
};

class Context : private pool_internal::ContextTree::Node {
 public:
  // A context of its own (parent == nullptr) or one below `parent`.
  explicit Context(Context* parent = nullptr, std::uint32_t notes = 0)
      : Node(parent), notes_(notes) {}
  ~Context() {
    if (__builtin_expect(!untouched(), 0)) Close();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Asks the group's tasks not to start.  True for the first call since the
  // last Reset.  Any thread.
  bool Cancel();

  // Whether this context or one above it was cancelled.  Any thread.
  FILCH_FORCED_INLINE bool IsCancelled() const {
    // A hint: a late answer only lets one more task start.  While nothing in the
    // process is cancelled nobody walks up a tree.  The compiler has to know at once, and of both
    // answers, that they are no: what is asked about is the program's loop, which gcc does not
    // align if it seems to be skipped more often than not.
    return __builtin_expect(
        __builtin_expect(pool_internal::SlowDispatch::IsNeeded(), 0) && IsCancelledHereOrAbove(),
        0);
  }

  // The same without those above.  Any thread; a hint likewise.
  bool IsCancelledItself() const { return word().is_cancelled(); }

  // Neither cancelled, itself, nor holding an exception or settings, nor marked.  Only when
  // no task of the group is left, else a hint.
  bool untouched() const { return word().untouched(); }
  // From now on it is not untouched, for whoever made it has more to look at.  Before anybody
  // else knows it.
  void Mark() { word().Mark(); }

  // Keeps the exception if it is the first, and cancels.  Any thread.
  void Capture(std::exception_ptr exception);
  // The same with the exception that the calling thread handles.  Not inline,
  // which keeps the handler's part of each task small.
  void CaptureCurrentException() noexcept;

  // The kept exception, or null; the context forgets it.  Only when no task of
  // the group is left, and nobody else waits.
  std::exception_ptr TakeException();
  // Throws the kept exception, if there is one, which stays: every wait for tasks of the
  // group throws it until Reset.  When the tasks that the caller waited for are over; others
  // may run, and capture.
  void Rethrow() {
    if (__builtin_expect(!untouched(), 0)) RethrowTouched();
  }

  // The kept exception, or null; the context keeps it.  Any thread that waited
  // for the task that threw it; others may get null.
  std::exception_ptr exception() const;

  // Whether one is kept, or on its way.  Any thread; a hint, but for who waited for the task
  // that threw it.
  bool keeps_exception() const { return word().is_captured(); }

  // As new: neither cancelled nor holding an exception.  Only when no task of
  // the group is left.
  void Reset();

  // Keeps the calling thread's floating-point settings: the group's tasks run with
  // them from now on, and the tasks of the contexts below that have none.  Only
  // while no task of the group is there.  Reset leaves them.
  void CaptureFpSettings();
  // The same as the first that happens to it, before anybody else knows the context.
  void StartWithFpSettings();
  // The settings of this context, or the nearest above that has some, for
  // FpControl; 0: there are none.  Any thread.
  std::uint32_t FpSettings() const;

  // Puts the context below another one, which then has to outlive it or its
  // next set_parent or StandAlone.  Any thread, also while others ask IsCancelled.
  void set_parent(Context* parent) { Node::set_parent(parent); }
  // The context has no guests any more.  Any thread.
  void PartWithGuests() {
    if (__builtin_expect(word().is_host(), 0)) SendGuestsHome();
  }
  // The context has no parent any more, and no guests.  Any thread.
  void StandAlone() {
    PartWithGuests();
    Node::set_parent(nullptr);
  }
  // Whether `other` is this context or one above it.  Any thread.
  bool IsOrIsBelow(const Context& other) const;
  // Only to be looked into where it cannot end meanwhile.
  Context* parent() const { return static_cast<Context*>(Node::parent()); }

  // A word for whoever made the context; a facade keeps its flags here.
  std::atomic<std::uint32_t>& notes() { return notes_; }
  const std::atomic<std::uint32_t>& notes() const { return notes_; }

 private:
  friend class ContextGuest;

  bool IsCancelledHereOrAbove() const;
  void SendGuestsHome();
  void RethrowTouched();
  void Close();

  std::atomic<std::uint32_t> notes_;
  pool_internal::KeptException exception_;  // filled if the word has an exception
  std::uint32_t fp_settings_;               // written before the word has settings
};

}  // namespace filch

#endif  // FILCH_POOL_CONTEXT_H_

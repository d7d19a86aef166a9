// ContextWord: what a context is, beside its place in the tree: cancelled or not, with an
// exception or without, and whether it needs the long way at other things.
//
// One word, so that a context that none of this has happened to is known by one look.
//
// Any thread, unless it says otherwise.
// Memory ordering: what the thread did before EndCapture is visible once HasException() is
// true (C4).  All else orders nothing: the group's completion publishes what its tasks have
// done here (C2), cancelling is a hint (C1), and for the rest see the table in README.md.
#ifndef FILCH_POOL_CONTEXT_WORD_H_
#define FILCH_POOL_CONTEXT_WORD_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicContextWord {
 public:
  // Nothing below was ever done, or all of it was undone.  Only when no task of the group is
  // left, else a hint.
  bool untouched() const {
    return word_.load(std::memory_order_relaxed) == 0;  // C1, C2: the group is complete
  }

  bool is_cancelled() const {
    return (word_.load(std::memory_order_relaxed) & kCancelled) != 0;  // C1: a hint
  }
  // True for the first call since the last Resume.  Here and below, a look first: most calls
  // have nothing to change.
  bool Cancel() {
    if (is_cancelled()) return false;
    return (word_.fetch_or(kCancelled, std::memory_order_relaxed) & kCancelled) == 0;  // C1: first
  }
  // Not cancelled any more; whether it was.  Only when no task of the group is left.
  bool Resume() {
    if (!is_cancelled()) return false;
    return (word_.fetch_and(~kCancelled, std::memory_order_relaxed) & kCancelled) != 0;  // C1
  }

  // True for the one thread that shall keep its exception; it calls EndCapture when the
  // exception is there.
  bool BeginCapture() {
    return (word_.fetch_or(kCaptured, std::memory_order_relaxed) & kCaptured) == 0;  // C2: elects
  }
  void EndCapture() {
    word_.fetch_or(kStored, std::memory_order_release);  // C4: the exception may be read
  }
  // Whether somebody has begun to keep an exception.  Who waits for a task that threw sees it.
  bool is_captured() const {
    return (word_.load(std::memory_order_relaxed) & kCaptured) != 0;  // C2: the task is over
  }
  // Whether the exception may be read; false, too, while it is being kept.
  bool HasException() const {
    return (word_.load(std::memory_order_acquire) & kStored) != 0;  // C4: it stays as it is
  }
  // There is no exception any more; whether there was one.  Only when no task of the group is
  // left.
  bool ForgetException() {
    if (!is_captured()) return false;
    const std::uint32_t before = word_.fetch_and(~(kCaptured | kStored),
                                                 std::memory_order_relaxed);  // C2: complete
    return (before & kCaptured) != 0;
  }

  // The context has floating-point settings of its own; true for the first call.  While the
  // group has no task.
  bool TakeFpSettings() {
    if (has_fp_settings()) return false;
    return (word_.fetch_or(kFpSettings, std::memory_order_relaxed) & kFpSettings) == 0;  // C5
  }
  // The same as the first that happens to it, before anybody else knows the context.
  void StartWithFpSettings() {
    word_.store(kFpSettings, std::memory_order_relaxed);  // C5: nobody else is there
  }
  bool has_fp_settings() const {
    return (word_.load(std::memory_order_relaxed) & kFpSettings) != 0;  // C5: no task, or after it
  }

  // Contexts may stand below it that it does not wait for, or none does any more.
  void BecomeHost() {
    word_.fetch_or(kHost, std::memory_order_relaxed);  // C6: the host has a task
  }
  void BeHostNoMore() {
    word_.fetch_and(~kHost, std::memory_order_relaxed);  // C6: the lock orders it
  }
  bool is_host() const {
    return (word_.load(std::memory_order_relaxed) & kHost) != 0;  // C6: its tasks are over
  }
  // It stands below one that may end first, or once did.
  void BecomeGuest() {
    word_.fetch_or(kGuest, std::memory_order_relaxed);  // C6: set_parent publishes it
  }
  bool is_guest() const {
    return (word_.load(std::memory_order_relaxed) & kGuest) != 0;  // C6: before the parent's look
  }

  // Only to be touched.  Before anybody else knows the context.
  void Mark() {
    word_.fetch_or(kMarked, std::memory_order_relaxed);  // C7: nobody else is there
  }

 private:
  static constexpr std::uint32_t kCancelled = 1;
  static constexpr std::uint32_t kCaptured = 2;
  static constexpr std::uint32_t kStored = 4;
  static constexpr std::uint32_t kFpSettings = 8;
  static constexpr std::uint32_t kHost = 16;
  static constexpr std::uint32_t kGuest = 32;
  static constexpr std::uint32_t kMarked = 64;

  typename Atomics::template Atomic<std::uint32_t> word_{0};
};

using ContextWord = BasicContextWord<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_CONTEXT_WORD_H_

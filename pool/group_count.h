// BasicGroupCount: how many tasks of a group were spawned and how many are over.
//
// A steal-counted join: the thread in the group's home slot counts with plain stores, all others
// with one atomic addition each, or for several tasks (StolenEnds).  What is told to the waiters
// of the group goes through its home slot's GroupSignals.
//
// What the thread in the home slot writes for each task and what the others write lie in
// cache lines of their own, and apart from what all of them read: a line that goes back
// and forth for each task made a group of a million tasks half as dear again (two
// virtual Intel Xeon processors, 2026-11-22).
//
// `Arena` is where tasks can be, beside the home slot's arena.
// Any thread, unless it says otherwise.
// Memory ordering: what a task did before it was counted as over is visible to
// whoever finds IsComplete() (G1, G2).
#ifndef FILCH_POOL_GROUP_COUNT_H_
#define FILCH_POOL_GROUP_COUNT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/pool/group_signals.h"
#include "filch/pool/noted_arenas.h"
#include "filch/pool/pool_atomics.h"
#include "filch/topology/cache_line.h"

namespace filch {
namespace pool_internal {

template <typename Arena, typename Atomics = PoolAtomics>
class BasicGroupCount {
 public:
  // Whether no task is left.
  bool IsComplete() const {
    // In this order, the spawn of each task whose end is seen is seen as well.  So equal
    // numbers mean the same tasks, and a spawn that is missed was made by none of them.
    return Left(remote_done_.load(std::memory_order_seq_cst)) == 0;  // G2, G3
  }

  // Whether many of the tasks that were spawned at home have not been done there.
  bool HasManyAtHome() const {
    return local_.load(std::memory_order_relaxed) >= kMany;  // G1: a guess
  }

  // --- the thread in the home slot
  void SpawnedAtHome() {
    // G1: one writer, the thread in the home slot.
    local_.store(local_.load(std::memory_order_relaxed) + 1,
                 std::memory_order_relaxed);  // G1: published with the task
  }
  // True: somebody may be parked for the group, which may be gone by now.
  // `signals` is the group's.
  bool DoneAtHome(const BasicGroupSignals<Atomics>& signals) {
    local_.store(local_.load(std::memory_order_relaxed) - 1,  // G1: one writer
                 std::memory_order_release);                  // G1: the task's work
    return signals.HasWaitersAtHome();
  }

  // --- all others
  void SpawnedRemotely() {
    remote_spawned_.fetch_add(1, std::memory_order_relaxed);  // G2: published with the task
  }
  // So many tasks are over, one by default.  True: somebody may be parked for the group, which may
  // be gone by now.  Who is parked is not woken for a task that is not the last one.
  bool DoneRemotely(const BasicGroupSignals<Atomics>& signals, std::uint32_t tasks = 1) {
    if (__builtin_expect(signals.MayHaveWaiters(), 0) && DoneBeforeOthers(tasks)) return false;
    remote_done_.fetch_add(tasks, std::memory_order_seq_cst);  // G2, G3: the tasks' work
    return signals.HasWaiters();
  }

  // --- a waiter
  // It has announced itself to the signals, and looks at the group after that and before it
  // parks.  All who have counted what is left count anew; nobody else sees a difference.
  void Recount() {
    remote_done_.fetch_add(kRecount, std::memory_order_seq_cst);  // G8: after the heavy fence
  }

  // The other arenas where tasks were spawned; each is noted before its first task.
  BasicNotedArenas<Arena, Atomics>& elsewhere() { return elsewhere_; }

 private:
  // Counts the calling thread's tasks as over if another one is left, which will see to it that
  // waiters are woken; else false.
  __attribute__((noinline)) bool DoneBeforeOthers(std::uint32_t tasks) {
    // In the order of IsComplete.  The end of a task at home may be missed: then the thread there
    // wakes the waiters, or they come after it, and Recount.
    std::uint64_t done = remote_done_.load(std::memory_order_acquire);  // G2, G8: before Left
    while (Left(done) > tasks) {
      if (remote_done_.compare_exchange_weak(done, done + tasks,
                                             std::memory_order_seq_cst,     // G2, G8: its work
                                             std::memory_order_acquire)) {  // G8: count anew
        return true;
      }
    }
    return false;
  }

  // How many tasks are left if that was remote_done_.
  std::int64_t Left(std::uint64_t done) const {
    const auto balance = static_cast<std::uint64_t>(
        local_.load(std::memory_order_acquire));  // G1, G8: after remote_done_
    const std::uint64_t spawned =
        balance + remote_spawned_.load(std::memory_order_relaxed);  // G2: after local_
    // Without the recounts, and with a sign.
    return static_cast<std::int64_t>((spawned - done) << (64 - kBitsOfDone)) >> (64 - kBitsOfDone);
  }

  static constexpr std::int64_t kMany = 64;
  // The lower bits of remote_done_ count tasks, modulo a number that takes years; those above them
  // change with each Recount.
  static constexpr int kBitsOfDone = 44;
  static constexpr std::uint64_t kRecount = std::uint64_t{1} << kBitsOfDone;
  static constexpr std::size_t kWord = sizeof(std::int64_t);

  BasicNotedArenas<Arena, Atomics> elsewhere_;
  // Gaps, and not by alignment, which functions that have a group would pay for; nor of bytes,
  // which compilers guard where that is asked for, at the price of a dozen instructions.
  [[maybe_unused]] std::int64_t gap_to_local_[(kCacheLineSize - sizeof(void*)) / kWord];
  // What was spawned less what was done there: may be negative.
  typename Atomics::template Atomic<std::int64_t> local_{0};
  [[maybe_unused]] std::int64_t gap_to_remote_[kCacheLineSize / kWord - 1];
  typename Atomics::template Atomic<std::uint64_t> remote_spawned_{0};
  // Apart, or compilers clear both by one vector store, which may cross a cache line.
  [[maybe_unused]] std::int64_t gap_between_remote_;
  typename Atomics::template Atomic<std::uint64_t> remote_done_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_GROUP_COUNT_H_

// IdleProtocol: who in an arena looks for work, and what whoever stops looking
// owes to the pushers that relied on it.
//
// A searcher has promised to find what it can see before it sleeps.  A pusher
// that sees one calls nobody.  So the last one to stop settles the account:
// it asks the next pusher for a call, and scans for what was pushed before.
// SLEEP.md has the states, the invariants and the proof; this is the part of the
// protocol that decides, free of slots and tasks, so that a model checker can
// run it.
//
// `Arena` is what it works for, on behalf of the calling thread:
//
//   bool HasQueued();    whether the shared queue has a task
//   bool SeesShared();   whether a thief could take something at once; a hint
//   bool ScanDeques();   whether a thief could find something; exposes private work
//   bool CouldCome();    whether anybody is left whom Recruit could call, or who is coming
//   bool CanCall();      whether Recruit would bring somebody else; a hint
//   bool IsComing();     whether somebody was called and has not arrived
//   void Recruit(most);  calls somebody, unless so many are coming already; most = 1
//   void RecruitLater(); calls somebody, unless somebody is wanted or coming already
//   void AnswerNote();   nobody is wanted any more, unless somebody is coming
//   bool HasToShare();   whether the calling thread's deque has a task
//   void Expose();       shares private work of that deque
//
// Any thread.
// Memory ordering: W1, W2 and W6 of README.md, all sequentially consistent.
#ifndef FILCH_POOL_IDLE_PROTOCOL_H_
#define FILCH_POOL_IDLE_PROTOCOL_H_

#include <atomic>
#include <cstdint>

#include "filch/pool/need_wake.h"
#include "filch/pool/pool_atomics.h"
#include "filch/topology/cache_line.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = PoolAtomics>
class BasicIdleProtocol {
 public:
  // So many are called for several tasks, and by each of those who were called.  With three, loops
  // of a millisecond were 2 percent shorter and those of 30 us 1 percent longer (the simulation of
  // SLEEP.md).
  static constexpr int kCalls = 2;

  // What every push reads.
  const BasicNeedWake<Atomics>& need_wake() const { return need_wake_; }

  // The calling thread looks for work from now on, and will find what it can see
  // before it sleeps.  `serves_queue`: in the shared queue, too.
  void StartSearching(bool serves_queue) {
    // Both counts by one step: threads with small tasks come here all the time.
    searchers_.fetch_add(Searcher(serves_queue),
                         std::memory_order_seq_cst);  // W1, W2: pushers may rely on us
  }

  // It found some, or has something else to do.
  template <typename Arena>
  void StopSearching(Arena&& arena, bool serves_queue) {
    const Last last = Stop(serves_queue);
    if (last.in_queue && arena.HasQueued()) NotifyQueued(arena);
    if (!last.of_all) return;
    // The last one: what it leaves behind has no other watcher.
    if (arena.IsComing()) return;  // who comes searches, and owes this then
    if (!arena.CouldCome()) {
      // A worker that becomes free later, in another arena, has to look here.
      arena.RecruitLater();
    } else if (arena.SeesShared()) {
      // Who comes for that owes it as well: no pusher has to be asked, which is dear.
      arena.Recruit();
    } else {
      need_wake_.Ask();
      if (ScanForWork(arena)) NotifySpawned(arena);
    }
  }

  // It found nothing and is about to sleep; it has announced itself as a sleeper
  // already.  True: there is work after all.
  template <typename Arena>
  bool StopSearchingToSleep(Arena&& arena, bool serves_queue) {
    // A note for the next one that becomes free: that is this thread, which still
    // counts as searching, as one that has just arrived.
    if (serves_queue) arena.AnswerNote();
    const Last last = Stop(serves_queue);
    bool found = serves_queue && arena.HasQueued();
    if (last.of_all) {
      need_wake_.Ask();
      found |= ScanForWork(arena);
    }
    return found;
  }

  // A thread was called, and CanCall().  While there is more than it does itself, as far as it can
  // see, it calls others, up to `calls` > 0, who do the same.  So n threads are awake after about
  // log n wake-ups that follow each other, not n.  Returns how many more it would have called, had
  // there been more.  Nothing hangs on it: those who rely on the thread are served by what it does
  // as a searcher.
  template <typename Arena>
  int SpreadCall(Arena&& arena, int calls) {
    while (arena.HasQueued() || arena.SeesShared()) {
      arena.Recruit(kAnyNumber);
      if (--calls == 0 || !arena.CanCall()) return 0;
    }
    return calls;
  }

  // A thread was called and does something else: somebody should look at what is
  // there now, if nobody does already.
  template <typename Arena>
  void ForwardWake(Arena&& arena) {
    if (arena.HasQueued()) NotifyQueued(arena);
    if (Looking(searchers_.load(std::memory_order_seq_cst)) > 0) return;  // W1: they find the rest
    need_wake_.Ask();
    if (ScanForWork(arena)) NotifySpawned(arena);
  }

  // A task was spawned and published.  True: nobody searches, and somebody is coming now if
  // anybody could.
  template <typename Arena>
  bool NotifySpawned(Arena&& arena, std::uint32_t most = 1) {
    if (Looking(searchers_.load(std::memory_order_seq_cst)) > 0) {  // W1: they will find it
      return false;
    }
    arena.Recruit(most);
    return true;
  }

  // A task was sent to a mailbox, maybe as one of several.
  template <typename Arena>
  void NotifyPosted(Arena&& arena) {
    NotifySpawned(arena, kCalls);
  }

  // A task was enqueued.
  template <typename Arena>
  void NotifyQueued(Arena&& arena, std::uint32_t most = 1) {
    if (InQueue(searchers_.load(std::memory_order_seq_cst)) > 0) return;  // W2: they will find it
    arena.Recruit(most);
  }

  // The same for a task that was enqueued behind others.  If nobody could come, who
  // enqueued the first of them has left a note; and whoever goes to sleep later looks
  // at the queue after that.
  template <typename Arena>
  void NotifyQueuedBehind(Arena&& arena) {
    if (arena.CouldCome()) NotifyQueued(arena, kCalls);
  }

  // A pusher saw need_wake(), or a thread that looks at its deque.  Who has nothing there
  // leaves the request to whoever pushes next: an answer would call somebody for nothing.
  // True: it does, and nobody searches.
  template <typename Arena>
  bool AnswerNeedWake(Arena&& arena) {
    if (!arena.HasToShare() || !need_wake_.Answer()) return false;
    arena.Expose();
    return NotifySpawned(arena);
  }

  // A thread in an isolation sleeps from here, before its last look, to its return.
  void BeginIsolatedSleep() { need_wake_.AskInIsolation(); }
  void EndIsolatedSleep() { need_wake_.IsOver(); }

  // The calling thread leaves tasks in its deque, and notifies after that.
  void LeaveBehind() {
    std::uint32_t before = left_behind_.load(std::memory_order_relaxed);  // W6: the exchange tells
    while (!left_behind_.compare_exchange_weak(before, (before + kOne) | kMark,
                                               std::memory_order_seq_cst,  // W6: before the call
                                               std::memory_order_relaxed)) {
    }
  }
  bool HasLeftBehind() const {
    return (left_behind_.load(std::memory_order_seq_cst) & kMark) != 0;  // W6: before Recruit
  }

  template <typename Arena>
  bool ScanForWork(Arena&& arena) {
    std::uint32_t left = left_behind_.load(std::memory_order_seq_cst);  // W6: then scan
    const bool found = arena.ScanDeques();
    // Unless somebody has left work meanwhile, which may have been missed.
    if (!found && (left & kMark) != 0) {
      left_behind_.compare_exchange_strong(left, left & ~kMark,
                                           std::memory_order_seq_cst,  // W6: none is left
                                           std::memory_order_relaxed);
    }
    return found;
  }

  // How many search; hints for those who only report.
  std::int32_t ApproximateSearchers() const {
    return Looking(searchers_.load(std::memory_order_relaxed));  // W1: a report
  }
  std::int32_t ApproximateQueueSearchers() const {
    return InQueue(searchers_.load(std::memory_order_relaxed));  // W2: a report
  }
  // In a forked child: whoever goes on pushing ends there.
  void AbandonInChild() { need_wake_.AbandonInChild(); }

 private:
  static constexpr std::uint32_t kAnyNumber = 1 << 30;

  // Of left_behind_.
  static constexpr std::uint32_t kMark = 1;
  static constexpr std::uint32_t kOne = 2;

  // Of searchers_: the lower half counts all, the upper half those that look into the queue.
  static constexpr std::uint64_t Searcher(bool serves_queue) {
    return (serves_queue ? std::uint64_t{1} << 32 : 0) + 1;
  }
  static constexpr std::int32_t Looking(std::uint64_t word) {
    return static_cast<std::int32_t>(word & 0xFFFFFFFFu);
  }
  static constexpr std::int32_t InQueue(std::uint64_t word) {
    return static_cast<std::int32_t>(word >> 32);
  }

  // Which last one the calling thread was.
  struct Last {
    bool of_all;
    bool in_queue;
  };
  Last Stop(bool serves_queue) {
    const std::uint64_t before =
        searchers_.fetch_sub(Searcher(serves_queue),
                             std::memory_order_seq_cst);  // W1, W2: the last one scans
    return {Looking(before) == 1, serves_queue && InQueue(before) == 1};
  }

  // Threads that look for work.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint64_t> searchers_{0};
  // Read by every push.
  alignas(kCacheLineSize) BasicNeedWake<Atomics> need_wake_;
  // The mark is set by a thread that leaves tasks in its deque, until a scan finds nothing;
  // the other bits count these threads.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint32_t> left_behind_{0};
};

using IdleProtocol = BasicIdleProtocol<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_IDLE_PROTOCOL_H_

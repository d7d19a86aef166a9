// ForkedChild: what becomes of the scheduler in a child that fork() has made.
//
// A child has one thread, a copy of the one that called fork(), and none of the
// workers; what other threads were doing is never finished, and locks that they
// held stay locked.  So the child may do anything but use the scheduler: every
// way into it, and every wait that the child is in the middle of, ends the child
// at once with a sentence, instead of waiting for ever.  (A loop that is not worth
// the help of others uses nothing of it.)  A child that calls exec or exit notices
// nothing.
//
// If all pools are at rest when fork() is called, there is nothing to be missed, and the
// child uses them as its parent does: none has been used yet, or the workers have been
// retired (Pool::RetireWorkers), and no thread but the caller has an arena.
//
// So that a child can find out, fork() waits while a thread makes what is there once for the
// process (FirstUse), and takes the locks that others may hold (ForkListener, ProcessMutex),
// in this order: HoldOff's, those that are held while a pool's are taken, the pools', the rest, the
// innermost.
//
// Scheduler-internal.
#ifndef FILCH_POOL_FORKED_CHILD_H_
#define FILCH_POOL_FORKED_CHILD_H_

#include <atomic>

#include "filch/pool/linked_list.h"

namespace filch {
namespace pool_internal {

// Who must know of a fork: the pools, and what has a lock that the child may need.
class ForkListener {
 public:
  // Those whose locks are taken first, and last.  Among equals the order is any.  The innermost
  // are those that whoever allocates may want, in the program's operator new.
  enum class Order { kFirst, kPool, kLast, kInnermost };

  ForkListener(const ForkListener&) = delete;
  ForkListener& operator=(const ForkListener&) = delete;

  // Takes the locks that the child will need, and gives them back, in both processes.
  virtual void LockForFork() = 0;
  virtual void UnlockAfterFork() = 0;
  // In the child, before the locks are given back: whether no thread but the one that forked
  // had anything to do with the listener, so that the child may go on with it.
  virtual bool IsAtRest() const { return true; }
  // In the child, before the locks are given back.  Unless all listeners are at rest, the next
  // use of anything that this one owns must look at ForkedChild.
  virtual void BeginInChild(bool all_at_rest) { static_cast<void>(all_at_rest); }

  // ForkedChild's: neighbours in the list of listeners.
  ListLink<ForkListener> link;
  const Order order;

 protected:
  explicit ForkListener(Order its_order) : order(its_order) {}
  ~ForkListener() = default;
};

class ForkedChild {
 public:
  // Whether this process was forked from one with a pool that was not at rest.  Any thread.
  static bool IsThisProcess() {
    return forked_.load(std::memory_order_relaxed);  // F1: written by the child's only thread
  }
  // Ends such a process with a sentence.  Any thread.
  static void MustNotBeThisProcess() {
    if (__builtin_expect(IsThisProcess(), 0)) Fail();
  }

  // The listener hears of forks from now on, and not any more.  Any thread, but none that
  // has a listener's lock.
  static void Tell(ForkListener& listener);
  static void TellNoMore(ForkListener& listener);

  // While there is one, other threads that fork or make one wait.  Any thread, but none that
  // has a listener's lock.
  class HoldOff {
   public:
    HoldOff();
    ~HoldOff();
    HoldOff(const HoldOff&) = delete;
    HoldOff& operator=(const HoldOff&) = delete;
  };

  // Sees to it that the process hears of its forks.  It is called when the library is loaded,
  // and before that by static objects that use the scheduler.
  static bool Watch();

 private:
  static void BeforeFork();
  static void AfterForkInParent();
  static void AfterForkInChild();
  [[noreturn]] static void Fail();

  static std::atomic<bool> forked_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FORKED_CHILD_H_

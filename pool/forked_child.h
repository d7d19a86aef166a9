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
// Scheduler-internal.
#ifndef FILCH_POOL_FORKED_CHILD_H_
#define FILCH_POOL_FORKED_CHILD_H_

#include <atomic>

namespace filch {
namespace pool_internal {

// Who must know of a fork: the pools.
class ForkListener {
 public:
  ForkListener(const ForkListener&) = delete;
  ForkListener& operator=(const ForkListener&) = delete;

  // Takes the locks that the child will need, and gives them back, in both
  // processes.  They may be taken in any order with those of other listeners.
  virtual void LockForFork() = 0;
  virtual void UnlockAfterFork() = 0;
  // Whether no thread but the calling one has anything to do with the listener, so that
  // the child may go on with it.  Between the two.
  virtual bool IsAtRest() const = 0;
  // In the child, before the locks are given back: from now on the next use of
  // anything that the listener owns must look at ForkedChild.
  virtual void AbandonInChild() = 0;

  // Neighbours in the list of listeners; ForkedChild's.
  ForkListener* next = nullptr;
  ForkListener* previous = nullptr;

 protected:
  ForkListener() = default;
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

  // The listener hears of forks from now on, and not any more.  Any thread.
  static void Tell(ForkListener& listener);
  static void TellNoMore(ForkListener& listener);

 private:
  struct Listeners;
  static Listeners& GlobalListeners();
  static void BeforeFork();
  static void AfterForkInParent();
  static void AfterForkInChild();
  [[noreturn]] static void Fail();

  static std::atomic<bool> forked_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FORKED_CHILD_H_

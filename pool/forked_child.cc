#include "filch/pool/forked_child.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "filch/topology/contract.h"

namespace filch {
namespace pool_internal {

std::atomic<bool> ForkedChild::forked_{false};

namespace {

// Initialized before any code runs, and nothing is to be destroyed: a process may fork at any
// time, and a guard that another thread has taken would stay taken in the child.
std::mutex hold_off;
thread_local int held_off = 0;  // by this thread: what is made may make something else
std::mutex listeners_mutex;
LinkedList<ForkListener, &ForkListener::link> listeners;

std::atomic<bool> watched{false};
// Not only with the first use: a fork may have begun before another thread watches, and would not
// know of the locks that it takes afterwards.
[[maybe_unused]] const bool watched_when_loaded = ForkedChild::Watch();

}  // namespace

bool ForkedChild::Watch() {
  if (watched.exchange(true, std::memory_order_relaxed)) return true;  // F1: one of all threads
  return pthread_atfork(&BeforeFork, &AfterForkInParent, &AfterForkInChild) == 0;
}

ForkedChild::HoldOff::HoldOff() {
  Watch();
  if (held_off++ == 0) hold_off.lock();
}

ForkedChild::HoldOff::~HoldOff() {
  if (--held_off == 0) hold_off.unlock();
}

void ForkedChild::Tell(ForkListener& listener) {
  Watch();
  const std::lock_guard<std::mutex> lock(listeners_mutex);
  ForkListener* next = listeners.first();
  while (next != nullptr && next->order < listener.order) next = listeners.Next(*next);
  listeners.InsertBefore(next, listener);
}

void ForkedChild::TellNoMore(ForkListener& listener) {
  const std::lock_guard<std::mutex> lock(listeners_mutex);
  listeners.Remove(listener);
}

void ForkedChild::BeforeFork() {
  if (held_off++ == 0) hold_off.lock();
  listeners_mutex.lock();
  for (ForkListener& listener : listeners) listener.LockForFork();
}

void ForkedChild::AfterForkInParent() {
  for (ForkListener& listener : listeners) listener.UnlockAfterFork();
  listeners_mutex.unlock();
  if (--held_off == 0) hold_off.unlock();
}

void ForkedChild::AfterForkInChild() {
  // Not before the fork: threads enter and leave arenas without a lock.
  bool at_rest = true;
  for (const ForkListener& listener : listeners) at_rest = at_rest && listener.IsAtRest();
  if (!at_rest) {
    forked_.store(true, std::memory_order_relaxed);  // F1: there is no other thread
  }
  for (ForkListener& listener : listeners) {
    listener.BeginInChild(at_rest);
    listener.UnlockAfterFork();
  }
  listeners_mutex.unlock();
  if (--held_off == 0) hold_off.unlock();
}

void ForkedChild::Fail() {
  filch::Fail(
      "filch: this process was forked from one that used the scheduler, and has none of its "
      "threads; it may call exec, or be forked before the first use or after the workers' end.");
}

}  // namespace pool_internal
}  // namespace filch

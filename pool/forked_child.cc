#include "filch/pool/forked_child.h"

#include <pthread.h>

#include <atomic>
#include <mutex>
#include <new>

#include "filch/topology/contract.h"

namespace filch {
namespace pool_internal {

std::atomic<bool> ForkedChild::forked_{false};

struct ForkedChild::Listeners {
  Listeners() { pthread_atfork(&BeforeFork, &AfterForkInParent, &AfterForkInChild); }

  std::mutex mutex;
  ForkListener* first = nullptr;
  bool at_rest = true;  // all of them, when fork() was called
};

ForkedChild::Listeners& ForkedChild::GlobalListeners() {
  // Never destroyed: a process may fork until its end.
  alignas(Listeners) static unsigned char memory[sizeof(Listeners)];
  static auto* const listeners = ::new (memory) Listeners;
  return *listeners;
}

void ForkedChild::Tell(ForkListener& listener) {
  Listeners& listeners = GlobalListeners();
  const std::lock_guard<std::mutex> lock(listeners.mutex);
  listener.next = listeners.first;
  if (listeners.first != nullptr) listeners.first->previous = &listener;
  listeners.first = &listener;
}

void ForkedChild::TellNoMore(ForkListener& listener) {
  Listeners& listeners = GlobalListeners();
  const std::lock_guard<std::mutex> lock(listeners.mutex);
  (listener.previous == nullptr ? listeners.first : listener.previous->next) = listener.next;
  if (listener.next != nullptr) listener.next->previous = listener.previous;
}

void ForkedChild::BeforeFork() {
  Listeners& listeners = GlobalListeners();
  listeners.mutex.lock();
  for (ForkListener* listener = listeners.first; listener != nullptr; listener = listener->next) {
    listener->LockForFork();
  }
  listeners.at_rest = true;
  for (ForkListener* listener = listeners.first; listener != nullptr; listener = listener->next) {
    listeners.at_rest = listeners.at_rest && listener->IsAtRest();
  }
}

void ForkedChild::AfterForkInParent() {
  Listeners& listeners = GlobalListeners();
  for (ForkListener* listener = listeners.first; listener != nullptr; listener = listener->next) {
    listener->UnlockAfterFork();
  }
  listeners.mutex.unlock();
}

void ForkedChild::AfterForkInChild() {
  Listeners& listeners = GlobalListeners();
  if (!listeners.at_rest) {
    forked_.store(true, std::memory_order_relaxed);  // F1: there is no other thread
  }
  for (ForkListener* listener = listeners.first; listener != nullptr; listener = listener->next) {
    if (!listeners.at_rest) listener->AbandonInChild();
    listener->UnlockAfterFork();
  }
  listeners.mutex.unlock();
}

void ForkedChild::Fail() {
  filch::Fail(
      "filch: this process was forked from one that used the scheduler, and has none of its "
      "threads; it may call exec, or be forked before the first use or after the workers' end.");
}

}  // namespace pool_internal
}  // namespace filch

#include "filch/pool/queue_guard.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay_binding.h"
#include "filch/topology/thread_binding.h"

namespace filch {
namespace pool_internal {

void QueueGuard::Watch(Arena& arena) noexcept {
  if (!arena.queue_watch().Begin()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) {
    arena.queue_watch().End();
    return;
  }
  try {
    newcomers_.push_back(&arena);
    if (!thread_.joinable()) {
      // It may run where its starter might, were that not in an arena.
      thread_ = std::thread([this, cpus = BindingOutsideArenas()] {
        if (!cpus.empty()) BindThisThread(cpus).IgnoreError();
        Main();
      });
    }
    changed_.notify_one();
  } catch (...) {
    // The system has no memory or no thread for us; the next call tries again.
    newcomers_.erase(std::remove(newcomers_.begin(), newcomers_.end(), &arena), newcomers_.end());
    arena.queue_watch().End();
  }
}

void QueueGuard::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void QueueGuard::Retire() {
  Stop();
  const std::lock_guard<std::mutex> lock(mutex_);
  thread_ = std::thread();
  stopping_ = false;
}

bool QueueGuard::HasThread() const {
  const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  return !lock.owns_lock() || thread_.joinable();
}

bool QueueGuard::stopping() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stopping_;
}

void QueueGuard::Main() {
  begin_();
  std::vector<Watched> all;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      if (all.empty()) changed_.wait(lock, [&] { return stopping_ || !newcomers_.empty(); });
      for (Arena* const arena : newcomers_) {
        all.push_back({arena, arena->TasksTakenFromQueue(), arena->LookForSteps()});
      }
      newcomers_.clear();
      if (changed_.wait_for(lock, kPatience, [&] { return stopping_; })) break;
    }
    for (Watched& watched : all) LookAt(&watched);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Watched& watched) { return watched.arena == nullptr; }),
              all.end());
  }
  end_();
  // Whoever calls from now on shall call anew.
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Watched& watched : all) watched.arena->queue_watch().End();
  for (Arena* const arena : newcomers_) arena->queue_watch().End();
  newcomers_.clear();
}

// Serves the arena if it needs that, and forgets it if its queue is empty.
void QueueGuard::LookAt(Watched* watched) {
  Arena& arena = *watched->arena;
  if (arena.HasEnqueued() && arena.TasksTakenFromQueue() == watched->taken &&
      arena.LookForSteps() != watched->steps) {
    Serve(arena);
  }
  watched->taken = arena.TasksTakenFromQueue();
  watched->steps = arena.LookForSteps();
  if (!arena.queue_watch().GoesOn([&] { return arena.HasEnqueued(); })) watched->arena = nullptr;
}

void QueueGuard::Serve(Arena& arena) {
  Slot* const slot = arena.OccupyAsGuard();
  if (slot == nullptr) return;  // somebody serves it already
  const EnterScope scope(*slot);
  ArenaSources own(*slot, {0, false, false});
  while (!stopping()) {
    Choice choice = arena.TakeEnqueued(*slot);
    if (!choice) choice = own.PopOwn();
    if (!choice) return;
    RunChain(*slot, choice);
  }
}

}  // namespace pool_internal
}  // namespace filch

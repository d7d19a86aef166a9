#include "filch/pool/queue_guard.h"

#include <list>
#include <mutex>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"

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
    newcomers_.push_back({&arena, 0, 0, 0});
    if (!thread_.joinable()) {
      thread_ = std::thread([this] { Main(); });
    }
    changed_.notify_one();
  } catch (...) {
    // The system has no memory or no thread for us; the next call tries again.
    newcomers_.remove_if([&](const Watched& watched) { return watched.arena == &arena; });
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
  std::list<Watched> all;
  for (;;) {
    std::list<Watched> added;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      if (all.empty()) changed_.wait(lock, [&] { return stopping_ || !newcomers_.empty(); });
      // Needs no memory: there is nobody here to tell that it is short.
      added.splice(added.end(), newcomers_);
    }
    // Without the lock, for who has that of the pool, and calls for somebody, may want it.
    for (Watched& watched : added) NoteSteps(&watched);
    all.splice(all.end(), added);
    {
      std::unique_lock<std::mutex> lock(mutex_);
      if (changed_.wait_for(lock, kPatience, [&] { return stopping_; })) break;
    }
    for (Watched& watched : all) LookAt(&watched);
    all.remove_if([](const Watched& watched) { return watched.arena == nullptr; });
  }
  end_();
  // Whoever calls from now on shall call anew.
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Watched& watched : all) watched.arena->queue_watch().End();
  for (const Watched& watched : newcomers_) watched.arena->queue_watch().End();
  newcomers_.clear();
}

void QueueGuard::NoteSteps(Watched* watched) {
  watched->taken = watched->arena->TasksTakenFromQueue();
  watched->steps = watched->arena->LookForSteps();
  watched->steps_elsewhere = watched->arena->LookForStepsElsewhere();
}

// Whether those who could take what is queued always had something else to do, or wait.
bool QueueGuard::NeedsGuard(const Watched& watched) {
  Arena& arena = *watched.arena;
  return arena.LookForSteps() != watched.steps || arena.WorkerSleepsInWait() ||
         // One that is there comes to it when it has done what it does.
         (!arena.MayHaveWorker() && arena.LookForStepsElsewhere() != watched.steps_elsewhere);
}

// Serves the arena if it needs that, and forgets it if its queue is empty.
void QueueGuard::LookAt(Watched* watched) {
  Arena& arena = *watched->arena;
  const bool starves = arena.HasEnqueued() && arena.TasksTakenFromQueue() == watched->taken;
  if (starves && NeedsGuard(*watched)) {
    Serve(arena);
  } else if (starves) {
    // The system may have had no thread for whoever was called.
    arena.CallForMore();
  }
  NoteSteps(watched);
  if (!arena.queue_watch().GoesOn([&] { return arena.HasEnqueued(); })) watched->arena = nullptr;
}

void QueueGuard::Serve(Arena& arena) {
  Slot* const slot = arena.OccupyAsGuard();
  if (slot == nullptr) return;  // somebody serves it already
  const EnterScope scope(*slot);
  ArenaSources own(*slot, ArenaSources::Scope::OwnAlone(0));
  while (!stopping()) {
    Choice choice = arena.TakeEnqueued(*slot);
    if (!choice) choice = own.PopOwn();
    if (!choice) return;
    RunChain(*slot, choice);
  }
}

}  // namespace pool_internal
}  // namespace filch

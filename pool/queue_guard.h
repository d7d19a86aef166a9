// QueueGuard: the extra thread of a pool, which runs enqueued tasks when every
// other one always has something of its own to do, or waits for something.
//
// The six rules alone starve the shared queue while threads spawn for ever: each
// finds its next task in its own deque (rule 3), or its next units in a loop.  So when a
// task is enqueued and nobody is free to come, the guard watches the arena.  If nothing
// was taken out of its shared queue for a while, though its threads ran other tasks all
// the time, the guard takes a slot of the arena and runs what is queued there, and nothing
// else.  Likewise if there is no worker, while threads of other arenas did that, for a worker
// leaves an arena of the same priority when it finds nothing more; and while a worker sleeps in a
// wait inside a task: it must not begin with what may take long, or wait itself for what
// comes after that wait.  In a full arena that is the extra slot, unless somebody counts on the
// number of slots (Recruiter::CountOnSlots).  It is one thread at most, beyond the limit of the
// pool's workers, and there is none before it is needed.
//
// It is no safety net for lost wake-ups: where all workers sleep that could come, or
// are busy with one task each, it does nothing.
//
// Scheduler-internal; the pool has one.
#ifndef FILCH_POOL_QUEUE_GUARD_H_
#define FILCH_POOL_QUEUE_GUARD_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "filch/pool/arena.h"

namespace filch {
namespace pool_internal {

class QueueGuard {
 public:
  // How long a task may wait while others run: far more than a busy arena needs,
  // and little for whoever waits for an answer.
  static constexpr std::chrono::milliseconds kPatience{10};

  // `begin` and `end` are called on the thread when it starts and stops.
  QueueGuard(std::function<void()> begin, std::function<void()> end)
      : begin_(std::move(begin)), end_(std::move(end)) {}
  QueueGuard(const QueueGuard&) = delete;
  QueueGuard& operator=(const QueueGuard&) = delete;
  ~QueueGuard() { Stop(); }

  // There are tasks in the arena's shared queue and nobody was free to come for
  // them.  The arena outlives the guard.  Any thread.
  void Watch(Arena& arena) noexcept;

  // Ends the thread, after the task that it is running.  One thread at a time, not
  // the guard's own.  After Stop, Watch does nothing; after Retire, it starts a
  // new thread.
  void Stop();
  void Retire();
  // Whether there is one, or somebody may be about to start it.  Any thread.
  bool HasThread() const;

 private:
  // An arena and what was known of it when it was looked at last.
  struct Watched {
    Arena* arena;
    std::int64_t taken;  // from the shared queue
    std::int64_t steps;
    std::int64_t steps_elsewhere;
  };

  void Main();
  static void NoteSteps(Watched* watched);
  static bool NeedsGuard(const Watched& watched);
  void LookAt(Watched* watched);
  void Serve(Arena& arena);
  bool stopping();

  const std::function<void()> begin_;
  const std::function<void()> end_;
  mutable std::mutex mutex_;  // the rest
  // One thread waits, so the defects of condition variables with several waiters
  // do not matter; and tasks do not depend on it to be run.
  std::condition_variable changed_;
  bool stopping_ = false;
  std::list<Watched> newcomers_;
  std::thread thread_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_QUEUE_GUARD_H_

// Pool: worker threads, and the arenas that they serve.
//
// Most programs need no Pool of their own: Join, TaskGroup and ParallelFor use
// the default one.  Make one to keep the threads of a component apart.
//
//   filch::Pool pool;
//   pool.Execute([] { filch::Join([] { A(); }, [] { B(); }); });
//
// Workers are started when there is work that nobody else takes, up to the
// limit; a pool whose limit is 0 works, on the threads that wait.  An idle
// worker looks around for a moment (IdleMode) and then sleeps until it is called.
//
// Memory ordering: what a thread did before it made the pool is visible to its workers, and what
// they did to who has destroyed it.  Limits and modes that are set while the pool works order
// nothing: threads act on them a little later.
#ifndef FILCH_POOL_POOL_H_
#define FILCH_POOL_POOL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_list.h"
#include "filch/pool/caller.h"
#include "filch/pool/execute.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/pool_options.h"
#include "filch/pool/sleeping_lock.h"
#include "filch/pool/stats.h"
#include "filch/pool/worker_place.h"
#include "filch/pool/workforce.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/plain_vector.h"

namespace filch {

namespace pool_internal {
class QueueGuard;
class Worker;
}  // namespace pool_internal

class Pool final : private Recruiter, private pool_internal::ForkListener {
 public:
  // Starts no thread yet.  Throws std::bad_alloc.  A concurrency below 0 or above
  // kMaxWorkers ends the process.
  explicit Pool(const PoolOptions& options = PoolOptions());
  // Runs what is queued and joins the workers.  Ends the process if a thread is inside
  // the pool, or if the calling thread is one of its workers.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The concurrency that the pool was made with.
  int concurrency() const { return concurrency_; }
  // Where its threads may run, and not where whoever happens to start one may.  Empty if the system
  // does not tell.
  const CpuSet& cpus() const { return cpus_; }
  // The floating-point settings of its threads, for FpControl: those of the thread that
  // made the pool.
  std::uint32_t fp_settings() const { return fp_settings_; }

  // How many workers may run, beside the threads that wait; more than kMaxWorkers count as
  // kMaxWorkers, and less than 0 ends the process.  May be changed while they run:
  // superfluous workers leave when their current work is done, and do not come for what is
  // spawned after the call.  At 0 one comes all the same, if it is free, for what is enqueued,
  // and, while a thread sleeps in a wait, for what others have left in their deques; while it
  // is there it takes what there is, as any other.  Any thread.
  void SetWorkerLimit(int limit);
  int worker_limit() const { return workforce_.limit(); }
  static constexpr int kMaxWorkers = 1024;

  // For whoever asks how many slots an arena will have before a thread is in one: see
  // Recruiter.
  using Recruiter::CountOnSlots;

  // Ends all workers and returns when they have ended; what is queued runs first.
  // Others are started when there is work again.  Any thread but a worker, which ends the
  // process, and not while it holds something that a worker may wait for.
  void RetireWorkers();

  // The stack of workers that start from now on, in bytes; 0 is what the system gives.
  // Any thread.
  void SetWorkerStackSize(std::size_t bytes) {
    worker_stack_size_.store(bytes, std::memory_order_relaxed);  // P1: a hint, as the limit
  }

  // Whether a thread that finds no work leaves at once (ArenaOptions::leave_fast), in the
  // arenas that threads without one get from now on.  Any thread.
  void SetLeaveFast(bool leave_fast) {
    leave_fast_.store(leave_fast, std::memory_order_relaxed);  // H2: a hint
  }
  bool leave_fast() const { return leave_fast_.load(std::memory_order_relaxed); }  // H2: a hint

  // How many arenas somebody has acquired and not released.  Any thread.
  int arenas_in_use() const;
  // How many workers there are, asleep or not.  Any thread.
  int workers() const;
  // Whether no thread is in an arena, and nothing is to be done that a worker could come for.
  // A hint; any thread.
  bool IsIdle() const;

  // Runs f() inside the pool's own arena and returns what it returns, or throws what it
  // throws; see ExecuteIn.  Any thread.
  template <typename F>
  auto Execute(F&& f) -> decltype(f());

  // Counters of all slots and workers since the pool was made.  Any thread.
  PoolStats Stats() const;

  // The last events in the format of chrome://tracing and Perfetto: for every slot,
  // tasks with the rule that chose them (a steal is one of them), the sleeps of threads
  // that wait there, and their calls of others; for every worker, its sleeps between
  // two slots.  Functions of a Join that nobody stole are part of their caller.  Any
  // thread.
  std::string TraceJson() const;

  // Who has what to do, and who does what, as text: every arena with its shared
  // queue and the calls for workers, every slot that was ever used with its
  // deque, its mail and whether its thread is awake, and how many workers there
  // are and could be.  It answers "why is nobody running this?"; see
  // pool/README.md.  What is queued is said to be there since the first Dump that
  // found the same in front: call it twice.  Any thread, any time; a moment's look at each, not a
  // snapshot of all.
  std::string Dump() const;

  // An arena with these options that nobody else has acquired or is attached to, made or reused.
  // One where its last owner has left tasks, or a thread that has something to do, is reused when
  // they are gone.
  // Throws std::bad_alloc.  Any thread.
  Arena& AcquireArena(const ArenaOptions& options);
  // The arena is not used any more by whoever acquired it; what is queued in it still
  // runs.  Any thread.
  void ReleaseArena(Arena& arena);

 private:
  friend class pool_internal::Worker;

  // --- Recruiter
  void Recruit(Arena& arena, std::uint32_t most, pool_internal::Caller caller) noexcept override;
  bool CouldCome(Arena& arena) const override;
  bool CanCall(Arena& arena) const override;
  void ShowNote(Arena& arena) noexcept override;
  void BeginSleepingWait(bool serves_queue) noexcept override;
  void EndSleepingWait(bool serves_queue) noexcept override;
  bool WorkerSleepsInWait() const override;
  std::int64_t LookForStepsBeside(const Arena& arena) override;

  // --- ForkListener
  void LockForFork() override;
  void UnlockAfterFork() override;
  bool IsAtRest() const override;
  void BeginInChild(bool all_at_rest) override;

  // What Workforce works for.
  class Host;

  // One round over the arenas of a pool without workers; whether there was work.
  bool RunWhatIsLeft();
  // There may be more workers than before: calls some for each arena that may want them.
  void CallWhereWanted();
  // ArenaList::At, for who does not have the lock.
  Arena* ArenaAt(std::size_t place) const;
  // Binds the calling thread, worker `number`, to its place.
  void BindWorker(int number);

  const CpuSet cpus_;
  const int concurrency_;
  const pool_internal::IdleTimes idle_times_;
  const std::string name_;
  const std::function<void(int)> thread_start_;
  const std::function<void(int)> thread_stop_;
  const std::vector<WorkerPlace> places_;
  const std::size_t trace_events_;
  const std::uint32_t fp_settings_;
  pool_internal::Workforce workforce_;
  std::atomic<std::size_t> worker_stack_size_{0};
  std::atomic<bool> leave_fast_{false};
  std::atomic<std::int64_t> wakes_{0};
  std::atomic<std::int64_t> refused_{0};
  std::atomic<int> unbound_{0};
  // Workers that sleep in waits and cannot be called to a queue.
  std::atomic<int> waiting_workers_{0};

  std::mutex retire_mutex_;        // held by the thread that retires workers
  bool retire_is_locked_ = false;  // by a thread that forks
  // The rest.  Those who are called come at the same time, and need it for less than a sleep
  // would take.
  mutable pool_internal::SleepingLock mutex_;
  pool_internal::ArenaList arenas_;
  PlainVector<std::unique_ptr<pool_internal::Worker>> workers_;
  Arena* own_arena_ = nullptr;
  std::unique_ptr<pool_internal::QueueGuard> guard_;
};

template <typename F>
auto Pool::Execute(F&& f) -> decltype(f()) {
  return ExecuteIn(*own_arena_, std::forward<F>(f));
}

}  // namespace filch

#endif  // FILCH_POOL_POOL_H_

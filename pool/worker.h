// Worker: one thread of a pool.
#ifndef FILCH_POOL_WORKER_H_
#define FILCH_POOL_WORKER_H_

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "filch/pool/arena.h"
#include "filch/pool/caller.h"
#include "filch/pool/parker.h"
#include "filch/pool/stats.h"
#include "filch/pool/stay.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/wake_placement.h"

namespace filch {

class Pool;

namespace pool_internal {

class Worker final : public Stay {
 public:
  // It traces its last `trace_events` sleeps, 0: none.
  Worker(Pool& pool, int number, std::size_t trace_events);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the thread; it may be called from then on.  `stack_size` is in bytes; 0 is
  // what the system gives.  Throws std::system_error if the system has no thread.
  void Start(const std::string& name, std::size_t stack_size);
  // Wakes the thread if it sleeps.  Any thread.
  void Unpark() { parker_.Unpark(); }
  // The same, for work.  Any thread.
  void Call(Caller caller) {
    if (looks_out_.load(std::memory_order_relaxed)) {  // X2: a hint
      // Nobody would wake it: on this cpu it waits for its turn.
      placement_.KeepOffIfHere();
      return Unpark();
    }
    parker_.UnparkAfter([this, caller] { placement_.PlaceWake(caller); });
  }
  // Waits for the thread's end, if there is one.  The pool is shutting down, or its
  // workers retire.
  void Join();

  // What the thread has counted.  Any thread.
  void AddTo(PoolStats& sum) const {
    sum.parks += parks_.Read();
    sum.lookouts += lookouts_.Read();
  }

  // Null if the pool is not traced.
  const TraceBuffer* trace() const { return trace_.get(); }

  // --- the loop of its life, for Workforce
  void ServeIn(Slot& slot);
  void Park();

  // --- Stay
  bool MustLeave() override;
  bool MayBegin() override;
  bool IsForQueueAlone() override;
  bool IsWantedElsewhere() override;
  bool MayLinger() override;
  bool IsInTheWay() override;
  void MakeWay() override;
  void AnnounceSleep() override;
  bool WithdrawSleep() override;

 private:
  static void* RunThread(void* worker);
  // The thread's life, and its work in between.
  void Live();
  void Main();
  // Waits for a call without sleeping, if that is for it to do now.  Whether there was
  // one.
  bool LookOut();
  void Sleep();

  Pool& pool_;
  const int number_;
  Slot* slot_ = nullptr;       // where it is
  bool wanted_above_ = false;  // it leaves for an arena of higher priority
  Parker parker_;
  WakePlacement placement_;
  std::atomic<bool> looks_out_{false};
  const std::unique_ptr<TraceBuffer> trace_;
  Counter parks_;
  Counter lookouts_;
  std::string name_;
  pthread_t thread_{};
  bool has_thread_ = false;
};

// From now on the calling thread is one of the pool's.
void BecomeThreadOf(const Pool& pool, const std::string& name);

// The pool whose worker the calling thread is, or null.
const Pool* PoolOfCallingWorker();

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WORKER_H_

// Stay: a worker's stay in an arena, as those see it who find its tasks for it.
//
// Scheduler-internal.  The worker's thread.
#ifndef FILCH_POOL_STAY_H_
#define FILCH_POOL_STAY_H_

namespace filch {
namespace pool_internal {

class Stay {
 public:
  // Whether the worker has to go although there may be work.
  virtual bool MustLeave() = 0;
  // Whether the worker may begin with a task that it has just stolen or got by mail.  Not if
  // the task was spawned after the limit was lowered, unless it is still needed here.
  virtual bool MayBegin() = 0;
  // Whether the limit keeps the worker from all but what is enqueued, or left behind for it.
  virtual bool IsForQueueAlone() = 0;
  // Whether another arena wants somebody, who could be this worker.
  virtual bool IsWantedElsewhere() = 0;
  // Whether the worker may look for some time when there is nothing.
  virtual bool MayLinger() = 0;
  // Whether the worker runs where somebody was who called it and may want to go on there, but for
  // the worker; and lets that one go on, now that there is nothing to do at once.
  virtual bool IsInTheWay() = 0;
  virtual void MakeWay() = 0;
  // The worker will sleep if nobody calls it: from now on it can be called.
  virtual void AnnounceSleep() = 0;
  // It will not sleep after all.  False: it was called meanwhile.
  virtual bool WithdrawSleep() = 0;

 protected:
  ~Stay() = default;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_STAY_H_

// Worker: one thread of a pool.
#ifndef FILCH_POOL_WORKER_H_
#define FILCH_POOL_WORKER_H_

#include <string>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/parker.h"

namespace filch {

class Pool;

namespace pool_internal {

class Worker final : public Stay {
 public:
  Worker(Pool& pool, int number) : pool_(pool), number_(number) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the thread; it may be called from then on.  Throws
  // std::system_error if the system has none.
  void Start(const std::string& name);
  // Calls the thread if it sleeps.  Any thread.
  void Unpark() { parker_.Unpark(); }
  // Waits for the thread's end; the pool is shutting down.
  void Join() { thread_.join(); }

  // --- the loop of its life, for Workforce
  void ServeIn(Slot& slot);
  void Park() { parker_.Park(); }

  // --- Stay
  bool MustLeave() override;
  void AnnounceSleep() override;
  bool WithdrawSleep() override;

 private:
  void Main(const std::string& name);

  Pool& pool_;
  const int number_;
  Arena* arena_ = nullptr;  // where it is
  Parker parker_;
  std::thread thread_;
};

// The pool whose worker the calling thread is, or null.
const Pool* PoolOfCallingWorker();

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WORKER_H_

#include "filch/pool/worker.h"

#include <pthread.h>

#include <atomic>
#include <string>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {
namespace {

thread_local const Pool* pool_of_this_worker = nullptr;

}  // namespace

const Pool* PoolOfCallingWorker() { return pool_of_this_worker; }

void Worker::Start(const std::string& name) {
  thread_ = std::thread([this, name] { Live(name); });
}

bool Worker::MustLeave() { return !pool_.MayServe(number_, *arena_); }

void Worker::AnnounceSleep() {
  pool_.free_workers_.fetch_add(1, std::memory_order_seq_cst);  // P3: before it stops searching
  pool_.sleepers_.Add(number_);
}

bool Worker::WithdrawSleep() {
  if (!pool_.sleepers_.Remove(number_)) return false;
  pool_.free_workers_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it goes on searching
  return true;
}

void Worker::Live(const std::string& name) {
  pool_of_this_worker = &pool_;
  // The kernel keeps 15 characters.
  pthread_setname_np(pthread_self(), (name + "/" + std::to_string(number_)).substr(0, 15).c_str());
  pool_.BindWorker(number_);
  if (pool_.thread_start_) pool_.thread_start_(number_);
  Main();
  if (pool_.thread_stop_) pool_.thread_stop_(number_);
}

void Worker::Main() {
  for (;;) {
    pool_.sleepers_.Add(number_);
    if (Slot* const slot = pool_.FindWanted(number_)) {
      // Called meanwhile for an arena that was not wanted when it was looked at:
      // somebody else has to go there.
      if (!pool_.sleepers_.Remove(number_)) pool_.PassOn();
      arena_ = slot->arena;
      const EnterScope scope(*slot);
      Serve(*slot, *this);
      continue;
    }
    if (pool_.shutting_down_.load(std::memory_order_seq_cst)) return;  // P2: after Add
    if (number_ >= pool_.worker_limit()) {
      // Superfluous: whoever is called from now on must be somebody else, except
      // for the first worker, which enqueued tasks may need any time.  A call
      // that this worker did not follow must not look as if somebody came.
      if (number_ != 0) pool_.sleepers_.Remove(number_);
      pool_.PassOn();
    }
    parker_.Park();
  }
}

}  // namespace pool_internal
}  // namespace filch

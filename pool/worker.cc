#include "filch/pool/worker.h"

#include <pthread.h>

#include <string>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/pool.h"
#include "filch/pool/pool_host.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {
namespace {

thread_local const Pool* pool_of_this_worker = nullptr;

}  // namespace

const Pool* PoolOfCallingWorker() { return pool_of_this_worker; }

void Worker::Start(const std::string& name) {
  thread_ = std::thread([this, name] { Main(name); });
}

bool Worker::MustLeave() { return !pool_.workforce_.MayServe(number_, *arena_); }

void Worker::AnnounceSleep() { pool_.workforce_.AnnounceSleep(number_); }

bool Worker::WithdrawSleep() { return pool_.workforce_.WithdrawSleep(number_); }

void Worker::Main(const std::string& name) {
  pool_of_this_worker = &pool_;
  // The kernel keeps 15 characters.
  pthread_setname_np(pthread_self(), (name + "/" + std::to_string(number_)).substr(0, 15).c_str());
  Pool::Host host(pool_);
  pool_.workforce_.RunWorker(host, number_, *this);
}

void Worker::ServeIn(Slot& slot) {
  arena_ = slot.arena;
  const EnterScope scope(slot);
  Serve(slot, *this);
}

}  // namespace pool_internal
}  // namespace filch

#include "filch/pool/worker.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay_binding.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"

namespace filch {
namespace pool_internal {
namespace {

thread_local const Pool* pool_of_this_worker = nullptr;

}  // namespace

void BecomeThreadOf(const Pool& pool, const std::string& name) {
  pool_of_this_worker = &pool;
  MarkCallingThreadAsWorker();
  // The kernel keeps 15 characters.
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

const Pool* PoolOfCallingWorker() { return pool_of_this_worker; }

void* Worker::RunThread(void* worker) {
  static_cast<Worker*>(worker)->Live();
  return nullptr;
}

void Worker::Start(const std::string& name, std::size_t stack_size) {
  // The kernel keeps 15 characters.
  name_ = (name + "/" + std::to_string(number_)).substr(0, 15);
  // It may run where its starter might, were that not in an arena.
  cpus_ = BindingOutsideArenas();
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    if (stack_size != 0) {
      const auto least = static_cast<std::size_t>(sysconf(_SC_THREAD_STACK_MIN));
      // A size that the system refuses is not taken.
      pthread_attr_setstacksize(&attributes, std::max(stack_size, least));
    }
    error = pthread_create(&thread_, &attributes, &Worker::RunThread, this);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) throw std::system_error(error, std::generic_category());
  has_thread_ = true;
}

void Worker::Join() {
  if (std::exchange(has_thread_, false)) pthread_join(thread_, nullptr);
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

void Worker::Live() {
  if (!cpus_.empty()) BindThisThread(cpus_).IgnoreError();
  BecomeThreadOf(pool_, name_);
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
      const EnterScope scope(*slot, EnterScope::Searching());
      Serve(*slot, *this);
      continue;
    }
    if (pool_.shutting_down_.load(std::memory_order_seq_cst)) return;  // P2: after Add
    if (pool_.retiring_.load(std::memory_order_seq_cst)) {             // P4: after Add
      const bool called = !pool_.sleepers_.Remove(number_);
      pool_.free_workers_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it is gone
      // Whoever was called must be somebody else, when there is somebody again.
      if (called) pool_.PassOn();
      return;
    }
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

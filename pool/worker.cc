#include "filch/pool/worker.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/enter.h"
#include "filch/pool/idle_loops.h"
#include "filch/pool/idle_thread.h"
#include "filch/pool/lookout.h"
#include "filch/pool/pool.h"
#include "filch/pool/pool_host.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay.h"
#include "filch/pool/stay_binding.h"
#include "filch/pool/trace_buffer.h"
#include "filch/pool/workforce.h"
#include "filch/topology/fp_control.h"

namespace filch {
namespace pool_internal {
namespace {

thread_local const Pool* pool_of_this_worker = nullptr;

}  // namespace

void BecomeThreadOf(const Pool& pool, const std::string& name) {
  pool_of_this_worker = &pool;
  MarkCallingThreadAsWorker();
  // Linux hands down what the starter has, who may be in a task.
  BindIfPossible(pool.cpus());
  FpControl::Write(pool.fp_settings());
  // The kernel keeps 15 characters.
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

const Pool* PoolOfCallingWorker() { return pool_of_this_worker; }

Worker::Worker(Pool& pool, int number, std::size_t trace_events)
    : pool_(pool),
      number_(number),
      trace_(trace_events > 0 ? std::make_unique<TraceBuffer>(trace_events) : nullptr) {}

void* Worker::RunThread(void* worker) {
  static_cast<Worker*>(worker)->Live();
  return nullptr;
}

void Worker::Start(const std::string& name, std::size_t stack_size) {
  name_ = name + "/" + std::to_string(number_);
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    if (stack_size != 0) {
      const auto least = static_cast<std::size_t>(sysconf(_SC_THREAD_STACK_MIN));
      // A size that the system refuses is not taken.
      pthread_attr_setstacksize(&attributes, std::max(stack_size, least));
    }
    placement_.PlaceStart(attributes);
    error = pthread_create(&thread_, &attributes, &Worker::RunThread, this);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) throw std::system_error(error, std::generic_category());
  has_thread_ = true;
}

void Worker::Join() {
  if (std::exchange(has_thread_, false)) pthread_join(thread_, nullptr);
}

bool Worker::MustLeave() {
  Pool::Host host(pool_);
  return pool_.workforce_.MustLeave(host, *slot_->arena, *slot_, number_, &wanted_above_);
}

bool Worker::MayBegin() { return pool_.workforce_.MayServe(number_, *slot_->arena); }

bool Worker::IsForQueueAlone() {
  return number_ == 0 && !wanted_above_ && !pool_.workforce_.IsWithinLimit(number_);
}

bool Worker::IsWantedElsewhere() {
  Pool::Host host(pool_);
  return pool_.workforce_.WantsElsewhere(host, *slot_->arena, number_);
}

bool Worker::MayLinger() { return !pool_.workforce_.LooksRetiring(); }

bool Worker::IsInTheWay() { return placement_.IsInTheWay(); }

void Worker::MakeWay() { placement_.MakeWay(); }

void Worker::AnnounceSleep() { pool_.workforce_.AnnounceSleep(number_); }

bool Worker::WithdrawSleep() { return pool_.workforce_.WithdrawSleep(number_); }

void Worker::Live() {
  placement_.WakeUp();
  BecomeThreadOf(pool_, name_);
  pool_.BindWorker(number_);
  if (pool_.thread_start_) pool_.thread_start_(number_);
  Main();
  if (pool_.thread_stop_) pool_.thread_stop_(number_);
}

void Worker::Main() {
  Pool::Host host(pool_);
  pool_.workforce_.RunWorker(host, number_, *this);
}

bool Worker::LookOut() {
  const std::chrono::nanoseconds time = pool_.idle_times_.lookout;
  Workforce& workforce = pool_.workforce_;
  if (time.count() == 0 || !workforce.IsWithinLimit(number_)) return false;
  if (!workforce.BeginLookout(number_)) return false;
  lookouts_.Increment();
  placement_.FallAsleep();
  looks_out_.store(true, std::memory_order_relaxed);  // X2: a hint
  StayOnLookout<std::chrono::steady_clock>(
      time, [&] { return parker_.HasToken() || !workforce.IsWithinLimit(number_); },
      [this] {
        std::this_thread::yield();
        placement_.StayHere();
      });
  looks_out_.store(false, std::memory_order_relaxed);  // X2: a hint
  workforce.EndLookout();
  return parker_.HasToken();
}

void Worker::Park() {
  if (LookOut()) {
    parker_.Park();  // returns at once
  } else {
    Sleep();
  }
  placement_.WakeUp();
}

void Worker::Sleep() {
  parks_.Increment();
  placement_.FallAsleep();
  if (trace_ != nullptr) trace_->Record(TraceKind::kParkBegin);
  parker_.Park();
  if (trace_ != nullptr) trace_->Record(TraceKind::kParkEnd);
}

void Worker::ServeIn(Slot& slot) {
  slot_ = &slot;
  wanted_above_ = false;
  const EnterScope scope(slot, EnterScope::Searching());
  Stay& stay = *this;
  IdleThread thread(slot, stay);
  ServeUntilIdle(thread, stay);
}

}  // namespace pool_internal
}  // namespace filch

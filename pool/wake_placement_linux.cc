#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "filch/pool/wake_placement.h"

namespace filch {
namespace pool_internal {
namespace {

// Takes the calling thread's cpu out of `cpus`; false if nothing would be left, or if it
// is not there.
bool TakeThisCpuOut(cpu_set_t& cpus) {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &cpus)) return false;
  CPU_CLR(here, &cpus);
  return CPU_COUNT(&cpus) != 0;
}

}  // namespace

void WakePlacement::PlaceStart(pthread_attr_t& attributes) {
  has_slept_ = false;
  if (sched_getaffinity(0, sizeof(everywhere_), &everywhere_) != 0) return;
  cpu_set_t others = everywhere_;
  if (!TakeThisCpuOut(others)) return;
  if (pthread_attr_setaffinity_np(&attributes, sizeof(others), &others) != 0) return;
  restricted_.store(true, std::memory_order_relaxed);  // X2: the thread is started after this
}

void WakePlacement::FallAsleep() {
  StayHere();
  if (!std::exchange(has_slept_, true)) {
    thread_.store(gettid(), std::memory_order_relaxed);  // X3: a caller without it wakes only
  }
  if (restricted_.load(std::memory_order_relaxed)) {  // X2: missed when it woke up
    WakeUp();
  } else if (sched_getaffinity(0, sizeof(everywhere_), &everywhere_) != 0) {
    CPU_ZERO(&everywhere_);
  }
}

void WakePlacement::StayHere() {
  slept_on_.store(sched_getcpu(), std::memory_order_relaxed);  // X2: a hint
}

void WakePlacement::WakeUp() {
  // X2: a caller that is late is found in FallAsleep.
  if (!restricted_.load(std::memory_order_relaxed)) return;
  restricted_.store(false, std::memory_order_relaxed);  // X2: for the next call
  // A cpu that is offline by now is left out by the kernel.
  sched_setaffinity(0, sizeof(everywhere_), &everywhere_);
}

void WakePlacement::End() {
  if (!has_slept_) return;
  // X3: after what a caller does; it is a few system calls
  while (thread_.exchange(0, std::memory_order_acquire) == 0) sched_yield();
}

void WakePlacement::KeepOffThisCpu() {
  // Where it slept the kernel wakes it, which is as good a place as any other.
  if (sched_getcpu() != slept_on_.load(std::memory_order_relaxed)) return;  // X2: a hint
  // X3: it does not end until it is given back
  const pid_t thread = thread_.exchange(0, std::memory_order_acquire);
  if (thread == 0) return;
  cpu_set_t cpus;
  if (sched_getaffinity(thread, sizeof(cpus), &cpus) == 0 && TakeThisCpuOut(cpus)) {
    restricted_.store(true, std::memory_order_relaxed);  // X2: before the thread is woken
    sched_setaffinity(thread, sizeof(cpus), &cpus);
  }
  thread_.store(thread, std::memory_order_release);  // X3: it may end
}

}  // namespace pool_internal
}  // namespace filch

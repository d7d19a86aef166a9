#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "filch/pool/caller.h"
#include "filch/pool/wake_placement.h"
#include "filch/topology/tick_clock.h"

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
  own_number_ = 0;
  restricted_ = false;
  called_at_.store(0, std::memory_order_relaxed);  // X2: of a call of the last thread
  if (sched_getaffinity(0, sizeof(everywhere_), &everywhere_) != 0) return;
  kept_to_ = everywhere_;
  if (!TakeThisCpuOut(kept_to_)) return;
  restricted_ = pthread_attr_setaffinity_np(&attributes, sizeof(kept_to_), &kept_to_) == 0;
}

void WakePlacement::FallAsleep() {
  StayHere();
  called_at_.store(0, std::memory_order_relaxed);  // X2: of a call that came too late
  if (std::exchange(sleeps_, true)) return;
  if (own_number_ == 0) own_number_ = gettid();
  thread_.store(own_number_, std::memory_order_release);  // X3: nothing is taken from it
}

void WakePlacement::StayHere() {
  last_cpu_.store(sched_getcpu(), std::memory_order_relaxed);  // X2: a hint
}

void WakePlacement::WakeUp() {
  if (std::exchange(sleeps_, false)) TakeThread();
  const std::uint64_t called_at = called_at_.exchange(0, std::memory_order_relaxed);  // X2: a hint
  const bool was_kept_off = LiftRestriction();
  in_the_way_ = false;
  if (called_at == 0) return;
  LearnFrom(was_kept_off, TookLong(called_at));
  in_the_way_ = IsWhereCallerWas();
  const Caller caller = caller_.load(std::memory_order_relaxed);  // X2: a hint
  if (in_the_way_ && caller == Caller::kWorksOn) MakeWay();
}

void WakePlacement::LearnFrom(bool was_kept_off, bool was_late) {
  int keep_off = keep_off_.load(std::memory_order_relaxed);  // X2: one writer
  if (keep_off > 0) --keep_off;
  if (was_kept_off) {
    // Where all cpus are busy that does not help.
    doubts_ = was_late ? std::min(doubts_ + 1, kMostDoubts) : 0;
    if (was_late) keep_off = 0;
  } else if (was_late && ++late_ >= 1 << doubts_) {
    late_ = 0;
    keep_off = kKeptOff;
  }
  keep_off_.store(keep_off, std::memory_order_relaxed);  // X2: for the next calls
}

bool WakePlacement::TookLong(std::uint64_t since) {
  // The clocks of two cpus may differ.
  return static_cast<std::int64_t>(Ticks() - since) > kLong;
}

bool WakePlacement::IsWhereCallerWas() const {
  return called_from_.load(std::memory_order_relaxed) == sched_getcpu();  // X2: a hint
}

void WakePlacement::TakeThread() {
  // X3: after what a caller does; it is a few system calls
  while (thread_.exchange(0, std::memory_order_acquire) == 0) sched_yield();
}

bool WakePlacement::LiftRestriction() {
  if (!std::exchange(restricted_, false)) return false;
  cpu_set_t now;
  const bool is_theirs =
      sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &kept_to_) != 0;
  // If not, somebody has set it since, or the system has fewer cpus.
  if (is_theirs) sched_setaffinity(0, sizeof(everywhere_), &everywhere_);
  return true;
}

void WakePlacement::MakeWay() {
  in_the_way_ = false;
  if (!IsWhereCallerWas()) return;
  if (stays_ > 0) {
    --stays_;
    return;
  }
  const std::uint64_t begin = Ticks();
  cpu_set_t before;
  if (sched_getaffinity(0, sizeof(before), &before) != 0) return;
  cpu_set_t others = before;
  if (!TakeThisCpuOut(others) || sched_setaffinity(0, sizeof(others), &others) != 0) return;
  sched_setaffinity(0, sizeof(before), &before);
  // It had to wait for the others.
  if (TookLong(begin)) stays_ = kStays;
}

void WakePlacement::PlaceWake(Caller caller) {
  const int here = sched_getcpu();
  called_from_.store(here, std::memory_order_relaxed);                        // X2: a hint
  caller_.store(caller, std::memory_order_relaxed);                           // X2: a hint
  called_at_.store(Ticks(), std::memory_order_relaxed);                       // X2: a hint
  const bool slept_here = last_cpu_.load(std::memory_order_relaxed) == here;  // X2: a hint
  if ((caller == Caller::kWorksOn && slept_here) ||
      keep_off_.load(std::memory_order_relaxed) > 0) {  // X2: a hint
    KeepOffThisCpu();
  }
}

void WakePlacement::KeepOffIfHere() {
  if (sched_getcpu() == last_cpu_.load(std::memory_order_relaxed)) KeepOffThisCpu();  // X2: a hint
}

void WakePlacement::KeepOffThisCpu() {
  // X3: it does not go on until it is given back
  const pid_t thread = thread_.exchange(0, std::memory_order_acquire);
  if (thread == 0) return;
  cpu_set_t before;
  if (sched_getaffinity(thread, sizeof(before), &before) == 0) {
    cpu_set_t others = before;
    if (TakeThisCpuOut(others) && sched_setaffinity(thread, sizeof(others), &others) == 0) {
      // What an earlier call has taken is to be put back, too.
      const bool was_theirs = restricted_ && CPU_EQUAL(&before, &kept_to_) != 0;
      if (!was_theirs) everywhere_ = before;
      kept_to_ = others;
      restricted_ = true;
    }
  }
  thread_.store(thread, std::memory_order_release);  // X3: what was taken from it is noted
}

}  // namespace pool_internal
}  // namespace filch

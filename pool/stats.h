// SlotStats and PoolStats: what the scheduler did, counted.
//
// Every counter is written by one thread with a plain increment, so counting
// costs no read-modify-write; reading while threads run gives a recent value.
#ifndef FILCH_POOL_STATS_H_
#define FILCH_POOL_STATS_H_

#include <atomic>
#include <cstdint>
#include <string>

namespace filch {

// Sums over every slot and worker of a pool since it was made.
struct PoolStats {
  std::int64_t tasks = 0;      // run; what a Join calls, because no thief took it, is not one
  std::int64_t steals = 0;     // tasks taken from another slot: its deque, or what was left there
  std::int64_t mails = 0;      // tasks taken by affinity (rule 4)
  std::int64_t shared = 0;     // tasks taken from a shared queue (rule 5)
  std::int64_t exposures = 0;  // times that a thread made some of its private tasks stealable
  std::int64_t forced = 0;     // times that a thief did, for its victim did not answer
  std::int64_t parks = 0;      // times that a thread went to sleep
  std::int64_t lookouts = 0;   // times that a worker stayed awake for a call
  std::int64_t wakes = 0;      // times that a sleeping thread was called for work
  std::int64_t refused = 0;    // times that the system had no thread or no memory for a worker
  int unbound = 0;             // workers that could not be bound to their places
  int workers = 0;             // threads that exist now

  // One JSON object with the members above.
  std::string ToJson() const;
};

namespace pool_internal {

// A counter with one writer.
class Counter {
 public:
  // The writer only.
  void Increment() {
    // A1: one writer; readers want a recent value and order nothing by it.
    value_.store(value_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Any thread.
  std::int64_t Read() const { return value_.load(std::memory_order_relaxed); }  // A1: as above

 private:
  std::atomic<std::int64_t> value_{0};
};

// Written by the thread in the slot.
struct SlotStats {
  Counter dispatched;
  Counter steals;
  Counter mails;
  Counter shared;
  Counter exposures;
  Counter forced;
  Counter parks;
  Counter answers;  // to requests, for an exposure or a call, also if there was nothing to share

  void AddTo(PoolStats& sum) const {
    sum.tasks += dispatched.Read();
    sum.steals += steals.Read();
    sum.mails += mails.Read();
    sum.shared += shared.Read();
    sum.exposures += exposures.Read();
    sum.forced += forced.Read();
    sum.parks += parks.Read();
  }
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_STATS_H_

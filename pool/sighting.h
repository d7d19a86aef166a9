// Sighting: since when a queue's front has been the same, as far as is known.
//
// Nobody writes down when a task is queued: that would make every push dearer, for
// those who look rarely.  So whoever looks remembers what was in front, and the next
// one who finds the same there knows how long it has waited at least.
//
// One thread at a time.  Memory ordering: none.
#ifndef FILCH_POOL_SIGHTING_H_
#define FILCH_POOL_SIGHTING_H_

#include <chrono>
#include <cstdint>

namespace filch {
namespace pool_internal {

class Sighting {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Something is in front, which `what` and `round` tell from everything else.  How
  // long it has been seen there, up to now.
  std::chrono::nanoseconds See(std::uint64_t what, std::uint64_t round, Time now) {
    if (!seen_ || what != what_ || round != round_) {
      seen_ = true;
      what_ = what;
      round_ = round;
      since_ = now;
    }
    return now - since_;
  }
  // Nothing is there.
  void SeeNothing() { seen_ = false; }

 private:
  bool seen_ = false;
  std::uint64_t what_ = 0;
  std::uint64_t round_ = 0;
  Time since_{};
};

// Of everything that a slot has.
struct SlotSightings {
  Sighting deque;
  Sighting mail;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SIGHTING_H_

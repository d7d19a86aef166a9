// IdleMode: what threads that find no work do until there is some.
//
//   PoolOptions options;
//   options.idle = IdleMode::kLatency;
//
// Whoever starts the program chooses for pools whose makers do not: FILCH_IDLE.
//
// Memory ordering: none; these are values.
#ifndef FILCH_POOL_IDLE_MODE_H_
#define FILCH_POOL_IDLE_MODE_H_

#include <chrono>

namespace filch {

enum class IdleMode {
  // Every thread looks once and sleeps: nobody burns anything, and whoever has work
  // for a sleeper pays for its waking.
  kPower,
  // Every thread looks around for about as long as its waking costs, and sleeps.  It looks
  // up to 20 times as long if it has been called soon after that time and again.
  kBalanced,
  // The same, but one worker of the pool stays on the lookout for 20 ms after that,
  // and is called in a fraction of a microsecond: for work that comes from outside,
  // now and then, and must start at once.  Costs up to one cpu for as long.
  kLatency,
};

// What pools do whose makers do not say: what the environment variable FILCH_IDLE
// says (power, balanced or latency), and without it kBalanced.  Any thread, as long as
// nobody changes the environment.
IdleMode UsualIdleMode();

namespace pool_internal {

// How long nobody sleeps, in time and not in rounds; all of it is here.
struct IdleTimes {
  // Each thread, searching.
  std::chrono::nanoseconds spin{0};
  // So many times as long, where that turns out to be better (AdaptiveSpin): a thread that
  // waits for something, and a worker that has nothing to do.
  int most_in_waits = 1;
  int most_in_stays = 1;
  // One worker of the pool at a time, after that and until it is called.
  std::chrono::nanoseconds lookout{0};
};

constexpr IdleTimes IdleTimesOf(IdleMode mode) {
  // A thread that slept starts 22 us after the call, one of a hundred after 67 us or
  // more: looking for as long as waking costs never costs more than twice the best that
  // could have been done.  tools/bench, submit_after_1ms, 2026-11-21, two virtual AMD
  // EPYC processors.
  constexpr std::chrono::microseconds kWakeCost{50};
  // Who waits holds up the program, and wakes 25 to 55 us late.
  constexpr int kMostInWaits = 20;
  // A worker only saves the waking, at the cost of a cpu between any two loops.
  constexpr int kMostInStays = 4;
  // Work that comes a hundred times a second still meets somebody awake.
  constexpr std::chrono::milliseconds kLookout{20};
  switch (mode) {
    case IdleMode::kPower:
      return {};
    case IdleMode::kBalanced:
      return {kWakeCost, kMostInWaits, kMostInStays, {}};
    case IdleMode::kLatency:
      return {kWakeCost, kMostInWaits, kMostInStays, kLookout};
  }
  return {};
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_IDLE_MODE_H_

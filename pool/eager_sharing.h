// EagerSharing: whether a thread shares what it spawns before anybody asks.
//
// A thread hears of thieves when it spawns something and when it takes its next task.  One
// whose tasks are long hears of them late.  So when a thief had to wait for long, the thread
// shares what it spawns next at once, and goes on with that while it spawns so rarely that
// sharing costs next to nothing.  Thieves that sleep at once (IdleMode::kPower) do not wait;
// they force the owner (slot_scan.h).
//
// Values with neither clock nor atomics; times are ticks, about nanoseconds.  One thread.
#ifndef FILCH_POOL_EAGER_SHARING_H_
#define FILCH_POOL_EAGER_SHARING_H_

#include <algorithm>
#include <cstdint>

namespace filch {
namespace pool_internal {

class EagerSharing {
 public:
  constexpr bool active() const { return earned_ != kNever; }

  // At the time `now` a thief was served that had waited for long.
  constexpr void Begin(std::uint64_t now) { earned_ = now - kBurst * kRarely; }

  // At the time `now` the thread has shared something that no thief has asked for.  It is over
  // if that was too often.
  constexpr void Shared(std::uint64_t now) {
    earned_ = std::max(earned_, now - kBurst * kRarely) + kRarely;
    if (earned_ > now) earned_ = kNever;
  }

 private:
  // Sharing a task, and taking it back if nobody wants it, takes 40 to 80 ns longer than
  // keeping it: 2 percent of this.
  static constexpr std::uint64_t kRarely = 4000;
  // On its way to its first leaf a thread spawns one task after the other.
  static constexpr std::uint64_t kBurst = 16;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  // The time up to which sharing has been paid for.
  std::uint64_t earned_ = kNever;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_EAGER_SHARING_H_

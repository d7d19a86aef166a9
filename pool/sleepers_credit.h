// SleepersCredit: what a loop must be worth for others to help with it, by whether they
// sleep and what the thread has run alone because they did.
//
// Who has to be woken comes late, and the waking takes the caller's time, so a small loop
// wakes nobody.  How small, the thread learns from the loops for which it called somebody.  But
// small loops that follow each other closely wake somebody together: the sooner the more often
// that has saved time.
//
// Values with neither clock nor atomics; times are ticks, about nanoseconds.  One thread.
//
//   const std::uint64_t worth = credit.Worth(now, everybody_sleeps);
//   ... the loop is over without help:      credit.RanAlone(begin, elapsed);
//   ... or others are called, or here:      credit.Call(everybody_sleeps);
//                                           credit.RanTogether(alone, elapsed);
#ifndef FILCH_POOL_SLEEPERS_CREDIT_H_
#define FILCH_POOL_SLEEPERS_CREDIT_H_

#include <algorithm>
#include <cstdint>

namespace filch {
namespace pool_internal {

class SleepersCredit {
 public:
  // What a loop must exceed for help to be worth it, at the time `now`.
  constexpr std::uint64_t Worth(std::uint64_t now, bool everybody_sleeps) {
    if (!everybody_sleeps) return kAwake;
    if (called_) Judge();
    if (now - seen_ > kPause) {
      if (alone_ >= kLimit) limit_ = std::max(limit_ - limit_ / 16, kLeastLimit);
      alone_ = 0;
    }
    return alone_ < limit_ ? asleep_ : kAwake;
  }
  // What a loop must exceed for a call to be worth it.
  constexpr std::uint64_t asleep() const { return asleep_; }
  // A loop that began at `begin` is over after `elapsed`, without help.
  constexpr void RanAlone(std::uint64_t begin, std::uint64_t elapsed) {
    alone_ += elapsed;
    seen_ = begin + elapsed;
    called_for_one_ = false;
    if (asleep_ > kAsleep && elapsed > asleep_ / 2) asleep_ -= asleep_ / 256;
  }
  // Somebody is called, or is awake anyway.
  constexpr void Call(bool everybody_sleeps) {
    if (everybody_sleeps) {
      called_ = alone_ != 0;  // a loop that is worth a call says nothing of small ones
      saved_ = 0;
    }
    called_for_one_ = everybody_sleeps && alone_ == 0;
    alone_ = 0;
  }
  // Since then a loop took `elapsed`, with the call if there was one, and would have taken
  // `alone` otherwise.
  constexpr void RanTogether(std::uint64_t alone, std::uint64_t elapsed) {
    if (called_for_one_) JudgeOne(alone, elapsed);
    saved_ += AtMostPlenty(alone) - AtMostPlenty(elapsed);
  }

  // Taken on 2026-11-21 on two virtual AMD EPYC processors: an awake thread
  // joins within a microsecond, brings what the loop works on into its own cache,
  // and is waited for in the end.  With half of this, loops of 7 us were slower
  // than a serial loop.
  static constexpr std::uint64_t kAwake = 10000;
  // At first: a woken one comes after 25 to 70 us.  Loops of 50 us took half as long again with
  // help as without, and those of 100 us the same.  But from one virtual machine to the next, and
  // from one hour to another, the same call costs 5 or 33 us, and who is called comes 3 or 80 us
  // later (2026-11-25), so later it is by what became of calls.
  static constexpr std::uint64_t kAsleep = 100000;
  // However cheap calls are: loops of few units that were called for were faster from 50 us on.
  static constexpr std::uint64_t kLeastAsleep = 60000;
  // With the dearest calls that were seen, loops of 150 us took 1.09 of a serial loop's time, and
  // those of 200 us 0.95 (two virtual AMD EPYC processors, 2026-11-25).
  static constexpr std::uint64_t kMostAsleep = 160000;
  // A thread that pauses for longer has begun something else: by then those
  // who were woken for it would sleep again.
  static constexpr std::uint64_t kPause = 50000;
  // So much do small loops run alone that follow each other, for those that have gone on for
  // some time mostly go on for as long: half of it after calls that have saved time, twice
  // as much after those that have not.  A call costs its caller 5 to 15 us, and who was called
  // comes 30 us later (two virtual Intel Xeon processors, 2026-11-22).
  static constexpr std::uint64_t kLimit = 20000;
  static constexpr std::uint64_t kLeastLimit = kLimit / 2;
  // And no more than so many times what a call in vain has cost: 3 percent.
  static constexpr std::uint64_t kVain = 32;

 private:
  // More than any small loop takes.
  static constexpr std::int64_t kPlenty = std::int64_t{1} << 28;
  static constexpr std::int64_t AtMostPlenty(std::uint64_t time) {
    return time < std::uint64_t{kPlenty} ? static_cast<std::int64_t>(time) : kPlenty;
  }
  // As good as nothing, beside what a call costs.
  static constexpr std::int64_t kEven = 4000;

  // What became of the last call: everybody sleeps again.
  constexpr void Judge() {
    called_ = false;
    if (saved_ > -kEven) {
      limit_ = std::max(limit_ / 2, kLeastLimit);
      return;
    }
    // Where others hold the loops up, on a machine that is full, calls cost much more; but
    // once is no proof.
    const std::uint64_t enough = kVain * static_cast<std::uint64_t>(std::min(-saved_, kPlenty));
    const std::uint64_t more = enough > 8 * limit_ ? 4 * limit_ : 2 * limit_;
    limit_ = std::max(limit_, std::min(more, enough));
  }

  // What became of a call for one loop, if that one was about worth it.  It is tried again after
  // some that were not (RanAlone), one in thirty.
  constexpr void JudgeOne(std::uint64_t alone, std::uint64_t elapsed) {
    called_for_one_ = false;
    if (alone > 2 * asleep_) return;
    if (elapsed > alone) {
      asleep_ = std::min(asleep_ + asleep_ / 8, kMostAsleep);
    } else if (elapsed < alone - alone / 8) {
      asleep_ = std::max(asleep_ - asleep_ / 16, kLeastAsleep);
    }
  }

  std::uint64_t alone_ = 0;
  std::uint64_t seen_ = 0;  // the clock, when the last loop was over
  std::uint64_t limit_ = kLimit;
  std::int64_t saved_ = 0;  // since the last call for small loops
  std::uint64_t asleep_ = kAsleep;
  bool called_ = false;          // for small loops, and what became of it is not known
  bool called_for_one_ = false;  // for one that is no small one, and it is not over
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLEEPERS_CREDIT_H_

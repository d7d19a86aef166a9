// LoopKind: what is known of the loops with one type of body: how many of their units are over
// before help would pay, whether the first of them tell anything about the others, and what it
// takes to have another thread run some.
//
// A loop of a microsecond, called now and then, is as long again if it has to find out each
// time that it is one.  So it is remembered where all loops with the same body meet, and a
// loop that is believed to be brief is run where it is called (ParallelFor).  This is the
// oracle of Acar, Aksenov, Chargueraud and Rainey, "Provably and practically efficient
// granularity control" (PPoPP 2019), for what is shorter than any help, and with a belief that
// has to be earned again, after twice as many loops, by kinds that have broken it.
//
// Units that take no time are run many at once, for that is how a loop of them is as fast as a
// serial one.  If the long ones come after them (the pixels of the only object, at the end of
// the picture), whoever runs them has taken them all before that is seen.  So kinds to which
// that happens are uneven for the next loops, and give what is left away in small parts.
//
// A thread that takes units of a reduction needs a body for them, which may be an array of
// megabytes.  Where that takes longer than the units it is better to let the others finish.
//
// Any thread.  Threads that learn at the same time may undo each other's steps.
// Memory ordering: relaxed, all of it is a hint (L4 of README.md).
#ifndef FILCH_POOL_LOOP_KIND_H_
#define FILCH_POOL_LOOP_KIND_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "filch/pool/pace.h"

namespace filch {

class LoopKind {
 public:
  constexpr LoopKind() = default;
  LoopKind(const LoopKind&) = delete;
  LoopKind& operator=(const LoopKind&) = delete;

  // Stands for those of these loops that have about so many units, more than none, where a thread
  // remembers something of loops like them: an address in this object, and in no other.
  const void* OfSize(std::uint32_t units) const {
    static_assert(sizeof(LoopKind) >= 32, "a byte for each binary order of magnitude");
    return reinterpret_cast<const char*>(this) + (31 - __builtin_clz(units));
  }

  // What takes no more ticks is brief: a thread that is awake takes half a microsecond to come,
  // and is waited for in the end.  Of a serial loop's time, shared loops of 2.5 and 3 us took 1.1
  // and 0.9 on two virtual Intel Xeon processors (2026-11-22), and 0.8 and 0.75 on two virtual AMD
  // EPYC ones (2026-11-23).
  static constexpr std::uint64_t kBrief = 3000;
  // What takes more is not.  In between it may have waited for its caches.
  static constexpr std::uint64_t kLong = 4000;

  // What takes no more than some microseconds by the pace of the units before it, and takes so
  // long, is uneven.
  static constexpr std::uint64_t kSurprise = 25000;

  // Whether a loop of so many units is believed to be brief.
  bool IsBrief(std::uint32_t units) const { return units <= Read(brief_units_); }

  // A loop of so many units took, or would have taken, so many ticks on one thread.
  void Took(std::uint32_t units, std::uint64_t elapsed) {
    if (elapsed > kBrief) {
      if (Read(in_a_row_) != 0) Write(in_a_row_, 0);
      return;
    }
    if (IsBrief(units)) return;  // nothing new, and other threads read it
    // Not many more than have been seen: what is so short may have been all overhead.
    const std::uint64_t fit = std::min(pool_internal::Pace{units, elapsed}.UnitsIn(kBrief),
                                       std::uint64_t{kMostAtOnce} * units);
    const auto few = static_cast<std::uint32_t>(std::min<std::uint64_t>(fit, ~std::uint32_t{0}));
    const std::uint32_t in_a_row = Read(in_a_row_);
    Write(fitting_, in_a_row == 0 ? few : std::min(few, Read(fitting_)));
    if (in_a_row + 1 < Read(wanted_)) return Write(in_a_row_, in_a_row + 1);
    Write(brief_units_, Read(fitting_));
    Write(in_a_row_, 0);
  }

  // A loop that was believed to be brief was so, to its end.
  void WasBrief() {
    const std::uint32_t debt = Read(debt_);
    if (__builtin_expect(debt != 0, 0)) Write(debt_, debt - 1);
  }
  // Or was not, as was seen after so many ticks.
  void WasLong(std::uint64_t elapsed) {
    // One may have been interrupted.
    if (Read(debt_) == 0 && elapsed < kInterruption) return Write(debt_, kForgiven);
    Write(debt_, 0);
    Write(brief_units_, 0);
    Write(wanted_, std::min(2 * Read(wanted_), kMostWanted));
  }

  // A loop of this kind begins: whether it may be uneven.
  bool BeginsUneven() {
    const std::uint32_t suspected = Read(suspected_);
    if (__builtin_expect(suspected != 0, 0)) Write(suspected_, suspected - 1);
    const std::uint32_t uneven = Read(uneven_);
    if (__builtin_expect(uneven == 0, 1)) return false;
    Write(uneven_, uneven - 1);
    return true;
  }
  // Units that followed short ones, and were run at once, took very much longer; or the last ones
  // of few; or nobody has got any of few, who would have come.
  void WasUneven() {
    // Once a thread may have been interrupted.
    if (Read(suspected_) == 0) return Write(suspected_, kForgiven);
    Write(suspected_, 0);
    Write(uneven_, Read(uneven_wanted_));
    Write(uneven_wanted_, std::min(2 * Read(uneven_wanted_), kMostUneven));
  }

  // What a run of units needs of its own was made from `begin` to `end`, or joined to the others
  // in the end.
  void MadeSegment(std::uint64_t begin, std::uint64_t end) { making_.Took(begin, end); }
  void JoinedSegment(std::uint64_t begin, std::uint64_t end) { joining_.Took(begin, end); }
  // A loop ran alone, so nobody has seen what they take now.
  void NeededNoSegments() {
    making_.Fade();
    joining_.Fade();
  }
  // What to make it takes; both.  Zero if it is less than it takes to come for the units.
  std::uint64_t making() const { return Read(making_.ticks); }
  std::uint64_t making_and_joining() const { return making() + Read(joining_.ticks); }

 private:
  using Word = std::atomic<std::uint32_t>;

  static constexpr std::uint32_t kMostAtOnce = 8;
  static constexpr std::uint32_t kLeastWanted = 2;
  static constexpr std::uint32_t kMostWanted = 64;
  // One in so many may be long, but no longer than a hypervisor takes a cpu away.
  static constexpr std::uint32_t kForgiven = 16;
  static constexpr std::uint64_t kInterruption = 1000000;
  static constexpr std::uint32_t kLeastUneven = 64;
  static constexpr std::uint32_t kMostUneven = 1024;
  // What is less is lost in what it takes to hand units over (kHandOver), whatever is made for
  // them.
  static constexpr std::uint64_t kDear = 1000;
  // More than a loop waits for, and two of it and their doubles fit into 32 bits.
  static constexpr std::uint64_t kMostDear = std::uint64_t{1} << 26;
  // Where memory comes from the system now and then, the same takes some times as long; a thread
  // that lost its cpu has been away for much longer than that.
  static constexpr std::uint64_t kMuchDearer = 8;
  // A part of it is forgotten with each loop that runs alone: an eighth of what has been seen only
  // now, a quarter if much less has been seen since, so that loops of a millisecond are shared
  // again after some tens of them, whatever interrupted the threads; but a 64th of what was dear
  // some times, for to see that again costs as much as it takes.
  static constexpr std::uint32_t kFading = 4;
  static constexpr std::uint32_t kOftenSeen = 4;

  static std::uint32_t Read(const Word& word) {
    return word.load(std::memory_order_relaxed);  // L4: a hint
  }
  static void Write(Word& word, std::uint32_t value) {
    word.store(value, std::memory_order_relaxed);  // L4: a hint
  }

  // What something takes, about the mean of the last times.
  struct Time {
    void Took(std::uint64_t begin, std::uint64_t end) {
      const std::uint32_t before = Read(ticks);
      const auto elapsed = static_cast<std::uint32_t>(std::min(end - begin, kMostDear));
      // From nothing the mean becomes dear by twice as much.
      if (elapsed >= (before == 0 ? 2 * kDear : kMuchDearer * before)) {
        if (!Confirms(begin, end)) return;
      } else if (Read(surprised_until) != 0) {
        Write(surprised_until, 0);
      }
      const std::uint32_t mean = before / 2 + elapsed / 2;
      const std::uint32_t dear = mean < kDear ? 0 : mean;
      // Other threads read it: nothing is written where nothing is dear.
      if (dear == before) return;
      const bool is_as_before = dear != 0 && elapsed >= before / kMuchDearer;
      Write(ticks, dear);
      Write(seen, is_as_before ? std::min(Read(seen) + 1, kOftenSeen) : 0);
    }
    void Fade() {
      const std::uint32_t before = Read(ticks);
      if (before == 0) return;
      const std::uint32_t dear = before - before / (kFading << Read(seen));
      if (dear >= kDear) return Write(ticks, dear);
      Write(ticks, 0);
      Write(seen, 0);
    }
    // Once a thread may have been interrupted, and if all were, at the same time, that is once.
    bool Confirms(std::uint64_t begin, std::uint64_t end) {
      const std::uint32_t until = Read(surprised_until);
      if (until == 0) {
        Write(surprised_until, static_cast<std::uint32_t>(end));
        return false;
      }
      constexpr std::uint32_t kHalfARound = std::uint32_t{1} << 31;  // of the clock
      if (static_cast<std::uint32_t>(begin) - until >= kHalfARound) return false;
      Write(surprised_until, 0);
      return true;
    }
    Word ticks{0};
    Word seen{0};             // so dear, so many times
    Word surprised_until{0};  // the end of what was much dearer, or none
  };

  Word brief_units_{0};
  Word debt_{0};      // so many have to be so until another one that is not is forgiven
  Word in_a_row_{0};  // so many that were not believed to be were
  Word fitting_{0};   // by those, so many units are
  Word wanted_{kLeastWanted};
  Word suspected_{0};  // so many loops begin until one that was uneven is forgotten
  Word uneven_{0};     // so many are to begin as uneven ones
  Word uneven_wanted_{kLeastUneven};
  Time making_;   // of what a run of units needs
  Time joining_;  // of the same
};

// The kind of the loops whose body is a T.
template <typename T>
inline LoopKind loop_kind;

}  // namespace filch

#endif  // FILCH_POOL_LOOP_KIND_H_

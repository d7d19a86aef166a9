// VictimSelector: whose deque a thief tries next.
//
// A search begins near, where stealing is cheap, and widens with every failure.
// Attempt i of a search is "uniform" with probability min(1, 2^i / 8): any other
// worker, each as likely as the next.  Otherwise it takes a worker of the near
// group, again each as likely as the next.
//
// Guaranteed: never the thief itself; every other worker with a probability of
// at least 1 / (8 * (workers - 1)) at every attempt, whatever came before, which
// is what the bound on the running time of work stealing rests on; the same
// choices from the same seed.  A single worker gets kNoVictim: there is nobody
// to steal from.
//
// A pure decision: no atomics, no clock, no knowledge of deques, so that a
// simulator runs the same source.  Owner only: each worker has its own.
//
// After N. Arora, R. Blumofe and G. Plaxton, "Thread Scheduling for
// Multiprogrammed Multiprocessors" (1998); the doubling is the compromise that
// simulation found: at 1024 workers in groups of 16, a uniform choice steals
// remotely in 98 % of all cases, a constant 1/8 in 18 % but needs more than
// twice the time beyond the ideal, and doubling from 1/8 takes 35 % and 1.1 times
// the uniform choice's excess.
//
//   VictimSelector victims(self, workers, NearGroup(machine, placement, self), seed);
//   victims.BeginSearch();
//   while (!found) TryToStealFrom(victims.Next());
#ifndef FILCH_TOPOLOGY_VICTIM_SELECTOR_H_
#define FILCH_TOPOLOGY_VICTIM_SELECTOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "filch/topology/contract.h"
#include "filch/topology/fast_random.h"

namespace filch {

class VictimSelector {
 public:
  static constexpr int kNoVictim = -1;

  // The chance that the first attempt of a search is uniform is one in this.
  static constexpr std::uint32_t kFirstUniformOneIn = 8;

  // Chooses among the workers 0..workers - 1 for `self`.  `near` are the workers
  // of its near group, without itself; it may be empty.  Workers of one pool
  // share the seed and still choose independently.
  VictimSelector(int self, int workers, std::vector<int> near, std::uint64_t seed)
      : self_(self),
        workers_(workers),
        near_(std::move(near)),
        random_(seed, static_cast<std::uint64_t>(self)) {
    if (self < 0 || self >= workers) Fail("filch::VictimSelector: self is none of the workers.");
    for (int worker : near_) {
      if (worker < 0 || worker >= workers || worker == self) {
        Fail("filch::VictimSelector: the near group has a stranger or the worker itself.");
      }
    }
  }

  // The next search starts near again.  Owner only.
  void BeginSearch() { uniform_chance_ = 1; }

  // The worker to try now, or kNoVictim if there is no other.  Owner only.
  int Next() { return NextAmong(workers_); }

  // The same among the first `workers`, for a pool in which not all places are
  // taken now.  Each of those keeps at least an eighth of an even share.  Owner
  // only.
  int NextAmong(int workers) {
    const int others = self_ < workers ? workers - 1 : workers;
    if (others <= 0) return kNoVictim;
    std::uint64_t bits = random_.Next();
    // Below the 32 bits that choose the worker, so the two are independent.
    const std::uint32_t coin = static_cast<std::uint32_t>(bits >> 29) % kFirstUniformOneIn;
    const bool uniform = coin < uniform_chance_;
    if (uniform_chance_ < kFirstUniformOneIn) uniform_chance_ *= 2;
    if (!uniform && !near_.empty()) {
      const int near = near_[FastRandom::Scale(bits, static_cast<std::uint32_t>(near_.size()))];
      if (near < workers) return near;
      bits = random_.Next();  // these bits have said something about the choice
    }
    const int other = static_cast<int>(FastRandom::Scale(bits, static_cast<std::uint32_t>(others)));
    return other < self_ ? other : other + 1;
  }

 private:
  int self_;
  int workers_;
  std::uint32_t uniform_chance_ = 1;  // of kFirstUniformOneIn
  std::vector<int> near_;
  FastRandom random_;
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_VICTIM_SELECTOR_H_

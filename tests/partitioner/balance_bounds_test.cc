// How even the schemes are, as bounds that hold for every distribution of work:
// in virtual time on the production ranges and counters, where a run is the same
// each time, and with real threads and an item that never seems to end.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/partitioner/dynamic_partitioner.h"
#include "filch/partitioner/shared_counter.h"
#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/stealing_range_partitioner.h"
#include "filch/partitioner/unit_interval.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using Costs = std::vector<std::uint64_t>;  // of each item, in units of virtual time

std::uint64_t Sum(const Costs& costs) {
  return std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
}
std::uint64_t Largest(const Costs& costs) {
  return costs.empty() ? 0 : *std::max_element(costs.begin(), costs.end());
}

Costs Uneven(const std::string& distribution, std::uint32_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  Costs costs;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint64_t cost = 10;
    if (distribution == "rising") cost = 1 + i;
    if (distribution == "falling") cost = n - i;
    if (distribution == "first") cost = i < n / 100 + 1 ? 1000 : 1;
    if (distribution == "last") cost = i + n / 100 + 1 >= n ? 1000 : 1;
    if (distribution == "one") cost = i == n / 3 ? 10000 : 10;
    if (distribution == "pareto") {
      const double u = (static_cast<double>(random()) + 1) / 4294967297.0;
      cost = static_cast<std::uint64_t>(std::pow(u, -1 / 1.5));
    }
    if (distribution == "random") cost = 1 + random() % 100;
    costs.push_back(cost);
  }
  return costs;
}

const char* const kDistributions[] = {"even", "rising", "falling", "first",
                                      "last", "one",    "pareto",  "random"};

// Parties that take turns in the order of virtual time.  They deal with their
// ranges as StealingCoordinator and StealingFeed do, and take no time for it.
class VirtualLoop {
 public:
  // `batch` units at a time; 0: as BatchSize says, whose target is `target`.
  VirtualLoop(Costs costs, std::uint32_t parties, std::uint32_t batch, std::uint64_t target)
      : costs_(std::move(costs)), ranges_(parties), fixed_(batch) {
    const auto units = static_cast<std::uint32_t>(costs_.size());
    for (std::uint32_t p = 0; p < parties; ++p) {
      parties_.emplace_back(parties, target);
      ranges_[p].Reset(EvenShare(units, p, parties));
    }
  }

  // When the last item ends.
  std::uint64_t Run() {
    for (;;) {
      const auto next =
          std::min_element(parties_.begin(), parties_.end(), [](const Party& a, const Party& b) {
            return a.asleep != b.asleep ? b.asleep : a.now < b.now;
          });
      if (next->asleep) break;
      Step(static_cast<std::uint32_t>(next - parties_.begin()));
    }
    EXPECT_EQ(executed_, costs_.size());
    return end_;
  }

 private:
  struct Party {
    Party(std::uint32_t parties, std::uint64_t target) : size(parties, target) {}
    UnitInterval batch;
    BatchSize size;
    std::uint64_t now = 0;
    std::uint64_t begun = 0;   // the batch
    std::uint32_t handed = 0;  // units in it
    bool asleep = false;
  };

  void Step(std::uint32_t p) {
    Party& party = parties_[p];
    if (party.batch.empty() && !Refill(p)) {
      party.asleep = true;
      return;
    }
    if (ranges_[p].thieves_waiting()) {
      const std::uint32_t held = party.batch.size();
      if (ranges_[p].GiveBack(&party.batch)) Wake(party.now);
      party.handed -= held - party.batch.size();
    }
    party.now += costs_[TakeLower(&party.batch, 1).begin];
    end_ = std::max(end_, party.now);
    ++executed_;
  }

  bool Refill(std::uint32_t p) {
    Party& party = parties_[p];
    if (party.handed != 0) party.size.Finished(party.handed, party.now - party.begun);
    party.batch = ranges_[p].Claim(fixed_ != 0 ? fixed_ : party.size.Next(ranges_[p].remaining()));
    if (party.batch.empty()) party.batch = StealFromOthers(p);
    party.begun = party.now;
    party.handed = party.batch.size();
    return !party.batch.empty();
  }

  UnitInterval StealFromOthers(std::uint32_t p) {
    const auto parties = static_cast<std::uint32_t>(parties_.size());
    parties_[p].size.Stolen();
    for (std::uint32_t step = 1; step < parties; ++step) {
      UnitInterval loot = ranges_[(p + step) % parties].Steal();
      if (loot.empty()) continue;
      const UnitInterval first = TakeLower(&loot, 1);
      ranges_[p].Reset(loot);
      Wake(parties_[p].now);
      return first;
    }
    return {};
  }

  // One of those who sleep.
  void Wake(std::uint64_t now) {
    for (Party& party : parties_) {
      if (!party.asleep) continue;
      party.asleep = false;
      party.now = now;
      return;
    }
  }

  Costs costs_;
  std::vector<StealingRange> ranges_;
  std::vector<Party> parties_;
  std::uint32_t fixed_;
  std::size_t executed_ = 0;
  std::uint64_t end_ = 0;
};

constexpr std::uint32_t kSizes[] = {0, 1, 2, 3, 10, 100, 1000, 5000};
constexpr std::uint32_t kParties[] = {1, 2, 3, 4, 8, 16};

// `check(costs, parties, what)` for every combination.
template <typename Check>
void ForEveryLoop(Check check) {
  for (const char* distribution : kDistributions) {
    for (std::uint32_t size : kSizes) {
      for (std::uint32_t parties : kParties) {
        const std::string name = distribution;
        for (std::uint32_t seed = 1; seed <= (name == "pareto" || name == "random" ? 3u : 1u);
             ++seed) {
          const Costs costs = Uneven(distribution, size, seed);
          check(costs, parties,
                std::string(distribution) + ", " + std::to_string(size) + " items, " +
                    std::to_string(parties) + " parties");
        }
      }
    }
  }
}

// Nobody can do better than perfect, and the largest item is in one piece.
double Bound(const Costs& costs, std::uint32_t parties, double largest_items) {
  return static_cast<double>(Sum(costs)) / parties +
         largest_items * static_cast<double>(Largest(costs));
}

// With single units a party idles only while others execute the last ones; with
// adaptive batches, what a party holds is so little at the end that it costs no
// more than another item.
TEST(BalanceBoundsTest, StealingIsWithinTheLargestItemOfPerfect) {
  ForEveryLoop([](const Costs& costs, std::uint32_t parties, const std::string& what) {
    EXPECT_LE(VirtualLoop(costs, parties, 1, 0).Run(), Bound(costs, parties, 1)) << what;
    for (std::uint64_t target : {1u, 100u, 5000u}) {
      EXPECT_LE(VirtualLoop(costs, parties, 0, target).Run(), Bound(costs, parties, 2))
          << what << ", target " << target;
    }
  });
}

// However large the batch, its owner gives half of the rest back after each item
// while somebody starves, so a party waits for one item for each halving.
TEST(BalanceBoundsTest, LargeBatchesCostOneItemForEachHalving) {
  ForEveryLoop([](const Costs& costs, std::uint32_t parties, const std::string& what) {
    for (std::uint32_t batch : {7u, 64u, kAllUnits}) {
      const double held = std::min<double>(batch, static_cast<double>(costs.size()) + 1);
      EXPECT_LE(VirtualLoop(costs, parties, batch, 0).Run(),
                Bound(costs, parties, 2 + std::log2(held)))
          << what << ", batches of " << batch;
    }
  });
}

// What the bounds are worth: even shares are far outside.
TEST(BalanceBoundsTest, EvenSharesAreNotWithinTheBounds) {
  const Costs costs = Uneven("first", 5000, 1);
  const UnitInterval share = EvenShare(5000, 0, 4);
  const std::uint64_t end = Sum(Costs(costs.begin() + share.begin, costs.begin() + share.end));
  EXPECT_GT(end, Bound(costs, 4, 2 + std::log2(5001)));
}

// When the last item ends if whoever is free takes the next chunk; the largest
// chunk's cost in *largest.
template <typename Take>
std::uint64_t RunChunks(const Costs& costs, std::uint32_t parties, Take take,
                        std::uint64_t* largest) {
  std::vector<std::uint64_t> now(parties, 0);
  *largest = 0;
  for (UnitInterval chunk = take(); !chunk.empty(); chunk = take()) {
    const std::uint64_t cost = Sum(Costs(costs.begin() + chunk.begin, costs.begin() + chunk.end));
    *std::min_element(now.begin(), now.end()) += cost;
    *largest = std::max(*largest, cost);
  }
  return *std::max_element(now.begin(), now.end());
}

TEST(BalanceBoundsTest, ChunksOfACounterAreWithinTheLargestChunkOfPerfect) {
  ForEveryLoop([](const Costs& costs, std::uint32_t parties, const std::string& what) {
    const auto size = static_cast<std::uint32_t>(costs.size());
    for (std::uint32_t chunk : {1u, 16u}) {
      partitioner_internal::SharedCounter counter(size);
      std::uint64_t largest = 0;
      const std::uint64_t end = RunChunks(
          costs, parties, [&] { return counter.Take(chunk); }, &largest);
      EXPECT_LE(largest, chunk * Largest(costs)) << what;
      EXPECT_LE(end, Bound(costs, parties, 0) + static_cast<double>(largest)) << what;
    }
    partitioner_internal::SharedCounter counter(size);
    std::uint32_t chunks = 0;
    std::uint32_t left = size;
    std::uint64_t largest = 0;
    const auto take = [&] {
      const UnitInterval share = counter.TakeShare(parties);
      EXPECT_LE(share.size(), std::max(1u, left / parties)) << what;
      left -= share.size();
      ++chunks;
      return share;
    };
    const std::uint64_t end = RunChunks(costs, parties, take, &largest);
    EXPECT_LE(end, Bound(costs, parties, 0) + static_cast<double>(largest)) << what;
    // Each takes one P-th, so after P ln(n / P) chunks fewer than 2 P are left.
    EXPECT_LE(chunks, parties * (3 + std::log(size + 1))) << what;
  });
}

// The least time of even shares, a shared counter and guided chunks.
std::uint64_t BestOfTheOthers(const Costs& costs, std::uint32_t parties) {
  const auto size = static_cast<std::uint32_t>(costs.size());
  std::uint64_t best = 0;
  for (std::uint32_t p = 0; p < parties; ++p) {
    const UnitInterval share = EvenShare(size, p, parties);
    best = std::max(best, Sum(Costs(costs.begin() + share.begin, costs.begin() + share.end)));
  }
  partitioner_internal::SharedCounter counter(size);
  std::uint64_t largest = 0;
  best = std::min(best, RunChunks(
                            costs, parties, [&] { return counter.Take(1); }, &largest));
  partitioner_internal::SharedCounter guided(size);
  return std::min(best, RunChunks(
                            costs, parties, [&] { return guided.TakeShare(parties); }, &largest));
}

// Two parties that take no time for what they do to their ranges; the times of real
// ones are in tools/bench/partitioner.
TEST(BalanceBoundsTest, StealingIsAsGoodAsTheBestOfTheOthers) {
  for (const char* distribution : {"even", "rising", "falling", "pareto", "random", "last"}) {
    for (std::uint32_t size : {400u, 4000u, 40000u}) {
      const Costs costs = Uneven(distribution, size, 1);
      EXPECT_LE(static_cast<double>(VirtualLoop(costs, 2, 0, 5000).Run()),
                1.005 * static_cast<double>(BestOfTheOthers(costs, 2)))
          << distribution << ", " << size << " items";
    }
  }
}

// If all the work is in a few items, one more or less is what is between the schemes.
TEST(BalanceBoundsTest, StealingIsAsGoodAsTheBestButForOneItem) {
  for (std::uint32_t size : {400u, 4000u, 40000u}) {
    const Costs costs = Uneven("first", size, 1);
    EXPECT_LE(VirtualLoop(costs, 2, 0, 5000).Run(), BestOfTheOthers(costs, 2) + Largest(costs))
        << size << " items";
  }
}

// Who meets a single large item late ends late, and who meets it when depends on where
// it is and on the scheme.  Over all places no scheme is better.
TEST(BalanceBoundsTest, StealingIsAsGoodAsTheBestWhereverALargeItemIs) {
  constexpr std::size_t kSize = 400;
  double stealing = 0;
  double best = 0;
  for (std::size_t place = 0; place < kSize; ++place) {
    Costs costs(kSize, 10);
    costs[place] = 10000;
    stealing += static_cast<double>(VirtualLoop(costs, 2, 0, 5000).Run());
    best += static_cast<double>(BestOfTheOthers(costs, 2));
  }
  EXPECT_LE(stealing, 1.02 * best);
}

// Runs every partition in a thread; the body of index `stuck` does not end until
// `others` other indices have been executed.  Hangs if they are out of reach.
template <typename Partitions>
void RunWithStuckItem(Partitions partitions, int stuck, int others) {
  std::atomic<int> executed{0};
  std::vector<std::thread> threads;
  for (auto& partition : partitions) {
    threads.emplace_back([&partition, &executed, stuck, others] {
      partition.ForEach([&executed, stuck, others](int index) {
        while (index == stuck && executed.load(std::memory_order_relaxed) < others) {
          std::this_thread::yield();
        }
        executed.fetch_add(1, std::memory_order_relaxed);
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(executed.load(), others);
}

// An item that takes for ever keeps no other item from being executed, wherever
// it is, but for those that its consumer has claimed with it.
TEST(BalanceBoundsTest, AStuckItemHoldsUpOnlyItsBatch) {
  constexpr int kSize = 30;
  for (int stuck = 0; stuck < kSize; ++stuck) {
    for (std::uint32_t count : {2u, 4u}) {
      for (int batch : {1, 2, 5}) {
        const StealingOptions options{1, static_cast<std::uint32_t>(batch)};
        RunWithStuckItem(StealingRangePartitioner(0, kSize, options).GetPartitions(count), stuck,
                         kSize - batch);
        const auto chunk = static_cast<std::uint64_t>(batch);
        RunWithStuckItem(DynamicPartitioner(0, kSize, chunk).GetPartitions(count), stuck,
                         kSize - batch);
      }
    }
  }
}

// Adaptive batches begin with one unit, so the same holds for a first item
// whatever the time is.
TEST(BalanceBoundsTest, AStuckFirstItemHoldsUpNoOther) {
  for (std::uint32_t count : {2u, 3u, 8u}) {
    for (int size : {2, 10, 1000, 20000}) {
      RunWithStuckItem(StealingRangePartitioner(0, size).GetPartitions(count), 0, size - 1);
    }
  }
}

}  // namespace
}  // namespace filch

// RunContest: an owner and thieves at one deque, and a judge.
//
// The owner pushes and pops in bursts; the thieves steal until it is done.  The
// judge checks that each item was taken exactly once, that whoever took it saw
// what was written to it before it was pushed, that each thief got items in the
// order in which they were pushed, and that a Pop that found nothing was right.
#ifndef FILCH_TESTS_DEQUE_CONTEST_H_
#define FILCH_TESTS_DEQUE_CONTEST_H_

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "filch/deque/steal_result.h"
#include "gtest/gtest.h"

namespace filch {

struct ContestItem {
  int payload = 0;  // plain on purpose: a race on it is a missing edge
  std::atomic<int> taken{0};
};

struct ContestRules {
  int items = 0;
  int thieves = 1;
  int longest_burst = 16;  // of pushes, or of pops
  unsigned seed = 1;
  // How often the owner lets others have its cpu; 0: never of its own accord.
  int bursts_between_yields = 0;
};

template <typename Deque>
class Contest {
 public:
  Contest(Deque* deque, const ContestRules& rules)
      : deque_(deque), rules_(rules), items_(static_cast<std::size_t>(rules.items)) {}

  void Run() {
    std::vector<std::thread> thieves;
    for (int i = 0; i < rules_.thieves; ++i) thieves.emplace_back([this] { Thieve(); });
    Own();
    done_.store(true, std::memory_order_release);
    for (std::thread& thief : thieves) thief.join();
    for (const ContestItem& item : items_) {
      ASSERT_EQ(item.taken.load(), 1) << "item " << &item - items_.data();
    }
    EXPECT_EQ(wrong_payloads_.load(), 0);
    EXPECT_EQ(out_of_order_.load(), 0);
    EXPECT_EQ(false_empties_.load(), 0);
  }

  // How many items the thieves got.
  int stolen() const { return stolen_.load(); }

 private:
  static constexpr int kPayload = 0x5eed;

  void Take(ContestItem* item) {
    if (item->payload != kPayload) wrong_payloads_.fetch_add(1);
    item->payload = 0;
    item->taken.fetch_add(1, std::memory_order_relaxed);
  }

  void Own() {
    std::mt19937 random(rules_.seed);
    std::uniform_int_distribution<int> burst(1, rules_.longest_burst);
    int bursts = 0;
    for (int next = 0; next < rules_.items;) {
      for (int n = burst(random); n > 0 && next < rules_.items; --n) {
        ContestItem* item = &items_[static_cast<std::size_t>(next++)];
        item->payload = kPayload;
        deque_->Push(item);
      }
      if (rules_.bursts_between_yields > 0 && ++bursts % rules_.bursts_between_yields == 0) {
        std::this_thread::yield();
      }
      for (int n = burst(random); n > 0 && PopOne(); --n) {
      }
    }
    while (PopOne()) {
    }
  }

  bool PopOne() {
    ContestItem* item = nullptr;
    if (deque_->Pop(&item)) {
      Take(item);
      return true;
    }
    // The owner alone adds items, so there must still be none.
    if (deque_->Steal().status != StealStatus::kEmpty) false_empties_.fetch_add(1);
    return false;
  }

  void Thieve() {
    const ContestItem* last = nullptr;
    // Read before the last look: what was there when the owner was done is seen.
    for (bool done = false; !done;) {
      done = done_.load(std::memory_order_acquire);
      for (;;) {
        const StealResult<ContestItem*> loot = deque_->Steal();
        if (loot.status == StealStatus::kEmpty) break;
        if (loot.status != StealStatus::kStolen) continue;
        if (last != nullptr && loot.item <= last) out_of_order_.fetch_add(1);
        last = loot.item;
        Take(loot.item);
        stolen_.fetch_add(1, std::memory_order_relaxed);
      }
      std::this_thread::yield();
    }
  }

  Deque* const deque_;
  const ContestRules rules_;
  std::vector<ContestItem> items_;
  std::atomic<bool> done_{false};
  std::atomic<int> stolen_{0};
  std::atomic<int> wrong_payloads_{0};
  std::atomic<int> out_of_order_{0};
  std::atomic<int> false_empties_{0};
};

}  // namespace filch

#endif  // FILCH_TESTS_DEQUE_CONTEST_H_

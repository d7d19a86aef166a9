// What must not compile on the partitioner's ranges, and the sentence it gets;
// see must_not_compile.bzl.
#include <vector>

#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/index_range.h"
#include "filch/partitioner/serial_spawner.h"
#include "filch/partitioner/split_loop.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/stealing_range_partitioner.h"

#ifndef MISUSE
#define MISUSE 0
#endif

// The least that a Range is, but for one member.
class Units {
 public:
  explicit Units(int size) : size_(size) {}
#if MISUSE != 1
  Units(Units& whole, filch::Split) : size_(whole.size_ / 2) { whole.size_ -= size_; }
#else
  // MISUSE 1: filch: a Range needs a splitting constructor R(R& whole, filch::Split)
#endif
#if MISUSE != 2
  bool empty() const { return size_ == 0; }
#else
  // MISUSE 2: filch: a Range needs a member `bool empty() const`.
#endif
#if MISUSE != 3
  bool is_divisible() const { return size_ > 1; }
#else
  // MISUSE 3: filch: a Range needs a member `bool is_divisible() const`.
  bool is_divisible() { return size_ > 1; }
#endif
#if MISUSE == 4
  // MISUSE 4: filch: a Range must be copyable: R(const R&).
  Units(Units&&) = default;
  Units(const Units&) = delete;
#endif

 private:
  int size_;
};

void Misuses() {
  filch::SerialSpawner spawner(2);
  const auto body = [](const Units&) {};
  filch::RunSplit(Units(8), body, filch::SimpleSplit(), spawner);

#if MISUSE == 5
  // MISUSE 5: filch: the body of a loop must be callable as body(const Range&) and const.
  const auto changes_its_range = [](Units&) {};
  filch::RunSplit(Units(8), changes_its_range, filch::SimpleSplit(), spawner);
#endif
#if MISUSE == 6
  // MISUSE 6: filch: the body of a loop must be callable as body(const Range&) and const.
  int sum = 0;
  const auto changes_itself = [sum](const Units&) mutable { ++sum; };
  filch::RunSplit(Units(8), changes_itself, filch::SimpleSplit(), spawner);
#endif
#if MISUSE == 7
  // MISUSE 7: deleted
  filch::RunSplit(
      Units(8), [](const Units&) {}, filch::SimpleSplit(), spawner);
#endif
#if MISUSE == 8
  // MISUSE 8: filch::IndexRange: an index is an integer; for iterators, use their distance
  filch::IndexRange<double> real(0, 1);
#endif
#if MISUSE == 9
  // MISUSE 9: filch::IndexSpace: an index is an integer of at most 64 bits; for iterators
  std::vector<int> items(8);
  filch::StealingRangePartitioner over_iterators(items.begin(), items.end());
#endif
#if MISUSE == 10
  // MISUSE 10: deleted
  auto partitions = filch::StealingRangePartitioner(0, 8).GetPartitions(2);
  auto copy = partitions[0];
#endif
}

// What every scheme promises, asked of all of them under the same names.
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/partitioner/dynamic_partitioner.h"
#include "filch/partitioner/guided_partitioner.h"
#include "filch/partitioner/static_partitioner.h"
#include "filch/partitioner/stealing_range_partitioner.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

struct Stealing {
  static constexpr bool kHandsBack = true;
  template <typename Index>
  static auto Make(Index begin, Index end, std::uint64_t grain) {
    return StealingRangePartitioner<Index>(begin, end, {grain, 0});
  }
};
struct StealingInBatches {
  static constexpr bool kHandsBack = true;
  template <typename Index>
  static auto Make(Index begin, Index end, std::uint64_t grain) {
    return StealingRangePartitioner<Index>(begin, end, {grain, 4});
  }
};
struct Static {
  static constexpr bool kHandsBack = false;
  template <typename Index>
  static auto Make(Index begin, Index end, std::uint64_t grain) {
    return StaticPartitioner<Index>(begin, end, grain);
  }
};
struct Dynamic {
  static constexpr bool kHandsBack = false;
  template <typename Index>
  static auto Make(Index begin, Index end, std::uint64_t grain) {
    return DynamicPartitioner<Index>(begin, end, grain);
  }
};
struct Guided {
  static constexpr bool kHandsBack = false;
  template <typename Index>
  static auto Make(Index begin, Index end, std::uint64_t grain) {
    return GuidedPartitioner<Index>(begin, end, grain);
  }
};

template <typename Scheme>
class PartitionsTest : public ::testing::Test {};
using Schemes = ::testing::Types<Stealing, StealingInBatches, Static, Dynamic, Guided>;
TYPED_TEST_SUITE(PartitionsTest, Schemes);

// One flag per index of [begin, end), for any number of threads.
template <typename Index>
class Flags {
 public:
  Flags(Index begin, Index end)
      : begin_(begin), size_(begin < end ? static_cast<std::size_t>(end - begin) : 0) {
    counts_ = std::make_unique<std::atomic<int>[]>(size_ + 1);
  }
  void Mark(Index index) {
    const auto offset = static_cast<std::size_t>(index - begin_);
    if (offset >= size_) {
      ADD_FAILURE() << "index " << index << " is foreign";
    } else if (counts_[offset].fetch_add(1, std::memory_order_relaxed) != 0) {
      ADD_FAILURE() << "index " << index << " came out twice";
    }
  }
  std::size_t marked() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += counts_[i].load(std::memory_order_relaxed) != 0;
    return sum;
  }
  void ExpectAllMarked() const { EXPECT_EQ(marked(), size_) << "an index was lost"; }

 private:
  Index begin_;
  std::size_t size_;
  std::unique_ptr<std::atomic<int>[]> counts_;
};

// Runs `consume(partition, number)` for each partition in a thread of its own.
template <typename Partitions, typename Consume>
void InThreads(Partitions& partitions, Consume consume) {
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    threads.emplace_back([&partitions, &consume, p] { consume(partitions[p], p); });
  }
  for (std::thread& thread : threads) thread.join();
}

TYPED_TEST(PartitionsTest, OneThreadAfterTheOtherSeesEachIndexOnce) {
  for (int size = 0; size <= 12; ++size) {
    for (std::uint32_t count : {1u, 2u, 3u, 4u, 7u, 20u}) {
      for (std::uint64_t grain : {1, 2, 5}) {
        auto partitions = TypeParam::Make(-5, -5 + size, grain).GetPartitions(count);
        ASSERT_EQ(partitions.size(), count);
        Flags<int> flags(-5, -5 + size);
        for (auto& partition : partitions) {
          for (int index : partition) flags.Mark(index);
        }
        flags.ExpectAllMarked();
      }
    }
  }
}

TYPED_TEST(PartitionsTest, ThreadsTogetherSeeEachIndexOnce) {
  for (int size : {0, 1, 2, 3, 10, 100, 5000}) {
    for (std::uint32_t count : {1u, 2u, 3u, 8u}) {
      auto partitions = TypeParam::Make(-7, size - 7, 1).GetPartitions(count);
      Flags<int> flags(-7, size - 7);
      InThreads(partitions, [&flags](auto& partition, std::size_t) {
        for (int index : partition) flags.Mark(index);
      });
      flags.ExpectAllMarked();
    }
  }
}

// Range-for, ForEach, ForEachInterval and Next are four views of one stream.
TYPED_TEST(PartitionsTest, EveryWayOfConsumingSeesEachIndexOnce) {
  for (std::uint64_t grain : {1, 3}) {
    auto partitions = TypeParam::Make(0, 1000, grain).GetPartitions(4);
    Flags<int> flags(0, 1000);
    InThreads(partitions, [&flags](auto& partition, std::size_t p) {
      switch (p) {
        case 0:
          for (int index : partition) flags.Mark(index);
          break;
        case 1:
          partition.ForEach([&flags](int index) { flags.Mark(index); });
          break;
        case 2:
          partition.ForEachInterval([&flags](int begin, int end) {
            EXPECT_LT(begin, end);
            for (int index = begin; index != end; ++index) flags.Mark(index);
          });
          break;
        default:
          for (int index; partition.Next(&index);) flags.Mark(index);
      }
    });
    flags.ExpectAllMarked();
  }
}

// Each way goes on in the middle of a batch that another has begun.
TYPED_TEST(PartitionsTest, OneWayOfConsumingGoesOnWhereAnotherStopped) {
  auto partitions = TypeParam::Make(0, 40, 1).GetPartitions(1);
  auto& partition = partitions[0];
  Flags<int> flags(0, 40);
  int index = 0;
  const auto take_one = [&] {
    if (partition.Next(&index)) flags.Mark(index);
  };
  take_one();
  for (int i : partition) {
    flags.Mark(i);
    break;
  }
  take_one();
  const auto throwing = [&flags](int i) {
    flags.Mark(i);
    throw std::runtime_error("enough");
  };
  try {
    partition.ForEach(throwing);
  } catch (const std::runtime_error&) {
  }
  take_one();
  partition.ForEachInterval([&flags](int begin, int end) {
    for (int i = begin; i != end; ++i) flags.Mark(i);
  });
  if (TypeParam::kHandsBack) flags.ExpectAllMarked();
  EXPECT_FALSE(partition.Next(&index));
}

TYPED_TEST(PartitionsTest, UseInsideItsOwnLoopFails) {
  auto partitions = TypeParam::Make(0, 40, 1).GetPartitions(1);
  auto& partition = partitions[0];
  const auto in_range_for = [&partition](auto use) {
    for (int index : partition) use(index);
  };
  const char* const kSentence = "a partition was used inside its own loop";
  EXPECT_DEATH(in_range_for([&](int index) { partition.Next(&index); }), kSentence);
  EXPECT_DEATH(in_range_for([&](int) { auto moved = std::move(partition); }), kSentence);
  EXPECT_DEATH(partition.ForEach([&](int) { partition.Leave(); }), kSentence);
  EXPECT_DEATH(partition.ForEachInterval([&](int, int) { partition.begin(); }), kSentence);
}

TYPED_TEST(PartitionsTest, WorksAtTheLimitsOfEveryIndexType) {
  const auto check = [](auto begin, auto end) {
    using Index = decltype(begin);
    auto partitions = TypeParam::Make(begin, end, 1).GetPartitions(3);
    Flags<Index> flags(begin, end);
    for (auto& partition : partitions) {
      partition.ForEach([&flags](Index index) { flags.Mark(index); });
    }
    flags.ExpectAllMarked();
  };
  check(std::numeric_limits<int>::min(), std::numeric_limits<int>::min() + 10);
  check(std::numeric_limits<int>::max() - 10, std::numeric_limits<int>::max());
  check(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min() + 10);
  check(std::numeric_limits<std::int64_t>::max() - 10, std::numeric_limits<std::int64_t>::max());
  check(std::uint64_t{0}, std::uint64_t{10});
  check(UINT64_MAX - 10, UINT64_MAX);
  check(static_cast<signed char>(-128), static_cast<signed char>(127));
  check(static_cast<unsigned char>(0), static_cast<unsigned char>(255));
}

TYPED_TEST(PartitionsTest, EndedPartitionStaysEnded) {
  auto partitions = TypeParam::Make(0, 10, 1).GetPartitions(1);
  int index = 0;
  while (partitions[0].Next(&index)) {
  }
  EXPECT_FALSE(partitions[0].Next(&index));
  for (int unexpected : partitions[0]) ADD_FAILURE() << unexpected;
}

// Throws at every index in turn, with every number of partitions; the consumer
// that throws leaves, the others go on.
TYPED_TEST(PartitionsTest, ThrowingAtAnyIndexEndsOnlyThatConsumer) {
  constexpr int kSize = 24;
  for (int bad = 0; bad < kSize; ++bad) {
    for (std::uint32_t count : {1u, 2u, 4u}) {
      auto partitions = TypeParam::Make(0, kSize, 1).GetPartitions(count);
      Flags<int> flags(0, kSize);
      std::atomic<int> thrown{0};
      InThreads(partitions, [&](auto& partition, std::size_t p) {
        const auto body = [&](int index) {
          flags.Mark(index);
          if (index == bad) throw std::runtime_error("bad index");
        };
        try {
          if (p % 2 == 0) {
            partition.ForEach(body);
          } else {
            for (int index : partition) body(index);
          }
        } catch (const std::runtime_error&) {
          thrown.fetch_add(1, std::memory_order_relaxed);
        }
      });
      EXPECT_EQ(thrown.load(), 1);
      if (TypeParam::kHandsBack && count > 1) flags.ExpectAllMarked();
      // Whoever comes back finds exactly what is still there.
      for (auto& partition : partitions) {
        partition.ForEach([&flags](int index) { flags.Mark(index); });
      }
      if (TypeParam::kHandsBack) flags.ExpectAllMarked();
    }
  }
}

TYPED_TEST(PartitionsTest, BreakingOutHandsTheRestBack) {
  constexpr int kSize = 100;
  for (int taken = 1; taken <= 30; ++taken) {
    auto partitions = TypeParam::Make(0, kSize, 1).GetPartitions(2);
    Flags<int> flags(0, kSize);
    int left = taken;
    for (int index : partitions[0]) {
      flags.Mark(index);
      if (--left == 0) break;
    }
    partitions[1].ForEach([&flags](int index) { flags.Mark(index); });
    if (TypeParam::kHandsBack) flags.ExpectAllMarked();
  }
}

TYPED_TEST(PartitionsTest, DestroyedPartitionsDoNotHoldTheOthersUp) {
  constexpr int kSize = 100;
  auto partitions = TypeParam::Make(0, kSize, 1).GetPartitions(3);
  Flags<int> flags(0, kSize);
  {
    auto started = std::move(partitions[0]);
    int index = 0;
    ASSERT_TRUE(started.Next(&index));
    flags.Mark(index);
    const auto never_started = std::move(partitions[1]);
  }
  auto last = std::move(partitions[2]);
  partitions.clear();
  last.ForEach([&flags](int index) { flags.Mark(index); });
  if (TypeParam::kHandsBack) flags.ExpectAllMarked();
}

TYPED_TEST(PartitionsTest, LoopThatNobodyConsumesIsDropped) {
  auto partitions = TypeParam::Make(0, 100, 1).GetPartitions(3);
  int index = -1;
  ASSERT_TRUE(partitions[1].Next(&index));
  EXPECT_GE(index, 0);
}

TYPED_TEST(PartitionsTest, StopEndsEveryPartitionAfterItsBatch) {
  auto partitions = TypeParam::Make(0, 1000000, 1).GetPartitions(2);
  int index = 0;
  ASSERT_TRUE(partitions[0].Next(&index));
  partitions[0].Stop();
  int after_stop = 0;
  while (partitions[0].Next(&index)) ++after_stop;
  EXPECT_LT(after_stop, 1000000);
  EXPECT_FALSE(partitions[0].Next(&index));
}

TYPED_TEST(PartitionsTest, PartitionsOutliveThePartitioner) {
  auto partitions = [] { return TypeParam::Make(0, 50, 1).GetPartitions(2); }();
  Flags<int> flags(0, 50);
  for (auto& partition : partitions) {
    partition.ForEach([&flags](int index) { flags.Mark(index); });
  }
  flags.ExpectAllMarked();
}

TYPED_TEST(PartitionsTest, DividingAmongNobodyFails) {
  EXPECT_DEATH(TypeParam::Make(0, 10, 1).GetPartitions(0), "divided among 0 partitions");
}

// Without a remainder rule, 10 indices in 4 partitions lose two and never end.
TYPED_TEST(PartitionsTest, TenIndicesInFourPartitionsAreAllServed) {
  auto partitions = TypeParam::Make(0, 10, 1).GetPartitions(4);
  Flags<int> flags(0, 10);
  InThreads(partitions, [&flags](auto& partition, std::size_t) {
    for (int index : partition) flags.Mark(index);
  });
  flags.ExpectAllMarked();
}

// More than 715 827 882 indices overflow (low + 3 * high) / 4 in 32 bits, and
// four thousand million of them a count in 32 bits.
TYPED_TEST(PartitionsTest, ThousandsOfMillionsOfIndicesAddUp) {
  const auto check = [](auto begin, auto end) {
    using Index = decltype(begin);
    auto partitions = TypeParam::Make(begin, end, 1000000).GetPartitions(3);
    std::atomic<std::uint64_t> sum{0};
    InThreads(partitions, [&sum](auto& partition, std::size_t) {
      partition.ForEachInterval([&sum](Index first, Index last) {
        sum.fetch_add(static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first),
                      std::memory_order_relaxed);
      });
    });
    EXPECT_EQ(sum.load(), static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin));
  };
  check(0, 1000000000);
  check(-2000000000, 2000000000);
  check(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
}

}  // namespace
}  // namespace filch

// Loops whose first units tell nothing about the last ones.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/execute.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr int kThreads = 2;
constexpr std::uint32_t kUnits = 10000;
// The part of an uneven loop that a thread takes at once: an eighth of what is its own.
constexpr std::uint32_t kSmallPart = kUnits / (8 * kThreads);

// All units but the last ones take no time.  Those take `ticks` in all for whoever runs the
// first of them.
class LongAtTheEnd final : public LoopBody {
 public:
  LongAtTheEnd(LoopKind& kind, std::uint64_t ticks) : LoopBody(kind), ticks_(ticks) {}

  void Run(UnitInterval units, void** /*segment*/) override {
    constexpr std::uint32_t kFirstLong = kUnits - 100;
    units_ += units.size();
    std::uint32_t largest = largest_;
    while (largest < units.size() && !largest_.compare_exchange_weak(largest, units.size())) {
    }
    if (units.begin > kFirstLong || units.end <= kFirstLong) return;
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks_;) {
    }
  }

  std::uint32_t units() const { return units_; }
  std::uint32_t largest() const { return largest_; }

 private:
  const std::uint64_t ticks_;
  std::atomic<std::uint32_t> units_{0};
  std::atomic<std::uint32_t> largest_{0};
};

// The largest part that a thread of a loop took at once.
std::uint32_t LargestPart(Pool& pool, LoopKind& kind, std::uint64_t ticks) {
  LongAtTheEnd body(kind, ticks);
  pool.Execute([&] {
    Context context;
    RunIndexLoop(body, kUnits, LoopSchedule::kStealing, context);
  });
  EXPECT_EQ(body.units(), kUnits);
  return body.largest();
}

PoolOptions SomeThreads() {
  PoolOptions options;
  options.concurrency = kThreads;
  return options;
}

TEST(UnevenLoopTest, LoopsThatAreLongAtTheirEndAreSoonTakenInSmallParts) {
  Pool pool(SomeThreads());
  LoopKind kind;
  // Longer than a loop whose time alone says how it is cut.
  constexpr std::uint64_t kLong = 1000000;
  int loops = 0;
  while (LargestPart(pool, kind, kLong) > kSmallPart) ASSERT_LT(++loops, 100);
  for (int i = 0; i < 30; ++i) EXPECT_LE(LargestPart(pool, kind, kLong), kSmallPart);
}

TEST(UnevenLoopTest, LoopsThatTakeNoTimeAreTakenInLargeOnes) {
  Pool pool(SomeThreads());
  LoopKind kind;
  std::uint32_t largest = 0;
  for (int i = 0; i < 30; ++i) largest = std::max(largest, LargestPart(pool, kind, 0));
  EXPECT_GT(largest, kSmallPart);
}

}  // namespace
}  // namespace filch

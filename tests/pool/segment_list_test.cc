#include "filch/pool/segment_list.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/closure_memory.h"
#include "filch/pool/join.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_memory.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/loop_values.h"

namespace filch {
namespace {

using pool_internal::ClosureMemory;
using pool_internal::GlobalTaskDepot;
using pool_internal::kLargestTask;
using pool_internal::SegmentList;

PoolOptions Threads(int concurrency) {
  PoolOptions options;
  options.concurrency = concurrency;
  return options;
}

struct Small {
  Small(std::atomic<int>& alive, int n) : counted(alive), number(n) {
    if (n < 0) throw std::runtime_error("negative");
  }
  Counted counted;
  int number;
};
struct Large : Small {
  using Small::Small;
  char bytes[kLargestTask] = {};
};
struct alignas(256) Aligned : Small {
  using Small::Small;
};

static_assert(ClosureMemory<Small>::kPooled, "Most are.");
static_assert(!ClosureMemory<Large>::kPooled, "It is to come from operator new.");
static_assert(!ClosureMemory<Aligned>::kPooled, "It is to come from operator new.");

template <typename T>
class SegmentListTest : public testing::Test {
 protected:
  std::atomic<int> alive_{0};
};

using Contents = testing::Types<Small, Large, Aligned>;
TYPED_TEST_SUITE(SegmentListTest, Contents);

TYPED_TEST(SegmentListTest, AnEmptyOneHasNothing) {
  SegmentList<TypeParam> list(loop_kind<SegmentList<TypeParam>>);
  EXPECT_TRUE(list.empty());
  list.ForEach([](TypeParam&) { FAIL(); });
  EXPECT_TRUE(list.empty());
}

TYPED_TEST(SegmentListTest, GoesThroughThemInOrder) {
  Pool pool(Threads(1));
  pool.Execute([&] {
    for (const int size : {1, 2, 3, 4, 5, 8, 31, 32, 33, 100}) {
      // From left to right, from right to left, and crisscross: 37 divides nothing here.
      for (const int step : {1, size - 1, 37}) {
        SegmentList<TypeParam> list(loop_kind<SegmentList<TypeParam>>);
        int at = 0;
        for (int i = 0; i < size; ++i) {
          at = (at + step) % size;
          const auto begin = static_cast<std::uint32_t>(7 * at + 1);
          TypeParam& made = list.Make(begin, this->alive_, static_cast<int>(begin));
          EXPECT_EQ(made.number, static_cast<int>(begin));
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&made) % alignof(TypeParam), 0u);
        }
        EXPECT_FALSE(list.empty());
        EXPECT_EQ(this->alive_.load(), size);
        // Twice: what goes through them changes nothing.
        for (int round = 0; round < 2; ++round) {
          int before = 0;
          int count = 0;
          list.ForEach([&](TypeParam& segment) {
            EXPECT_GT(segment.number, before);
            before = segment.number;
            ++count;
          });
          EXPECT_EQ(count, size);
        }
      }
      EXPECT_EQ(this->alive_.load(), 0);
    }
  });
}

TYPED_TEST(SegmentListTest, BeginsMayBeAnyNumbers) {
  Pool pool(Threads(1));
  pool.Execute([&] {
    SegmentList<TypeParam> list(loop_kind<SegmentList<TypeParam>>);
    std::vector<int> order;
    list.Make(0xffffffffu, this->alive_, 3);
    list.Make(0x80000000u, this->alive_, 2);
    list.Make(0u, this->alive_, 0);
    list.Make(0x7fffffffu, this->alive_, 1);
    list.ForEach([&](TypeParam& segment) { order.push_back(segment.number); });
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  });
}

TYPED_TEST(SegmentListTest, WhatAConstructorThrowsLeavesNothing) {
  Pool pool(Threads(1));
  pool.Execute([&] {
    SegmentList<TypeParam> list(loop_kind<SegmentList<TypeParam>>);
    EXPECT_THROW(list.Make(1, this->alive_, -1), std::runtime_error);
    EXPECT_TRUE(list.empty());
    list.Make(2, this->alive_, 2);
    EXPECT_THROW(list.Make(3, this->alive_, -3), std::runtime_error);
    EXPECT_EQ(this->alive_.load(), 1);
    int count = 0;
    list.ForEach([&](TypeParam&) { ++count; });
    EXPECT_EQ(count, 1);
  });
  EXPECT_EQ(this->alive_.load(), 0);
}

TYPED_TEST(SegmentListTest, WhatIsThrownOnTheWayLeavesAllToTheList) {
  Pool pool(Threads(1));
  pool.Execute([&] {
    SegmentList<TypeParam> list(loop_kind<SegmentList<TypeParam>>);
    for (const int begin : {3, 1, 2}) {
      list.Make(static_cast<std::uint32_t>(begin), this->alive_, begin);
    }
    const auto throws_at_second = [](TypeParam& segment) {
      if (segment.number == 2) throw std::logic_error("second");
    };
    EXPECT_THROW(list.ForEach(throws_at_second), std::logic_error);
    EXPECT_EQ(this->alive_.load(), 3);
  });
  EXPECT_EQ(this->alive_.load(), 0);
}

TYPED_TEST(SegmentListTest, AnyThreadsOfALoopMakeThem) {
  const std::int64_t outside = GlobalTaskDepot().BlocksOutside();
  for (const int concurrency : {2, 4, 16}) {
    Pool pool(Threads(concurrency));
    pool.Execute([&] {
      for (int round = 0; round < 20; ++round) {
        constexpr int kSize = 300;
        SegmentList<TypeParam> list(loop_kind<SegmentList<TypeParam>>);
        ParallelFor(0, kSize, [&](int i) {
          list.Make(static_cast<std::uint32_t>(i), this->alive_, i);
          if (i % 16 == 0) std::this_thread::yield();
        });
        int next = 0;
        list.ForEach([&](TypeParam& segment) { EXPECT_EQ(segment.number, next++); });
        EXPECT_EQ(next, kSize);
      }
    });
  }
  EXPECT_EQ(this->alive_.load(), 0);
  EXPECT_EQ(GlobalTaskDepot().BlocksOutside(), outside);
}

// Notes in a table that it is destroyed.
class Noted {
 public:
  Noted(std::vector<int>& ends, std::size_t number) : ends_(ends), number_(number) {}
  ~Noted() { ++ends_[number_]; }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

  std::size_t number() const { return number_; }

 private:
  std::vector<int>& ends_;
  const std::size_t number_;
};

// Few are kept in the list itself, and many are not.
TEST(SegmentListUseTest, EachIsDestroyedOnceWhetherOrNotSomebodyWentThroughThem) {
  Pool pool(Threads(1));
  pool.Execute([] {
    for (const std::size_t size : {1u, 2u, 31u, 32u, 33u, 34u, 64u, 200u}) {
      for (int visits = 0; visits < 3; ++visits) {
        std::vector<int> ends(size);
        {
          SegmentList<Noted> list(loop_kind<SegmentList<Noted>>);
          // The last ones, which are first, lie elsewhere.
          for (std::size_t i = size; i-- != 0;) list.Make(static_cast<std::uint32_t>(i), ends, i);
          for (int visit = 0; visit < visits; ++visit) {
            std::size_t next = 0;
            list.ForEach([&next](const Noted& noted) { EXPECT_EQ(noted.number(), next++); });
            EXPECT_EQ(next, size);
          }
          EXPECT_EQ(ends, std::vector<int>(size));
        }
        EXPECT_EQ(ends, std::vector<int>(size, 1)) << visits;
      }
    }
  });
}

// A constructor and a destructor that use the pool.
struct Joins {
  Joins() { Run(); }
  ~Joins() { Run(); }
  void Run() const {
    Join([] {}, [] {});
  }
  std::string text = "a text too long to be stored without memory";
};

// Takes a tenth of a millisecond to be made.
struct Dear {
  Dear() { TakeLong(); }
  static void TakeLong() {
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < kTicks;) {
    }
  }
  static constexpr std::uint64_t kTicks = 100000;
};

TEST(SegmentListUseTest, TheKindIsToldWhatSegmentsTake) {
  Pool pool(Threads(1));
  pool.Execute([] {
    LoopKind kind;
    SegmentList<Dear> list(kind);
    for (std::uint32_t begin = 0; begin != 10; ++begin) list.Make(begin);
    EXPECT_GT(kind.making(), Dear::kTicks / 2);
    EXPECT_EQ(kind.making_and_joining(), kind.making());
    list.ForEach([](Dear&) { Dear::TakeLong(); });
    EXPECT_GT(kind.making_and_joining(), kind.making() + Dear::kTicks / 2);
  });
}

TEST(SegmentListUseTest, ConstructorsAndDestructorsMayUseThePool) {
  Pool pool(Threads(2));
  pool.Execute([] {
    SegmentList<Joins> list(loop_kind<SegmentList<Joins>>);
    ParallelFor(0, 100, [&](int i) { list.Make(static_cast<std::uint32_t>(i)); });
  });
}

}  // namespace
}  // namespace filch

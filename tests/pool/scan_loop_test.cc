#include "filch/pool/scan_loop.h"

#include <cstdint>
#include <functional>
#include <future>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/scan.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using pool_internal::BasicScanLoop;
using pool_internal::ScanOf;

std::string Text(UnitInterval block) {
  std::string text;
  for (std::uint32_t i = block.begin; i != block.end; ++i) text += static_cast<char>('a' + i);
  return text;
}

// Time passes when the recorder works.
struct FakeClock {
  static std::uint64_t Now() { return now; }
  static inline std::uint64_t now = 0;
};

// Sums are texts; what is done is written down, and can be interrupted: what
// another thread does meanwhile, a test does inside of it.
class Recorder {
 public:
  using Sum = std::string;

  Sum MakeSum() {
    FakeClock::now += make_time;
    if (when_made != nullptr) std::exchange(when_made, nullptr)();
    return "";
  }
  void Add(UnitInterval block, Sum& sum) {
    log.push_back((sum.empty() ? "sum " : sum + " and ") + Text(block));
    sum += Text(block);
    Interrupt(Text(block));
  }
  void Finish(UnitInterval block, Sum& sum) {
    const std::string left = sum;
    sum += Text(block);
    log.push_back(left + " + " + Text(block));
    Interrupt(Text(block));
  }
  Sum Combine(Sum& left, Sum right) {
    FakeClock::now += combine_time;
    return left + right;
  }

  std::vector<std::string> log;
  std::string when;  // the block at which `then` is called, once
  std::function<void()> then;
  std::uint64_t make_time = 0;  // of a sum
  std::uint64_t combine_time = 0;
  std::uint64_t block_time = 100000;  // so long that nobody takes more than it must
  std::function<void()> when_made;

 private:
  void Interrupt(const std::string& block) {
    FakeClock::now += block_time;
    if (block == when && then != nullptr) std::exchange(then, nullptr)();
  }
};

using Log = std::vector<std::string>;
using Loop = BasicScanLoop<FakeClock>;

class ScanLoopTest : public testing::Test {
 protected:
  // A thread that began with the first unit, or one that stole.
  void Take(std::uint32_t units) { loop_.Run({0, units}, &first_); }
  void TakeAsThief(std::uint32_t units) {
    void* segment = nullptr;
    loop_.Run({1, 1 + units}, &segment);
  }

  // "a" and "b": from then on it is known that sums are cheap.
  void ChainOne() {
    recorder_.when = "a";
    recorder_.then = [this] { TakeAsThief(1); };
    Take(1);
    EXPECT_EQ(recorder_.log, (Log{" + a", "sum b"}));
    recorder_.log.clear();
  }

  // How many blocks are left over.
  std::uint32_t LeftOverUnits() {
    std::uint32_t units = 0;
    left_over_ = loop_.GatherLeftOver(&units);
    EXPECT_EQ(left_over_ == nullptr, units == 0);
    return units;
  }

  const std::string& sum() const { return sum_.value; }

  Recorder recorder_;
  ScanOf<Recorder> scan_{recorder_};
  ScanOf<Recorder>::SumOfValue sum_{""};
  Loop loop_{scan_, sum_, 8, 2};
  void* first_ = nullptr;
  LoopBody* left_over_ = nullptr;
};

TEST_F(ScanLoopTest, OneThreadPassesOnce) {
  Take(1);
  Take(2);
  Take(5);
  EXPECT_EQ(recorder_.log, (Log{" + a", "a + bc", "abc + defgh"}));
  EXPECT_EQ(LeftOverUnits(), 0u);
  EXPECT_EQ(sum(), "abcdefgh");
}

TEST_F(ScanLoopTest, WhatIsTakenEarlyIsSummed) {
  ChainOne();
  recorder_.when = "c";
  recorder_.then = [this] {
    TakeAsThief(1);
    TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{"ab + c", "a + b", "sum d", "sum e"}));
  // Everything left of it is summed.
  Take(3);
  EXPECT_EQ(recorder_.log.back(), "abcde + fgh");
  EXPECT_EQ(LeftOverUnits(), 2u);
  // There is nothing else to do.
  Take(1);
  EXPECT_EQ(Log(recorder_.log.begin() + 5, recorder_.log.end()), (Log{"abc + d", "abcd + e"}));
  EXPECT_EQ(LeftOverUnits(), 0u);
  EXPECT_EQ(sum(), "abcdefgh");
}

TEST_F(ScanLoopTest, BeforeOneIsChainedThereIsOneSum) {
  recorder_.when = "a";
  recorder_.then = [this] {
    for (int i = 0; i < 3; ++i) TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{" + a", "sum b", "b and c", "bc and d"}));
  Take(4);
  ASSERT_EQ(LeftOverUnits(), 1u);
  void* segment = nullptr;
  left_over_->Run({0, 1}, &segment);
  EXPECT_EQ(Log(recorder_.log.begin() + 4, recorder_.log.end()), (Log{"abcd + efgh", "a + bcd"}));
  EXPECT_EQ(sum(), "abcdefgh");
}

TEST_F(ScanLoopTest, ADearSumGoesOn) {
  recorder_.make_time = 25000;
  ChainOne();
  recorder_.when = "c";
  recorder_.then = [this] {
    for (int i = 0; i < 3; ++i) TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{"ab + c", "a + b", "sum d", "d and e", "de and f"}));
}

TEST_F(ScanLoopTest, WhatIsNotWorthASumIsNotSummed) {
  recorder_.make_time = recorder_.combine_time = 1000000;
  ChainOne();
  recorder_.when = "cd";
  recorder_.then = [this] {
    for (int i = 0; i < 3; ++i) TakeAsThief(1);
  };
  Take(1);
  Take(4);
  EXPECT_EQ(recorder_.log, (Log{"ab + cd", "a + b", "abcd + efgh"}));
}

TEST_F(ScanLoopTest, WhatTookLongOnceKeepsNobodyFromSumming) {
  recorder_.make_time = 1000000;
  ChainOne();
  recorder_.when = "cd";
  recorder_.then = [this] { TakeAsThief(1); };
  Take(1);
  EXPECT_EQ(recorder_.log.back(), "sum e");
}

TEST_F(ScanLoopTest, WhatOneQuickBlockSaysOfOthersKeepsNobodyFromSumming) {
  recorder_.make_time = recorder_.combine_time = 5000;
  ChainOne();
  recorder_.block_time = 1000;
  Take(1);
  recorder_.when = "de";
  recorder_.then = [this] { TakeAsThief(1); };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{"ab + c", "abc + de", "a + b", "sum f"}));
}

// Of 20 units where a sum takes two milliseconds, what follows the eighth is left over.
class DearScanLoopTest : public ScanLoopTest {
 protected:
  DearScanLoopTest() {
    recorder_.make_time = recorder_.combine_time = 1000000;
    recorder_.when = "a";
    recorder_.then = [this] { TakeFrom(1); };
    TakeFrom(0);
    recorder_.when = "cdefgh";
    recorder_.then = [this] {
      for (int i = 0; i != 12; ++i) TakeFrom(1);
    };
    TakeFrom(0);
    EXPECT_EQ(recorder_.log, (Log{" + a", "sum b", "ab + cdefgh", "a + b"}));
    recorder_.log.clear();
  }

  void TakeFrom(std::uint32_t begin) {
    void* segment = nullptr;
    twenty_.Run({begin, begin + 1}, &segment);
  }
  // Runs what is left over in one part; false if nothing is.
  bool RunLeftOver() {
    std::uint32_t units = 0;
    LoopBody* const left_over = twenty_.GatherLeftOver(&units);
    if (left_over == nullptr) return false;
    EXPECT_EQ(units, 1u);
    void* segment = nullptr;
    left_over->Run({0, 1}, &segment);
    return true;
  }

  Loop twenty_{scan_, sum_, 20, 2};
};

TEST_F(DearScanLoopTest, WhatIsLeftOverIsHalved) {
  for (int i = 0; i != 3; ++i) {
    EXPECT_TRUE(RunLeftOver());
    EXPECT_EQ(twenty_.BeginAgain(), 0u);
  }
  EXPECT_EQ(recorder_.log,
            (Log{"abcdefgh + ijklmn", "abcdefghijklmn + opq", "abcdefghijklmnopq + rst"}));
  EXPECT_FALSE(RunLeftOver());
  EXPECT_EQ(sum(), "abcdefghijklmnopqrst");
}

TEST_F(DearScanLoopTest, WhatIsLeftOverMayBeWorthASumAfterAll) {
  recorder_.block_time = 50000000;
  EXPECT_TRUE(RunLeftOver());
  ASSERT_EQ(twenty_.BeginAgain(), 6u);
  recorder_.when = "o";
  recorder_.then = [this] {
    TakeFrom(1);
    for (int i = 0; i != 4; ++i) TakeFrom(1);
  };
  TakeFrom(0);
  EXPECT_EQ(recorder_.log,
            (Log{"abcdefgh + ijklmn", "abcdefghijklmn + o", "sum p", "sum q", "sum r", "sum s"}));
  std::uint32_t units = 0;
  LoopBody* const left_over = twenty_.GatherLeftOver(&units);
  ASSERT_EQ(units, 5u);
  void* segment = nullptr;
  left_over->Run({0, 5}, &segment);
  EXPECT_EQ(twenty_.BeginAgain(), 0u);
  EXPECT_FALSE(RunLeftOver());
  EXPECT_EQ(sum(), "abcdefghijklmnopqrst");
}

TEST_F(ScanLoopTest, BeforeOneIsChainedASumGoesOnForSomeBlocksOnly) {
  recorder_.block_time = 1000000;
  recorder_.when = "a";
  recorder_.then = [this] {
    for (int i = 0; i < 3; ++i) TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{" + a", "sum b", "sum c", "sum d"}));
}

TEST_F(ScanLoopTest, WhoCannotMakeASumHasTakenNothing) {
  recorder_.when = "a";
  recorder_.then = [this] {
    recorder_.when_made = [] { throw std::bad_alloc(); };
    EXPECT_THROW(TakeAsThief(1), std::bad_alloc);
    TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{" + a", "sum b"}));
}

TEST_F(ScanLoopTest, SumsGoOnWhereManyWait) {
  FakeClock::now = 0;
  constexpr std::uint32_t kUnits = 26;
  Loop loop(scan_, sum_, kUnits, 2);
  const auto take = [&](std::uint32_t begin, void* segment) {
    loop.Run({begin, begin + 1}, &segment);
  };
  recorder_.when = "a";
  recorder_.then = [&] { take(1, nullptr); };
  take(0, nullptr);
  recorder_.log.clear();
  recorder_.when = "c";
  recorder_.then = [&] {
    for (int i = 0; i < 18; ++i) take(1, nullptr);
  };
  take(0, nullptr);
  ASSERT_EQ(recorder_.log.size(), 20u);
  EXPECT_EQ(recorder_.log[17], "sum s");
  EXPECT_EQ(recorder_.log[18], "s and t");
  EXPECT_EQ(recorder_.log[19], "st and u");
}

TEST_F(ScanLoopTest, OthersGoOnWhileASumIsMade) {
  recorder_.when = "a";
  recorder_.then = [this] {
    recorder_.when_made = [this] { TakeAsThief(1); };
    TakeAsThief(1);
  };
  Take(1);
  // What the other thread has begun meanwhile goes on.
  EXPECT_EQ(recorder_.log, (Log{" + a", "sum b", "b and c"}));
}

TEST_F(ScanLoopTest, FinishingABlockGoesBeforeSummingAnother) {
  recorder_.when = "a";
  recorder_.then = [this] { TakeAsThief(1); };
  Take(1);
  recorder_.when = "c";
  recorder_.then = [this] { TakeAsThief(1); };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{" + a", "sum b", "ab + c", "a + b", "sum d"}));
}

TEST_F(ScanLoopTest, WhatNobodyHadTimeForIsLeftOver) {
  ChainOne();
  recorder_.when = "c";
  recorder_.then = [this] {
    for (int i = 0; i < 6; ++i) TakeAsThief(1);
  };
  Take(1);
  ASSERT_EQ(LeftOverUnits(), 5u);
  void* segment = nullptr;
  left_over_->Run({0, 5}, &segment);
  // The last one was not summed.
  EXPECT_EQ(Log(recorder_.log.begin() + 6, recorder_.log.end()),
            (Log{"abc + d", "abcd + e", "abcde + f", "abcdef + g", "abcdefg + h"}));
  EXPECT_EQ(sum(), "abcdefgh");
}

TEST_F(ScanLoopTest, NobodySumsTheLastUnit) {
  recorder_.when = "a";
  recorder_.then = [this] {
    TakeAsThief(6);
    TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{" + a", "sum bcdefg"}));
  EXPECT_EQ(LeftOverUnits(), 2u);
}

TEST_F(ScanLoopTest, WhatIsLeftOverIsGathered) {
  recorder_.when = "ab";
  recorder_.then = [this] { TakeAsThief(5); };
  Take(2);
  ASSERT_EQ(LeftOverUnits(), 2u);
  void* segment = nullptr;
  left_over_->Run({0, 2}, &segment);
  EXPECT_EQ(sum(), "abcdefgh");
}

TEST_F(ScanLoopTest, OfWhatOneThreadHasDoneNothingIs) {
  Take(8);
  EXPECT_EQ(LeftOverUnits(), 0u);
  EXPECT_EQ(left_over_, nullptr);
}

TEST_F(ScanLoopTest, WhatIsTakenWhileABlockIsSummedIsSummed) {
  std::promise<void> summing;
  std::promise<void> go_on;
  std::thread thief;
  recorder_.when = "ab";
  recorder_.then = [&] {
    recorder_.when = "c";
    recorder_.then = [&] {
      summing.set_value();
      go_on.get_future().wait();
    };
    thief = std::thread([this] { TakeAsThief(1); });
    summing.get_future().wait();
  };
  Take(2);
  EXPECT_EQ(recorder_.log, (Log{" + ab", "sum c"}));
  Take(4);
  EXPECT_EQ(recorder_.log.back(), "sum defg");
  go_on.set_value();
  thief.join();
  EXPECT_EQ(LeftOverUnits(), 3u);
}

TEST_F(ScanLoopTest, WhoComesLastLeavesSeveralBlocksToAll) {
  ChainOne();
  recorder_.when = "c";
  recorder_.then = [this] {
    TakeAsThief(3);
    TakeAsThief(1);
  };
  Take(1);
  EXPECT_EQ(recorder_.log, (Log{"ab + c", "a + b", "sum def", "sum g"}));
  Take(1);
  EXPECT_EQ(recorder_.log.back(), "sum g");
  ASSERT_EQ(LeftOverUnits(), 3u);
  void* segment = nullptr;
  left_over_->Run({2, 3}, &segment);
  left_over_->Run({0, 2}, &segment);
  EXPECT_EQ(Log(recorder_.log.begin() + 4, recorder_.log.end()),
            (Log{"abcdefg + h", "abc + def", "abcdef + g"}));
  EXPECT_EQ(sum(), "abcdefgh");
}

// Writes down the sizes of blocks; each unit takes some time.
struct Sizes {
  using Sum = int;

  Sum MakeSum() { return 0; }
  void Add(UnitInterval block, Sum&) { summed.push_back(block.size()); }
  void Finish(UnitInterval block, Sum&) {
    scanned.push_back(block.size());
    FakeClock::now += block.size() * std::uint64_t{1000};
    if (then != nullptr) then();
  }
  Sum Combine(Sum&, Sum) { return 0; }

  std::vector<std::uint32_t> scanned;
  std::vector<std::uint32_t> summed;
  std::function<void()> then;
};

TEST(ScanLoopSizesTest, BlocksGrowOnceThereAreOthersToHandThemTo) {
  Sizes sizes;
  ScanOf<Sizes> scan(sizes);
  ScanOf<Sizes>::SumOfValue sum(0);
  Loop loop(scan, sum, 10000, 2);
  void* first = nullptr;
  for (int i = 0; i < 10; ++i) loop.Run({0, 1}, &first);
  EXPECT_EQ(sizes.scanned, std::vector<std::uint32_t>(10, 1));
  void* thief = nullptr;
  for (int i = 0; i < 10; ++i) loop.Run({5000, 5001}, &thief);
  // 32 units are the first power of two that lasts for more than 30 us.
  EXPECT_EQ(sizes.scanned.back(), 32u);
  sizes.then = [&] { loop.Run({5000, 5001}, &thief); };
  loop.Run({0, 1}, &first);
  EXPECT_EQ(sizes.summed, std::vector<std::uint32_t>{8});
}

TEST(ScanLoopSizesTest, WhatIsSummedTellsHowLargeABlockCanBe) {
  Sizes sizes;
  // Many threads: an even share of what is left is a block of a few units.
  ScanOf<Sizes> scan(sizes);
  ScanOf<Sizes>::SumOfValue sum(0);
  Loop loop(scan, sum, 10000, 1000);
  void* first = nullptr;
  void* thief = nullptr;
  // Nothing takes any time but the first block, which is not over before the others are.
  sizes.then = [&] {
    for (int i = 0; i < 12; ++i) loop.Run({5000, 5001}, &thief);
  };
  loop.Run({0, 1}, &first);
  EXPECT_EQ(sizes.summed,
            (std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}));
}

TEST_F(ScanLoopTest, UnitsBeyondTheEndAreNothing) {
  Take(7);
  Take(5);
  Take(5);
  EXPECT_EQ(recorder_.log, (Log{" + abcdefg", "abcdefg + h"}));
}

}  // namespace
}  // namespace filch

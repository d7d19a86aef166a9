// The deques under load: many items, many thieves, few cpus.
//
//   deque_stress_test              bounded: a second or two
//   deque_stress_test --long       ten seeds of five times as much: some ten minutes
//
// Under ThreadSanitizer it is the proof that nothing but the named edges is
// needed; the judge is in contest.h.
#include <sched.h>

#include <cstring>
#include <string>
#include <thread>
#include <type_traits>

#include "gtest/gtest.h"
#include "tests/deque/contest.h"
#include "tests/deque/deques_under_test.h"

namespace filch {
namespace {

bool run_long = false;

int Cpus() {
  const unsigned cpus = std::thread::hardware_concurrency();
  return cpus == 0 ? 1 : static_cast<int>(cpus);
}

// Keeps this thread, and those it starts, on the cpu it is on.
class OnOneCpu {
 public:
  OnOneCpu() {
    CPU_ZERO(&before_);
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    confined_ = sched_setaffinity(0, sizeof(one), &one) == 0;
  }
  ~OnOneCpu() { sched_setaffinity(0, sizeof(before_), &before_); }
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

  bool confined() const { return confined_; }

 private:
  cpu_set_t before_;
  bool confined_ = false;
};

template <typename Kind>
class DequeStressTest : public testing::Test {
 protected:
  void Run(int items, int thieves, int longest_burst, int bursts_between_yields = 0) {
    for (unsigned seed = 1; seed <= (run_long ? 10u : 1u); ++seed) {
      using Deque = typename Kind::template Of<ContestItem*>;
      Deque deque(-1000, 2);
      ContestRules rules;
      rules.items = run_long ? 5 * items : items;
      rules.thieves = thieves;
      rules.longest_burst = longest_burst;
      rules.bursts_between_yields = bursts_between_yields;
      rules.seed = seed;
      Contest<Deque> contest(&deque, rules);
      contest.Run();
      this->RecordProperty("stolen", contest.stolen());
    }
  }
};

class KindNames {
 public:
  template <typename Kind>
  static std::string GetName(int) {
    if (std::is_same_v<Kind, ChaseLev>) return "ChaseLev";
    if (std::is_same_v<Kind, Locked>) return "Locked";
    if (std::is_same_v<Kind, PoliteSplit<DequeAtomics>>) return "Split";
    if (std::is_same_v<Kind, ForcedSplit<DequeAtomics>>) return "SplitForced";
    return "SplitWithoutMembarrier";
  }
};

using Kinds = testing::Types<ChaseLev, Locked, PoliteSplit<DequeAtomics>, ForcedSplit<DequeAtomics>,
                             ForcedSplit<WithoutMembarrier>>;
TYPED_TEST_SUITE(DequeStressTest, Kinds, KindNames);

TYPED_TEST(DequeStressTest, OneThiefPerCpu) { this->Run(1000000, Cpus(), 64, 20); }

TYPED_TEST(DequeStressTest, AroundTheLastItem) { this->Run(300000, 2, 1, 3); }

TYPED_TEST(DequeStressTest, DeepDeque) { this->Run(1000000, 1, 5000); }

TYPED_TEST(DequeStressTest, EightThreadsPerCpu) { this->Run(500000, 8 * Cpus(), 16, 100); }

TYPED_TEST(DequeStressTest, OneCpuForAll) {
  const OnOneCpu scope;
  ASSERT_TRUE(scope.confined());
  this->Run(200000, 3, 16, 10);
}

}  // namespace
}  // namespace filch

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  filch::run_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
  return RUN_ALL_TESTS();
}

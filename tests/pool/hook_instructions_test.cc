// What hooks cost those who come to an arena, in instructions.
#include <cstddef>
#include <cstdint>
#include <deque>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/execute.h"
#include "filch/pool/newest_hook.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/executed_instructions.h"

namespace filch {
namespace {

class Hook final : public ArenaHook {
 public:
  ~Hook() { Remove(); }

 private:
  void OnEnter(bool) noexcept override {}
  void OnLeave(bool) noexcept override {}
};

class HookInstructionsTest : public testing::Test {
 protected:
  HookInstructionsTest() : pool_(OneThread()), arena_(NewArena()) {}

  void SetUp() override {
    if (!ExecutedInstructions::IsAvailable()) {
      GTEST_SKIP() << "Nothing to check: this is not an x86-64 machine.";
    }
  }

  static PoolOptions OneThread() {
    PoolOptions options;
    options.concurrency = 1;
    return options;
  }
  Arena& NewArena() { return pool_.AcquireArena({1, 1, Priority::kNormal}); }

  // Of a stay in the arena, after one that makes what is missing.
  std::int64_t Executed() {
    ExecuteIn(arena_, [] {});
    ExecutedInstructions executed;
    executed.Start();
    ExecuteIn(arena_, [] {});
    executed.Stop();
    return executed.all();
  }

  Pool pool_;
  Arena& arena_;
};

TEST_F(HookInstructionsTest, AStayTakesLittleForEachHook) {
  const std::int64_t none = Executed();
  std::deque<Hook> hooks;
  const auto executed_with = [&](std::size_t count) {
    while (hooks.size() < count) hooks.emplace_back().Add(&arena_);
    return Executed() - none;
  };
  const std::int64_t with_some = executed_with(30);
  const std::int64_t with_more = executed_with(90);
  EXPECT_LE(with_more, with_some * 3 * 11 / 10);
}

TEST_F(HookInstructionsTest, HooksOfOtherArenasTakeNothing) {
  const std::int64_t none = Executed();
  std::deque<Hook> hooks;
  while (hooks.size() < 500) {
    const Arena& other = NewArena();
    if (pool_internal::HookIndexOf(&other) == pool_internal::HookIndexOf(&arena_)) continue;
    hooks.emplace_back().Add(&other);
  }
  EXPECT_LE(Executed(), none);
}

}  // namespace
}  // namespace filch

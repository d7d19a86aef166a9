#include "filch/pool/helped_call.h"

#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "filch/pool/isolate.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

TEST(HelpedCallTest, PassesOnWhatTheFunctionThrows) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    HelpedCall call;
    EXPECT_THROW(call.Run([] { throw std::runtime_error("no data"); }), std::runtime_error);
    call.End();
    call.HelpUntilEnd();  // returns
  });
}

TEST(HelpedCallTest, WhatTheFunctionWaitsForIsItsOwn) {
  Pool pool(OfThreads(1));
  pool.SetWorkerLimit(0);
  std::string ran;
  pool.Execute([&] {
    TaskGroup strangers;
    HelpedCall call;
    call.Run([&] {
      TaskGroup parts;
      parts.Run([&] { ran += 'p'; });
      {
        const IsolationReentry elsewhere(Isolation::Make());
        strangers.Run([&] { ran += 's'; });
      }
      parts.Wait();
      EXPECT_EQ(ran, "p");
    });
    call.End();
    strangers.Wait();
  });
  EXPECT_EQ(ran, "ps");
}

// A call in a pool without workers whose parts another thread has to run, which comes to it
// from `from` with a task of its own, and runs nothing else meanwhile.
void IsHelpedFrom(Pool& pool, const std::function<void(const std::function<void()>&)>& from) {
  pool.SetWorkerLimit(0);
  std::optional<HelpedCall> call;
  std::atomic<bool> is_made{false};
  std::atomic<bool> helps{false};
  std::thread helper([&] {
    YieldUntil(is_made);
    from([&] {
      const std::thread::id self = std::this_thread::get_id();
      TaskGroup strangers;
      strangers.Run([&helps, self] { EXPECT_FALSE(helps && std::this_thread::get_id() == self); });
      helps = true;
      call->HelpUntilEnd();
      helps = false;
      strangers.Wait();
    });
  });
  pool.Execute([&] {
    call.emplace();
    is_made = true;
    YieldUntil(helps);
    call->Run([&] {
      const std::thread::id self = std::this_thread::get_id();
      for (int round = 0; round < 200; ++round) {
        TaskGroup parts;
        std::atomic<bool> ran{false};
        parts.Run([&ran, self] {
          EXPECT_NE(std::this_thread::get_id(), self);
          ran = true;
        });
        YieldUntil(ran);
        parts.Wait();
      }
    });
    EXPECT_TRUE(helps);
    call->End();
    helper.join();
  });
}

TEST(HelpedCallTest, IsHelpedFromItsArena) {
  Pool pool(OfThreads(2));
  IsHelpedFrom(pool, [&](const std::function<void()>& help) { pool.Execute(help); });
}

TEST(HelpedCallTest, IsHelpedFromOutside) {
  Pool pool(OfThreads(2));
  IsHelpedFrom(pool, [](const std::function<void()>& help) { help(); });
}

TEST(HelpedCallTest, IsHelpedFromAnArenaWithinItsOwn) {
  Pool pool(OfThreads(2));
  Pool inner(OfThreads(1));
  IsHelpedFrom(
      pool, [&](const std::function<void()>& help) { pool.Execute([&] { inner.Execute(help); }); });
}

TEST(HelpedCallTest, WhoFindsNoRoomSleepsUntilItIsOver) {
  Pool pool(OfThreads(2));
  std::optional<HelpedCall> call;
  std::atomic<bool> is_made{false};
  std::atomic<bool> helps{false};
  std::atomic<bool> is_over{false};
  std::atomic<bool> is_full{false};
  std::thread occupant([&] {
    pool.Execute([&] {
      is_full = true;
      YieldUntil(is_over);
    });
  });
  YieldUntil(is_full);
  std::thread helper([&] {
    YieldUntil(is_made);
    helps = true;
    call->HelpUntilEnd();
    EXPECT_TRUE(is_over);
  });
  pool.Execute([&] {
    call.emplace();
    is_made = true;
    YieldUntil(helps);
    call->Run([other = helper.get_id()] {
      TaskGroup parts;
      for (int part = 0; part < 100; ++part) {
        parts.Run([other] { EXPECT_NE(std::this_thread::get_id(), other); });
      }
      parts.Wait();
    });
    is_over = true;
    call->End();
  });
  helper.join();
  occupant.join();
}

}  // namespace
}  // namespace filch

// Idle workers cost nothing: they sleep, and stay asleep.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/later_threads.h"
#include "tests/pool/meet.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

void ExpectNoCpuWhileThisThreadIsBusy(const LaterThreads& workers) {
  // The workers go to sleep by themselves; if they did not, this would not end.
  workers.UntilAllSleep();
  const auto before = workers.Now();
  ASSERT_FALSE(before.empty());
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  while (std::chrono::steady_clock::now() < end) {
  }
  for (const auto& [id, thread] : workers.Now()) {
    EXPECT_EQ(thread.nanoseconds_on_cpu, before.at(id).nanoseconds_on_cpu) << "thread " << id;
  }
}

TEST(IdleTest, WorkersSleepWhenTheWorkIsDone) {
  const LaterThreads workers;
  Pool pool(OfThreads(4));
  for (int round = 0; round < 3; ++round) {
    pool.Execute([] {
      Meet(4);
      Fib(20);
    });
    ExpectNoCpuWhileThisThreadIsBusy(workers);
  }
}

TEST(IdleTest, WorkersSleepWhileOneTaskIsBusy) {
  const LaterThreads workers;
  Pool pool(OfThreads(4));
  pool.Execute([&workers] {
    Meet(4);
    ExpectNoCpuWhileThisThreadIsBusy(workers);
  });
}

}  // namespace
}  // namespace filch

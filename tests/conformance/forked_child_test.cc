// A child that is forked by the only thread that uses the scheduler may use it as well: data is
// loaded so, by processes of a pool, whose parent has computed something before.
#include <sys/wait.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/pool/later_threads.h"

namespace {

bool Reduces() {
  return tbb::parallel_reduce(
             tbb::blocked_range<long>(0, 1000000), 0L,
             [](const tbb::blocked_range<long>& part, long sum) {
               for (long i = part.begin(); i != part.end(); ++i) sum += i;
               return sum;
             },
             std::plus<long>()) == 499999500000;
}

bool RunsAGroup() {
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 100; ++i) group.run([&ran] { ++ran; });
  group.wait();
  return ran == 100;
}

bool ExecutesInAnArena() {
  std::atomic<int> ran{0};
  tbb::task_arena arena(2);
  arena.execute([&ran] { tbb::parallel_for(0, 1000, [&ran](int) { ++ran; }); });
  return ran == 1000;
}

bool Enqueues() {
  if (kOnOneTbb) return true;  // waits for ever
  std::atomic<bool> ran{false};
  tbb::task_arena arena(2);
  arena.enqueue([&ran] { ran = true; });
  while (!ran) std::this_thread::yield();
  return true;
}

TEST(ForkedChildTest, GoesOnWithTheScheduler) {
  const filch::LaterThreads workers;
  tbb::task_arena parents(2);
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(Reduces() && RunsAGroup() && ExecutesInAnArena());
    parents.execute([] { ASSERT_TRUE(Reduces()); });
    workers.UntilAllSleep();
    for (bool (*use)() : {&Reduces, &RunsAGroup, &ExecutesInAnArena, &Enqueues}) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(60);  // a child that hangs fails
        bool works = use();
        parents.execute([&] { works = Reduces() && works; });
        _exit(works ? 0 : 1);
      }
      int status = -1;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
    }
  }
}

}  // namespace

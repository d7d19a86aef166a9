// A child of fork() works, or ends with a sentence, and never hangs.  A child
// that does hang is ended by its alarm, and then the test fails.
#include "filch/pool/forked_child.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "filch/pool/default_pool.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/join.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "filch/pool/task_memory.h"
#include "gtest/gtest.h"
#include "tests/yield_for_a_while.h"

namespace {

// Of the calling thread: whether it stops where it allocates next, until another one forks.
thread_local bool stops = false;
std::atomic<bool> has_stopped{false};
std::atomic<bool> forks{false};

void StopUntilAnotherForks() {
  stops = false;
  has_stopped = true;
  while (!forks.load()) std::this_thread::yield();
  // Time for a fork that does not wait.
  filch::YieldForAWhile();
}

}  // namespace

void* operator new(std::size_t size) {
  if (stops) StopUntilAnotherForks();
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace filch {
namespace {

struct Child {
  pid_t id = 0;
  int output = -1;  // what it writes to the standard error stream
};

// In the child: the id is 0.
Child Fork() {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  Child child;
  child.id = fork();
  if (child.id == 0) {
    alarm(20);  // far more than any child needs
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
  }
  close(ends[1]);
  child.output = ends[0];
  return child;
}

// What it wrote, up to its end.
std::string OutputOf(const Child& child) {
  std::string output;
  char buffer[256];
  for (ssize_t size; (size = read(child.output, buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<std::size_t>(size));
  }
  close(child.output);
  return output;
}

void ExpectSentence(const Child& child) {
  const std::string output = OutputOf(child);
  int status = 0;
  ASSERT_EQ(waitpid(child.id, &status, 0), child.id);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << "status " << status;
  EXPECT_NE(output.find("was forked from one that used the scheduler"), std::string::npos)
      << output;
}

void ExpectSuccess(const Child& child) {
  const std::string output = OutputOf(child);
  int status = 0;
  ASSERT_EQ(waitpid(child.id, &status, 0), child.id);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status << ", output:\n"
                                                             << output;
}

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

Pool& TheirPool() {
  static Pool pool([] {
    PoolOptions options;
    options.concurrency = 3;
    return options;
  }());
  return pool;
}

// Whether loops, groups and what is enqueued run, in either pool.
bool TheSchedulerWorks() {
  std::atomic<int> sum{0};
  ParallelFor(0, 1000, [&sum](int i) { sum += i; });
  TaskGroup group;
  for (int i = 0; i < 100; ++i) group.Run([&sum] { ++sum; });
  group.Wait();
  Arena& arena = TheirPool().AcquireArena({2, 1, Priority::kNormal});
  std::atomic<bool> ran{false};
  Enqueue(arena, [&ran] { ran = true; });
  while (!ran.load()) std::this_thread::yield();
  TheirPool().ReleaseArena(arena);
  return sum == 499500 + 100 && Fib(15) == 610 &&
         TheirPool().Execute([] { return Fib(15) == 610; });
}

// First: nobody has used the scheduler yet.
TEST(ForkedChildTest, AChildOfAProcessWithoutPoolsMayUseTheScheduler) {
  const Child child = Fork();
  if (child.id == 0) _exit(Fib(15) == 610 ? 0 : 1);
  ExpectSuccess(child);
}

// In a process of its own, in which nobody has used it either.
TEST(ForkedChildTest, AChildMayUseTheDefaultPoolThatAnotherThreadWasMaking) {
  const Child parent = Fork();
  if (parent.id == 0) {
    std::atomic<bool> over{false};
    std::thread other([&over] {
      stops = true;
      DefaultPool();
      // TSan misses it in the child if it has ended when that is made.
      while (!over.load()) std::this_thread::yield();
    });
    while (!has_stopped.load()) std::this_thread::yield();
    pthread_atfork([] { forks = true; }, nullptr, nullptr);
    const Child child = Fork();
    if (child.id == 0) {
      DefaultPool().SetWorkerLimit(0);  // TSan lets no thread start here
      _exit(Fib(15) == 610 ? 0 : 1);
    }
    ExpectSuccess(child);
    over = true;
    other.join();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  ExpectSuccess(parent);
}

TEST(ForkedChildTest, AChildOfAProcessWhosePoolsHaveNoWorkersYetMayUseThem) {
  EXPECT_GE(DefaultPool().concurrency(), 1);
  EXPECT_EQ(TheirPool().concurrency(), 3);
  const Child child = Fork();
  if (child.id == 0) _exit(TheSchedulerWorks() ? 0 : 1);
  ExpectSuccess(child);
}

TEST(ForkedChildTest, AChildOfAProcessWhoseWorkersHaveEndedMayUseTheScheduler) {
  ASSERT_TRUE(TheSchedulerWorks());
  for (int round = 0; round < 3; ++round) {
    DefaultPool().RetireWorkers();
    TheirPool().RetireWorkers();
    const Child child = Fork();
    if (child.id == 0) {
      if (!TheSchedulerWorks()) _exit(1);
      // So may a child of its own.
      DefaultPool().RetireWorkers();
      TheirPool().RetireWorkers();
      const Child grandchild = Fork();
      if (grandchild.id == 0) _exit(TheSchedulerWorks() ? 0 : 1);
      int status = -1;
      waitpid(grandchild.id, &status, 0);
      std::exit(status);
    }
    ExpectSuccess(child);
    ASSERT_TRUE(TheSchedulerWorks());
    // There are workers now.
    const Child late = Fork();
    if (late.id == 0) _exit(TheSchedulerWorks() ? 0 : 1);
    ExpectSentence(late);
  }
}

TEST(ForkedChildTest, WhileAnotherThreadHasAnArenaNoChildMayUseTheScheduler) {
  DefaultPool().RetireWorkers();
  TheirPool().RetireWorkers();
  std::promise<void> attached;
  std::promise<void> end;
  std::thread other([&] {
    DefaultPool().SetWorkerLimit(0);
    Fib(2);
    attached.set_value();
    end.get_future().wait();
  });
  attached.get_future().wait();
  const Child child = Fork();
  if (child.id == 0) {
    Fib(2);
    _exit(0);
  }
  ExpectSentence(child);
  end.set_value();
  other.join();
  DefaultPool().SetWorkerLimit(DefaultPool().concurrency() - 1);
}

TEST(ForkedChildTest, EveryUseEndsWithASentence) {
  Fib(20);
  TheirPool().Execute([] { Fib(20); });
  Arena& arena = TheirPool().AcquireArena({2, 1, Priority::kNormal});
  const std::function<void()> uses[] = {
      [] { Fib(2); },
      [] {
        TaskGroup group;
        for (;;) group.Run([] {});
      },
      [] {
        // A loop that is not worth the help of others, or cannot have any, does not need
        // the scheduler.
        if (DefaultPool().concurrency() == 1) Fib(2);
        std::atomic<int> sum{0};
        ParallelFor(0, 1 << 30, [&sum](int i) { sum.fetch_xor(i); });
      },
      [] { TheirPool().Execute([] { Fib(2); }); },
      [&] { Enqueue(arena, [] {}); },
      [] { Pool pool; },
  };
  const auto try_all = [&uses] {
    for (const auto& use : uses) {
      const Child child = Fork();
      if (child.id == 0) {
        use();
        _exit(0);
      }
      ExpectSentence(child);
    }
  };
  try_all();
  // The same by a thread that has not met the scheduler before.
  std::thread(try_all).join();
  TheirPool().ReleaseArena(arena);
}

TEST(ForkedChildTest, AChildMayEndAsItLikes) {
  Fib(20);
  TheirPool().Execute([] { Fib(20); });
  for (const bool at_once : {true, false}) {
    auto pool = std::make_unique<Pool>();
    pool->Execute([] { Fib(15); });
    const Child child = Fork();
    if (child.id == 0) {
      pool.reset();
      if (at_once) _exit(0);
      std::exit(0);  // with the destructors of statics and of this thread's objects
    }
    ExpectSuccess(child);
    // The parent goes on.
    EXPECT_EQ(pool->Execute([] { return Fib(15); }), 610);
  }
}

TEST(ForkedChildTest, AChildMayDropWhatItHasOfItsParents) {
  TheirPool().Execute([] { Fib(20); });
  pool_internal::TaskCache cache;  // without a stack for blocks yet
  void* const block = pool_internal::GlobalTaskDepot().TakeBlock(0);
  const Child child = Fork();
  if (child.id == 0) {
    cache.Free(0, block);
    _exit(0);
  }
  ExpectSuccess(child);
  cache.Free(0, block);
}

TEST(ForkedChildTest, AChildInTheMiddleOfATaskMayStillExit) {
  TheirPool().Execute([] {
    TaskGroup group;
    for (int i = 0; i < 10; ++i) {
      group.Run([] {
        const Child child = Fork();
        if (child.id == 0) _exit(0);
        ExpectSuccess(child);
        Fib(10);
      });
    }
    group.Wait();
  });
}

TEST(ForkedChildTest, AChildThatGoesOnWithItsTasksEndsWithASentence) {
  // Some are made by a thread that waits, and some by a worker.
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> forked{false};
    std::optional<Child> child;
    TheirPool().Execute([&] {
      TaskGroup group;
      for (int i = 0; i < 8; ++i) {
        group.Run([&] {
          if (!forked.exchange(true)) child = Fork();
          Fib(12);
        });
      }
      group.Wait();
    });
    ASSERT_NE(child->id, 0) << "the child got past the wait";
    ExpectSentence(*child);
  }
}

TEST(ForkedChildTest, NoChildHangsWhoeverHoldsWhichLock) {
  TheirPool().Execute([] { Fib(20); });  // it has workers
  std::atomic<bool> over{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      while (!over.load()) {
        TheirPool().Execute([] { Fib(10); });
        TaskGroup group;
        for (int k = 0; k < 100; ++k) group.Run([] {});
        group.Wait();
        Arena& arena = TheirPool().AcquireArena({2, 1, Priority::kNormal});
        Enqueue(arena, [] {});
        TheirPool().ReleaseArena(arena);
      }
    });
  }
  for (int i = 0; i < 30; ++i) {
    const Child child = Fork();
    if (child.id == 0) {
      if (i % 3 == 0) Fib(5);
      if (i % 3 == 1) TheirPool().Execute([] {});
      TaskGroup group;
      for (;;) group.Run([] {});
    }
    ExpectSentence(child);
  }
  over = true;
  for (std::thread& thread : busy) thread.join();
}

}  // namespace
}  // namespace filch

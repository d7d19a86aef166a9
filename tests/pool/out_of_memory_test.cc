// What is left of the pool's promises when memory runs out: the call reports
// std::bad_alloc and nothing has happened, or it does without the memory.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/branch.h"
#include "filch/pool/context.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/isolate.h"
#include "filch/pool/join.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/parallel_reduce.h"
#include "filch/pool/parallel_scan.h"
#include "filch/pool/pool.h"
#include "filch/pool/scan.h"
#include "filch/pool/scan_loop.h"
#include "filch/pool/segment_list.h"
#include "filch/pool/task.h"
#include "filch/pool/task_group.h"
#include "filch/pool/wait_group.h"
#include "filch/pool/wait_table.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/single_branch.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

// How many allocations threads get that begin now; negative: as many as they want.
std::atomic<int> allocations_of_new_threads{-1};
// How many more this thread gets.
thread_local int allocations_left = allocations_of_new_threads;

void* Allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Calls f once with every number of allocations that is not enough for it, each
// time in a new pool; the pool must be as good as ever afterwards.
template <typename F>
void RunOutOfMemory(int concurrency, const F& f) {
  bool enough = false;
  int allocations = 0;
  while (!enough) {
    PoolOptions options;
    options.concurrency = concurrency;
    options.name = "a name too long to be stored without memory";
    Pool pool(options);
    pool.Execute([&] {
      allocations_left = allocations++;
      try {
        f();
        enough = allocations_left != 0;
      } catch (const std::bad_alloc&) {
      }
      allocations_left = -1;
      int a = 0;
      int b = 0;
      Join([&] { a = 1; }, [&] { b = 2; });
      EXPECT_EQ(a + b, 3);
    });
  }
}

// First: the process's first wait that sleeps needs the table.
TEST(OutOfMemoryTest, ASleepNeedsNoMemory) {
  allocations_left = 0;
  pool_internal::GlobalWaitTable();
  allocations_left = -1;
}

TEST(OutOfMemoryTest, Join) {
  for (const int concurrency : {1, 2, 4}) {
    RunOutOfMemory(concurrency, [] {
      std::atomic<int> runs{0};
      Join([&] { Join([&] { ++runs; }, [&] { ++runs; }); }, [&] { ++runs; });
      EXPECT_EQ(runs.load(), 3);
    });
  }
}

TEST(OutOfMemoryTest, Fork) {
  for (const int concurrency : {1, 2, 4}) {
    RunOutOfMemory(concurrency, [] {
      std::atomic<int> runs{0};
      try {
        ForkAndAwait([&](pool_internal::Branch&) { ++runs; }, [&] { ++runs; });
      } catch (const std::bad_alloc&) {
        EXPECT_EQ(runs.load(), 0);  // and nobody was waited for
        throw;
      }
      EXPECT_EQ(runs.load(), 2);
    });
  }
}

TEST(OutOfMemoryTest, TaskGroup) {
  for (const int concurrency : {1, 2, 4}) {
    RunOutOfMemory(concurrency, [] {
      std::atomic<int> started{0};
      std::atomic<int> runs{0};
      TaskGroup group;
      try {
        // More than the first ring of a deque holds.
        for (int i = 0; i < 600; ++i) {
          group.Run([&] { ++runs; });
          ++started;
        }
      } catch (const std::bad_alloc&) {
        group.Wait();
        EXPECT_EQ(runs.load(), started.load());
        throw;
      }
      group.Wait();
      EXPECT_EQ(runs.load(), 600);
    });
  }
}

TEST(OutOfMemoryTest, ParallelFor) {
  for (const int concurrency : {1, 2, 4, 16}) {
    RunOutOfMemory(concurrency, [] {
      std::atomic<int> runs{0};
      ParallelFor(0, 1000, [&](int) { ++runs; });
      EXPECT_EQ(runs.load(), 1000);
    });
  }
}

// A scan of units that are their own sums.
struct Count {
  using Sum = int;

  Sum MakeSum() { return 0; }
  void Add(UnitInterval block, Sum& sum) { sum += static_cast<int>(block.size()); }
  void Finish(UnitInterval block, Sum& sum) {
    sum += static_cast<int>(block.size());
    if (then != nullptr) std::exchange(then, nullptr)();
  }
  Sum Combine(Sum& left, Sum right) { return left + right; }

  std::function<void()> then;
};

TEST(OutOfMemoryTest, ASumThatWasNotMadeIsNobodys) {
  using pool_internal::ScanLoop;
  using pool_internal::ScanOf;
  for (int allocations = 0; allocations != 4; ++allocations) {
    Count count;
    ScanOf<Count> scan(count);
    ScanOf<Count>::SumOfValue sum(0);
    ScanLoop loop(scan, sum, 3, 2);
    void* first = nullptr;
    void* thief = nullptr;
    count.then = [&] {
      allocations_left = allocations;
      try {
        loop.Run({1, 2}, &thief);
      } catch (const std::bad_alloc&) {
      }
      allocations_left = -1;
      loop.Run({1, 2}, &thief);
    };
    loop.Run({0, 1}, &first);
    loop.Run({2, 3}, &first);
    std::uint32_t units = 0;
    LoopBody* const left_over = loop.GatherLeftOver(&units);
    void* segment = nullptr;
    if (left_over != nullptr) left_over->Run({0, units}, &segment);
    EXPECT_EQ(sum.value, 3);
  }
}

TEST(OutOfMemoryTest, ParallelScan) {
  for (const int concurrency : {1, 2, 4, 16}) {
    RunOutOfMemory(concurrency, [] {
      std::atomic<int> runs{0};
      const int total = ParallelScan(
          0, 1000, 0,
          [&](int begin, int end, int sum, bool is_final) {
            // The rest is worth help.
            for (const std::uint64_t now = Ticks(); begin == 0 && Ticks() - now < 500000;) {
            }
            if (is_final) runs += end - begin;
            return sum + (end - begin);
          },
          [](int left, int right) { return left + right; });
      EXPECT_EQ(total, 1000);
      EXPECT_EQ(runs.load(), 1000);
    });
  }
}

TEST(OutOfMemoryTest, ParallelReduce) {
  for (const int concurrency : {1, 2, 4, 16}) {
    RunOutOfMemory(concurrency, [] {
      const int sum = ParallelReduce(
          0, 1000, 0, [](int begin, int end, int so_far) { return so_far + (end - begin); },
          [](int left, int right) { return left + right; });
      EXPECT_EQ(sum, 1000);
    });
  }
}

TEST(OutOfMemoryTest, SegmentList) {
  RunOutOfMemory(1, [] {
    LoopKind kind;
    pool_internal::SegmentList<int> list(kind);
    int made = 0;
    const auto check = [&] {
      const int left = std::exchange(allocations_left, 0);
      int seen = 0;
      list.ForEach([&](int& number) { EXPECT_EQ(number, ++seen - made); });
      EXPECT_EQ(seen, made);
      allocations_left = left;
    };
    try {
      // More than the cache gets at once, from right to left.
      for (; made < 600; ++made) list.Make(static_cast<std::uint32_t>(1000 - made), -made);
    } catch (const std::bad_alloc&) {
      check();
      throw;
    }
    check();
  });
}

TEST(OutOfMemoryTest, IsolatedWaitBesideForeignTasks) {
  RunOutOfMemory(1, [] {
    std::atomic<int> runs{0};
    TaskGroup foreign;
    int others = 0;
    try {
      Isolate([&] {
        TaskGroup own;
        own.Run([&] { ++runs; });
        for (int i = 0; i < 5; ++i) {
          Isolate([&] { foreign.Run([&] { ++runs; }); });
          ++others;
        }
        own.Wait();
        EXPECT_EQ(runs.load(), 1);
      });
    } catch (const std::bad_alloc&) {
      const int left = allocations_left;
      allocations_left = -1;
      foreign.Wait();
      EXPECT_GE(runs.load(), others);
      allocations_left = left;
      throw;
    }
    foreign.Wait();
    EXPECT_EQ(runs.load(), 6);
  });
}

TEST(OutOfMemoryTest, Enqueue) {
  for (const int concurrency : {1, 2}) {
    static std::atomic<int> runs{0};
    runs = 0;
    int enqueued = 0;
    RunOutOfMemory(concurrency, [&] {
      Enqueue(CurrentArena(), [] { ++runs; });
      ++enqueued;
    });
    // The pools are gone, and what was enqueued has run.
    EXPECT_EQ(runs.load(), enqueued);
  }
}

TEST(OutOfMemoryTest, ATaskOfAGroupIsEnqueuedWithoutMemory) {
  class Nothing final : public Task {
   public:
    explicit Nothing(WaitGroup& group) : Task(&Nothing::Run, &group.context()), group_(group) {}

   private:
    static Task* Run(Task& task, Execution& execution) noexcept {
      static_cast<Nothing&>(task).group_.Done(execution);
      return nullptr;
    }
    WaitGroup& group_;
  };
  for (const int concurrency : {1, 2}) {
    Pool pool(OfThreads(concurrency));
    pool.Execute([] {
      Context context;
      WaitGroup group(context);
      Nothing task(group);
      group.Add();
      Arena& arena = CurrentArena();
      allocations_left = 0;
      static_assert(noexcept(group.EnqueueIn(arena, task)), "Facades rely on it.");
      group.EnqueueIn(arena, task);
      allocations_left = -1;
      group.Wait();
    });
  }
}

TEST(OutOfMemoryTest, AThreadInAnArenaWithCpusOfItsOwn) {
  const absl::StatusOr<CpuSet> before = ThisThreadBinding();
  if (!before.ok()) GTEST_SKIP() << before.status();
  Pool pool(OfThreads(1));
  ArenaOptions options;
  options.cpus = {before->First()};
  Arena& arena = pool.AcquireArena(options);
  for (int allocations = 0; allocations < 20; ++allocations) {
    int runs = 0;
    allocations_left = allocations;
    // It may be bound in vain, or not at all.
    ExecuteIn(arena, [&] { ++runs; });
    allocations_left = -1;
    EXPECT_EQ(runs, 1);
    EXPECT_FALSE(arena.slots().AnyIsOccupied());
    const absl::StatusOr<CpuSet> after = ThisThreadBinding();
    ASSERT_TRUE(after.ok()) << after.status();
    EXPECT_EQ(*after, *before);
  }
  pool.ReleaseArena(arena);
}

// For the threads that begin in its life, until they give themselves more.
class NewThreadsGet {
 public:
  explicit NewThreadsGet(int allocations) { allocations_of_new_threads = allocations; }
  ~NewThreadsGet() { allocations_of_new_threads = -1; }
};

TEST(OutOfMemoryTest, AWorkerThatCannotBeBound) {
  const absl::StatusOr<CpuSet> cpus = ThisThreadBinding();
  if (!cpus.ok()) GTEST_SKIP() << cpus.status();
  for (const int allocations : {0, 1, 2, 3, 4}) {
    PoolOptions options;
    options.concurrency = 2;
    options.name = "a name too long to be stored without memory";
    options.places = {{*cpus, {}}};
    // What was bound is counted as unbound if there was no memory to say so.
    options.thread_start = [](int) { allocations_left = -1; };
    Pool pool(options);
    // Its workers are bound once more, to where their starter was.
    ArenaOptions bound;
    bound.cpus = {cpus->First()};
    bound.slots = 2;
    Arena& arena = pool.AcquireArena(bound);
    ExecuteIn(arena, [&] {
      const NewThreadsGet few(allocations);
      std::atomic<bool> ran{false};
      Enqueue(arena, [&] { ran = true; });
      YieldUntil(ran);
    });
    EXPECT_EQ(pool.Stats().workers, 1);
    EXPECT_TRUE(allocations > 0 || pool.Stats().unbound == 1);
    pool.ReleaseArena(arena);
  }
}

TEST(OutOfMemoryTest, TheExtraThreadOfAPool) {
  for (const bool is_bound : {false, true}) {
    const absl::StatusOr<CpuSet> cpus = ThisThreadBinding();
    if (is_bound && !cpus.ok()) GTEST_SKIP() << cpus.status();
    PoolOptions options;
    options.concurrency = 1;
    options.name = "a name too long to be stored without memory";
    Pool pool(options);
    ArenaOptions full;
    full.slots = 2;
    full.reserved = 2;
    if (is_bound) full.cpus = *cpus;
    Arena& arena = pool.AcquireArena(full);
    std::atomic<int> busy{0};
    std::atomic<bool> ran{false};
    // Runs in a task, so that it takes nothing out of the queue, and spawns for ever.
    const auto spawn = [&](bool enqueues) {
      TaskGroup group;
      group.Run([&, enqueues] {
        ++busy;
        YieldUntil(busy, 2);
        if (enqueues) {
          Enqueue(arena, [&] {
            allocations_left = -1;
            ran = true;
          });
        }
        while (!ran) Join([] {}, [] {});
      });
      group.Wait();
    };
    const NewThreadsGet none(0);
    std::thread other([&] {
      allocations_left = -1;
      ExecuteIn(arena, [&] { spawn(false); });
    });
    ExecuteIn(arena, [&] { spawn(true); });
    other.join();
    EXPECT_EQ(pool.Stats().workers, 0);
    pool.ReleaseArena(arena);
  }
}

TEST(OutOfMemoryTest, PoolsComeAndGoInBoundedMemory) {
  // The first few may need memory that the process has not had before.
  for (int round = 0; round < 40; ++round) {
    Pool pool(OfThreads(1));
    pool.Execute([&] {
      TaskGroup group;
      // The deque and the cache are there; what comes now is memory for tasks, more
      // than the cache has taken by then.
      Join([] {}, [] {});
      group.Run([] {});
      if (round >= 10) allocations_left = 0;
      for (int i = 0; i < 200; ++i) group.Run([] {});
      allocations_left = -1;
      group.Wait();
    });
  }
}

}  // namespace
}  // namespace filch

// Not inlined: a compiler that sees through one of a pair takes it for the
// mistake of freeing memory of another kind.
__attribute__((noinline)) void* operator new(std::size_t size) {
  return filch::Allocate(size, alignof(std::max_align_t));
}
__attribute__((noinline)) void* operator new[](std::size_t size) {
  return filch::Allocate(size, alignof(std::max_align_t));
}
__attribute__((noinline)) void* operator new(std::size_t size, std::align_val_t alignment) {
  return filch::Allocate(size, static_cast<std::size_t>(alignment));
}
__attribute__((noinline)) void* operator new[](std::size_t size, std::align_val_t alignment) {
  return filch::Allocate(size, static_cast<std::size_t>(alignment));
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete[](void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::size_t,
                                               std::align_val_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete[](void* memory, std::size_t,
                                                 std::align_val_t) noexcept {
  std::free(memory);
}

// The threads of a pool: their names, what is called when they start and stop,
// where they run, and what happens when the system has none left.
#include <pthread.h>

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/worker_place.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/thread_name.h"

namespace filch {
namespace {

// Calls f on every worker of the pool, each on its own thread.
void OnEveryWorker(Pool& pool, const std::function<void()>& f) {
  const int workers = pool.concurrency() - 1;
  std::atomic<int> come{0};
  std::atomic<int> gone{0};
  pool.Execute([&] {
    for (int i = 0; i < workers; ++i) {
      Enqueue(CurrentArena(), [&] {
        ++come;
        while (come.load() < workers) std::this_thread::yield();
        f();
        ++gone;
      });
    }
    while (gone.load() < workers) std::this_thread::yield();
  });
}

TEST(WorkerThreadsTest, AreNamedByPoolAndNumber) {
  const std::string before = NameOfThisThread();
  for (const std::string prefix : {"filch", "renderer"}) {
    PoolOptions options = OfThreads(4);
    options.name = prefix;
    Pool pool(options);
    std::mutex mutex;
    std::set<std::string> names;
    OnEveryWorker(pool, [&] {
      const std::lock_guard<std::mutex> lock(mutex);
      names.insert(NameOfThisThread());
    });
    EXPECT_EQ(names, (std::set<std::string>{prefix + "/0", prefix + "/1", prefix + "/2"}));
  }
  EXPECT_EQ(NameOfThisThread(), before);
}

TEST(WorkerThreadsTest, CallTheHooksBeforeTheFirstTaskAndAtTheEnd) {
  struct Log {
    std::mutex mutex;
    std::vector<std::thread::id> started = std::vector<std::thread::id>(3);
    std::multiset<int> starts;
    std::multiset<int> stops;
  } log;
  static thread_local bool was_started = false;
  {
    PoolOptions options = OfThreads(4);
    options.thread_start = [&log](int number) {
      if (number == PoolOptions::kExtraThread) return;  // it may be there, or not
      const std::lock_guard<std::mutex> lock(log.mutex);
      log.starts.insert(number);
      log.started[static_cast<std::size_t>(number)] = std::this_thread::get_id();
      was_started = true;
    };
    options.thread_stop = [&log](int number) {
      if (number == PoolOptions::kExtraThread) return;
      const std::lock_guard<std::mutex> lock(log.mutex);
      log.stops.insert(number);
      // On the same thread.
      EXPECT_EQ(log.started[static_cast<std::size_t>(number)], std::this_thread::get_id());
    };
    Pool pool(options);
    for (int round = 0; round < 3; ++round) {
      OnEveryWorker(pool, [] { EXPECT_TRUE(was_started); });
    }
    const std::lock_guard<std::mutex> lock(log.mutex);
    EXPECT_TRUE(log.stops.empty());
  }
  EXPECT_FALSE(was_started);  // not on the thread from outside
  EXPECT_EQ(log.starts, (std::multiset<int>{0, 1, 2}));
  EXPECT_EQ(log.stops, (std::multiset<int>{0, 1, 2}));
}

TEST(WorkerThreadsTest, RunWhereTheMakerOfThePoolMayAndNotWhereTheirStarterMay) {
  const CpuSet allowed = ThisThreadBinding().value();
  if (allowed.size() < 2) GTEST_SKIP() << "There is one cpu.";
  // One worker, so that none restricts another one for a moment (WakePlacement).
  Pool pool(OfThreads(2));
  EXPECT_EQ(pool.cpus(), allowed);
  CpuSet binding;
  std::thread([&] {
    ASSERT_TRUE(BindThisThread({allowed.First()}).ok());
    OnEveryWorker(pool, [&binding] { binding = ThisThreadBinding().value(); });
  }).join();
  EXPECT_NE(binding, CpuSet({allowed.First()})) << binding.ToString();
}

TEST(WorkerThreadsTest, AreAsManyAsThePoolsCpus) {
  const CpuSet allowed = ThisThreadBinding().value();
  PoolOptions options;
  options.cpus = {allowed.First()};
  const char* const wish = std::getenv("FILCH_NUM_THREADS");
  if (wish != nullptr) GTEST_SKIP() << "FILCH_NUM_THREADS says how many.";
  EXPECT_EQ(Pool(options).concurrency(), 1);
  options.concurrency = 2;
  Pool pool(options);
  OnEveryWorker(pool, [&] { EXPECT_EQ(ThisThreadBinding().value(), options.cpus); });
}

TEST(WorkerThreadsTest, AreBoundToTheirPlaces) {
  const CpuSet allowed = ThisThreadBinding().value();
  PoolOptions options = OfThreads(4);
  // As many places as cpus, but at most one less than workers: they go round.
  for (const int cpu : allowed) {
    if (options.places.size() < 3) options.places.push_back({{cpu}, {}});
  }
  Pool pool(options);
  std::mutex mutex;
  std::multiset<std::string> bindings;
  OnEveryWorker(pool, [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    bindings.insert(ThisThreadBinding().value().ToString());
  });
  std::multiset<std::string> expected;
  for (std::size_t worker = 0; worker < 3; ++worker) {
    expected.insert(options.places[(worker + 1) % options.places.size()].cpus.ToString());
  }
  EXPECT_EQ(bindings, expected);
  EXPECT_EQ(pool.Stats().unbound, 0);
  // The thread from outside is not touched.
  EXPECT_EQ(ThisThreadBinding().value(), allowed);
}

TEST(WorkerThreadsTest, RunElsewhereIfTheSystemDoesNotLetThemGoThere) {
  PoolOptions options = OfThreads(3);
  options.places = {{{CpuSet::kMaxCpu}, {}}};  // no machine has it
  Pool pool(options);
  std::atomic<int> runs{0};
  OnEveryWorker(pool, [&] { ++runs; });
  EXPECT_EQ(runs.load(), 2);
  EXPECT_EQ(pool.Stats().unbound, 2);
}

// While it lives, the system refuses every new thread: nobody has that much
// memory for a stack.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{1} << 60), 0);
    EXPECT_EQ(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_;
};

TEST(WorkerThreadsTest, AreDoneWithoutWhenTheSystemHasNone) {
  Pool pool(OfThreads(4));
  {
    const NoMoreThreads none;
    EXPECT_EQ(pool.Execute([] {
      int a = 0;
      int b = 0;
      Join([&] { a = 1; }, [&] { b = 2; });
      return a + b;
    }),
              3);
    EXPECT_EQ(pool.Stats().workers, 0);
    EXPECT_GE(pool.Stats().refused, 1);
  }
  // There are some again, and the next call tries.
  std::atomic<int> runs{0};
  OnEveryWorker(pool, [&] { ++runs; });
  EXPECT_EQ(runs.load(), 3);
  EXPECT_EQ(pool.Stats().workers, 3);
}

TEST(WorkerThreadsTest, DoTheWorkOfThoseThatCouldNotBeStarted) {
  Pool pool(OfThreads(4));
  std::atomic<bool> started{false};
  std::atomic<bool> over{false};
  std::atomic<int> runs{0};
  pool.Execute([&] {
    Enqueue(CurrentArena(), [&] {
      started = true;
      while (!over.load()) std::this_thread::yield();
    });
    while (!started.load()) std::this_thread::yield();
    // One worker is there and busy.
    const NoMoreThreads none;
    for (int i = 0; i < 100; ++i) Enqueue(CurrentArena(), [&] { ++runs; });
    over = true;
    while (runs.load() < 100) std::this_thread::yield();
  });
  EXPECT_EQ(pool.Stats().workers, 1);
  EXPECT_GE(pool.Stats().refused, 1);
}

TEST(WorkerThreadsTest, RoundAsThePoolsMakerDidAndNotAsTheirStarterDoes) {
  Pool pool(OfThreads(4));
  std::atomic<int> wrong{0};
  std::fesetround(FE_UPWARD);
  OnEveryWorker(pool, [&] { wrong += std::fegetround() != FE_TONEAREST; });
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(pool.Stats().workers, 3);
  EXPECT_EQ(wrong.load(), 0);
}

TEST(WorkerThreadsTest, LeaveEnqueuedWorkToTheDestructorIfThereIsNone) {
  std::atomic<int> runs{0};
  {
    Pool pool(OfThreads(4));
    const NoMoreThreads none;
    pool.Execute([&] {
      for (int i = 0; i < 10; ++i) Enqueue(CurrentArena(), [&] { ++runs; });
    });
  }
  EXPECT_EQ(runs.load(), 10);
}

}  // namespace
}  // namespace filch

// task_arena: loops and groups in other arenas, tasks from outside, and two threads at once.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

void RunLoop(Units& units) {
  tbb::parallel_for(std::size_t{0}, units.size(), [&](std::size_t i) { units.Run(i); });
}

void RunGroup(Units& units) {
  tbb::task_group group;
  for (std::size_t i = 0; i < units.size(); ++i) group.run([&units, i] { units.Run(i); });
  group.wait();
}

// run(arena, units) in an arena of its own, which lives as long as the row.
template <typename Run>
void AddInArena(const char* kind, Run run) {
  AddGrid(kind, [run](std::size_t n, std::uint32_t steps) {
    auto arena = std::make_shared<tbb::task_arena>();
    auto units = std::make_shared<Units>(n, steps);
    return Call{[=] {
                  run(*arena, *units);
                  return units->Answer();
                },
                {}};
  });
}

// Tasks from outside, whose end is waited for by a group.
void EnqueueGroup(tbb::task_arena& arena, Units& units) {
  tbb::task_group group;
  for (std::size_t i = 0; i < units.size(); ++i) {
    arena.enqueue(group.defer([&units, i] { units.Run(i); }));
  }
  arena.execute([&] { group.wait(); });
}

// The same, whose end is waited for by looking.
void EnqueueAndLook(tbb::task_arena& arena, Units& units) {
  std::atomic<std::size_t> left{units.size()};
  for (std::size_t i = 0; i < units.size(); ++i) {
    arena.enqueue([&units, &left, i] {
      units.Run(i);
      left.fetch_sub(1, std::memory_order_release);
    });
  }
  while (left.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

// A thread that does what it is told; Start and Wait take turns.
class Companion {
 public:
  Companion() : thread_([this] { Serve(); }) {}
  ~Companion() {
    Start({});
    thread_.join();
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  // An empty one ends the thread.
  void Start(std::function<void()> what) {
    const std::lock_guard<std::mutex> lock(mutex_);
    what_ = std::move(what);
    busy_ = true;
    changed_.notify_all();
  }
  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
  }

 private:
  void Serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return busy_; });
      const std::function<void()> what = std::move(what_);
      if (!what) return;
      lock.unlock();
      what();
      lock.lock();
      busy_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> what_;
  bool busy_ = false;
  std::thread thread_;  // the last: it uses the others
};

// How much work each of two threads does in loops before they meet again: long enough for the
// kernel to give each a processor.
constexpr std::size_t kStepsBetween = static_cast<std::size_t>(2000 * bench::kStepsPerMicrosecond);

void AddTwoThreads() {
  AddGridUpTo(64, "two_threads", [](std::size_t n, std::uint32_t steps) {
    auto companion = std::make_shared<Companion>();
    auto mine = std::make_shared<Units>(n, steps);
    auto theirs = std::make_shared<Units>(n, steps);
    return Call{[=] {
                  const auto loops = [n, steps](Units& units) {
                    for (std::size_t done = 0; done < kStepsBetween; done += n * steps) {
                      RunLoop(units);
                    }
                  };
                  companion->Start([&] { loops(*theirs); });
                  loops(*mine);
                  companion->Wait();
                  return mine->Answer() + theirs->Answer();
                },
                {}};
  });
}

const Rows rows([] {
  AddInArena("arena_loop",
             [](tbb::task_arena& arena, Units& units) { arena.execute([&] { RunLoop(units); }); });
  AddInArena("arena_group",
             [](tbb::task_arena& arena, Units& units) { arena.execute([&] { RunGroup(units); }); });
  // Made and ended outside of the arena, filled and waited for in it.
  AddInArena("arena_group_outside", [](tbb::task_arena& arena, Units& units) {
    tbb::task_group group;
    arena.execute([&] {
      for (std::size_t i = 0; i < units.size(); ++i) group.run([&units, i] { units.Run(i); });
    });
    arena.execute([&] { group.wait(); });
  });
  AddInArena("enqueue_group", EnqueueGroup);
  AddInArena("enqueue", EnqueueAndLook);
  AddTwoThreads();
});

}  // namespace
}  // namespace sweep

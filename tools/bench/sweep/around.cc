// What goes with scheduling: locks, values of threads, memory, and objects that are made and ended.
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/collaborative_call_once.h>
#include <tbb/combinable.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/scalable_allocator.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

constexpr std::size_t kLocks = 256;

// `kLocks` units of a loop, each of which holds a lock for `inside` steps and works for
// `outside` without it.
template <typename Mutex, typename Scope>
void AddLocked(const std::string& kind, const char* form, std::uint32_t inside,
               std::uint32_t outside, Scope scope) {
  Add(kind, form, [=] {
    auto mutex = std::make_shared<Mutex>();
    auto sum = std::make_shared<std::uint64_t>(0);
    return Call{[=] {
                  *sum = 0;
                  tbb::parallel_for(
                      std::size_t{0}, kLocks,
                      [&](std::size_t i) {
                        const std::uint64_t work = bench::Work(outside);
                        scope(*mutex, i, [&] { *sum += bench::Work(inside) + work; });
                      },
                      tbb::static_partitioner());
                  return *sum;
                },
                {}};
  });
}

template <typename Mutex>
void AddMutex(const std::string& kind) {
  const auto scope = [](Mutex& mutex, std::size_t, const auto& body) {
    const typename Mutex::scoped_lock lock(mutex);
    body();
  };
  AddLocked<Mutex>(kind, "0 in, 0.1 us out", 0, 60, scope);
  AddLocked<Mutex>(kind, "0.1 us in, 0 out", 60, 0, scope);
  AddLocked<Mutex>(kind, "0.1 us in, 2 us out", 60, 1200, scope);
  AddLocked<Mutex>(kind, "2 us in, 2 us out", 1200, 1200, scope);
}

// Every eighth unit writes.
template <typename Mutex>
void AddRwMutex(const std::string& kind) {
  AddMutex<Mutex>(kind);
  Add(kind, "readers", [] {
    auto mutex = std::make_shared<Mutex>();
    auto units = std::make_shared<Units>(kLocks, 60);
    return Call{[=] {
                  tbb::parallel_for(
                      std::size_t{0}, kLocks,
                      [&](std::size_t i) {
                        const typename Mutex::scoped_lock lock(*mutex, i % 8 == 0);
                        units->Run(i);
                      },
                      tbb::static_partitioner());
                  return units->Answer();
                },
                {}};
  });
}

template <typename Run>
void AddSums(const char* kind, Run run) {
  AddGridUpTo(256, kind, [run](std::size_t n, std::uint32_t steps) {
    return Call{[=] { return static_cast<std::uint64_t>(run(n, steps)); }, {}};
  });
}

std::uint64_t SumByThreads(std::size_t n, std::uint32_t steps) {
  tbb::enumerable_thread_specific<std::uint64_t> sums(std::uint64_t{0});
  tbb::parallel_for(std::size_t{0}, n,
                    [&](std::size_t i) { sums.local() += bench::Work(steps) + i; });
  return sums.combine(std::plus<>());
}

std::uint64_t SumByCombinable(std::size_t n, std::uint32_t steps) {
  tbb::combinable<std::uint64_t> sums([] { return std::uint64_t{0}; });
  tbb::parallel_for(std::size_t{0}, n,
                    [&](std::size_t i) { sums.local() += bench::Work(steps) + i; });
  return sums.combine(std::plus<>());
}

// All units need what one of them makes.
std::uint64_t CallOnce(std::size_t n, std::uint32_t steps) {
  tbb::collaborative_once_flag flag;
  std::uint64_t made = 0;
  Units units(n, steps);
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
    tbb::collaborative_call_once(flag, [&] { made = bench::Work(steps) + 1; });
    units.Run(i);
  });
  return units.Answer() + made;
}

// Blocks of one size: one at a time, and a hundred before the first is freed.
template <typename Allocate, typename Free>
void AddMemory(const std::string& kind, Allocate allocate, Free free) {
  for (const std::size_t size : {16, 100, 1000, 8000, 60000, 250000, 1000000, 5000000}) {
    Add(kind, std::to_string(size), [=] {
      return Call{[=] {
                    auto* const block = static_cast<char*>(allocate(size));
                    block[0] = 1;
                    block[size - 1] = 2;
                    const auto sum = static_cast<std::uint64_t>(block[0] + block[size - 1]);
                    free(block, size);
                    return sum;
                  },
                  {}};
    });
    if (size > 60000) continue;
    Add(kind, std::to_string(size) + ", 100 of them", [=] {
      return Call{[=] {
                    std::array<char*, 100> blocks;
                    std::uint64_t sum = 0;
                    for (char*& block : blocks) {
                      block = static_cast<char*>(allocate(size));
                      block[0] = 1;
                    }
                    for (char* const block : blocks) {
                      sum += static_cast<std::uint64_t>(block[0]);
                      free(block, size);
                    }
                    return sum;
                  },
                  {}};
    });
  }
}

template <typename Run>
void AddObject(const char* form, Run run) {
  Add("object", form, [=] {
    return Call{[=] {
                  run();
                  return std::uint64_t{1};
                },
                {}};
  });
}

void AddObjects() {
  AddObject("task_group", [] { tbb::task_group group; });
  AddObject("task_group_context", [] { tbb::task_group_context context; });
  AddObject("task_arena", [] { tbb::task_arena arena; });
  AddObject("task_arena, used", [] {
    tbb::task_arena arena;
    arena.execute([] {});
  });
  AddObject("isolate", [] { tbb::this_task_arena::isolate([] {}); });
  AddObject("global_control", [] {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1024);
  });
  AddObject("enumerable_thread_specific", [] {
    tbb::enumerable_thread_specific<int> values(1);
    values.local() = 2;
  });
  AddObject("affinity_partitioner", [] {
    tbb::affinity_partitioner partitioner;
    tbb::parallel_for(
        0, 1, [](int) {}, partitioner);
  });
}

const Rows rows([] {
  AddMutex<tbb::spin_mutex>("spin_mutex");
  AddMutex<tbb::mutex>("mutex");
  AddMutex<tbb::queuing_mutex>("queuing_mutex");
  AddRwMutex<tbb::spin_rw_mutex>("spin_rw_mutex");
  AddRwMutex<tbb::rw_mutex>("rw_mutex");
  AddRwMutex<tbb::queuing_rw_mutex>("queuing_rw_mutex");
  AddSums("thread_specific", SumByThreads);
  AddSums("combinable", SumByCombinable);
  AddSums("call_once", CallOnce);
  AddMemory(
      "scalable_malloc", [](std::size_t size) { return scalable_malloc(size); },
      [](void* block, std::size_t) { scalable_free(block); });
  AddMemory(
      "cache_aligned_allocator",
      [](std::size_t size) { return tbb::cache_aligned_allocator<char>().allocate(size); },
      [](char* block, std::size_t size) {
        tbb::cache_aligned_allocator<char>().deallocate(block, size);
      });
  AddObjects();
});

}  // namespace
}  // namespace sweep

// What the deques cost, beside a plain array and a std::deque under a mutex.
//
//   PushPop        one item in and out by the owner
//   PushSteal      one item in by the owner and out at the other end, one thread
//   JoinTree       a binary recursion that pushes one half and pops it back:
//                  ns per join, the recursion's own work (Nothing) included
//   OwnerAgainst   the owner pushes and pops while n thieves steal: ns per item
//
// Debian 12 packages no work-stealing deque for C++ by itself; the nearest, the
// fixed-size RunQueue inside libeigen3-dev, is not compared.
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "benchmark/benchmark.h"
#include "filch/deque/chase_lev_deque.h"
#include "filch/deque/locked_deque.h"
#include "filch/deque/split_deque.h"
#include "filch/deque/steal_result.h"

namespace {

struct Task {
  int number = 0;
};

class PlainArray {
 public:
  void Push(Task* task) { tasks_[size_++] = task; }
  bool Pop(Task** task) {
    if (size_ == 0) return false;
    *task = tasks_[--size_];
    return true;
  }

 private:
  std::array<Task*, 256> tasks_ = {};
  std::size_t size_ = 0;
};

class MutexDeque {
 public:
  void Push(Task* task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(task);
  }
  bool Pop(Task** task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (tasks_.empty()) return false;
    *task = tasks_.back();
    tasks_.pop_back();
    return true;
  }
  filch::StealResult<Task*> Steal() {
    const std::lock_guard<std::mutex> lock(mutex_);
    filch::StealResult<Task*> result;
    if (tasks_.empty()) return result;
    result.status = filch::StealStatus::kStolen;
    result.item = tasks_.front();
    tasks_.pop_front();
    return result;
  }

 private:
  std::mutex mutex_;
  std::deque<Task*> tasks_;
};

// Serves requests as a scheduler does, right after each Push.
class Split {
 public:
  void Push(Task* task) {
    deque_.Push(task);
    if (deque_.exposure_requested()) deque_.Expose();
  }
  bool Pop(Task** task) {
    std::uint64_t meta = 0;
    return deque_.Pop(task, &meta);
  }
  filch::StealResult<Task*> Steal() { return deque_.Steal(); }
  filch::SplitDeque<Task*>& deque() { return deque_; }

 private:
  filch::SplitDeque<Task*> deque_;
};

using ChaseLev = filch::ChaseLevDeque<Task*>;
using Locked = filch::LockedDeque<Task*>;

template <typename Deque>
void PushPop(benchmark::State& state) {
  Deque deque;
  Task task;
  for (auto _ : state) {
    deque.Push(&task);
    Task* got = nullptr;
    deque.Pop(&got);
    benchmark::DoNotOptimize(got);
  }
}

template <typename Deque>
void PushSteal(benchmark::State& state) {
  Deque deque;
  Task task;
  // A split deque shares what it is asked to: once, before the first item.
  benchmark::DoNotOptimize(deque.Steal().status);
  for (auto _ : state) {
    deque.Push(&task);
    benchmark::DoNotOptimize(deque.Steal().item);
  }
}

struct Nothing {};

template <typename Deque>
std::int64_t ForkAndJoin(Deque& deque, int n);

template <typename Deque>
inline std::int64_t Fib(Deque& deque, int n) {
  return n < 2 ? n : ForkAndJoin(deque, n);
}

// Not inlined, so that every row makes the same calls.
template <typename Deque>
__attribute__((noinline)) std::int64_t ForkAndJoin(Deque& deque, int n) {
  Task second{n - 1};
  std::int64_t first = 0;
  bool mine = false;
  if constexpr (std::is_same_v<Deque, Nothing>) {
    first = Fib(deque, n - 2);
    mine = true;
  } else if constexpr (std::is_same_v<Deque, Split>) {
    deque.Push(&second);
    first = Fib(deque, n - 2);
    mine = deque.deque().TryPop(&second);
  } else {
    deque.Push(&second);
    first = Fib(deque, n - 2);
    Task* got = nullptr;
    mine = deque.Pop(&got) && got == &second;
  }
  return mine ? first + Fib(deque, second.number) : -1;
}

template <typename Deque>
void JoinTree(benchmark::State& state) {
  int n = 24;
  constexpr double kJoins = 75024;  // of fib(24)
  Deque deque;
  for (auto _ : state) {
    benchmark::DoNotOptimize(n);
    benchmark::DoNotOptimize(Fib(deque, n));
  }
  state.counters["per_join"] = benchmark::Counter(
      kJoins, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <typename Deque>
void OwnerAgainst(benchmark::State& state) {
  constexpr int kBurst = 100;
  Deque deque;
  Task task;
  std::atomic<bool> done{false};
  std::atomic<std::int64_t> stolen{0};
  std::vector<std::thread> thieves;
  for (int i = 0; i < state.range(0); ++i) {
    thieves.emplace_back([&] {
      std::int64_t mine = 0;
      while (!done.load(std::memory_order_relaxed)) {
        if (deque.Steal().status == filch::StealStatus::kStolen) ++mine;
      }
      stolen.fetch_add(mine);
    });
  }
  Task* got = nullptr;
  for (auto _ : state) {
    for (int i = 0; i < kBurst; ++i) deque.Push(&task);
    while (deque.Pop(&got)) benchmark::DoNotOptimize(got);
  }
  done.store(true);
  for (std::thread& thief : thieves) thief.join();
  const auto items = static_cast<double>(state.iterations() * kBurst);
  state.counters["per_item"] = benchmark::Counter(
      kBurst, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["stolen_share"] = static_cast<double>(stolen.load()) / items;
}

BENCHMARK_TEMPLATE(PushPop, PlainArray);
BENCHMARK_TEMPLATE(PushPop, Split);
BENCHMARK_TEMPLATE(PushPop, ChaseLev);
BENCHMARK_TEMPLATE(PushPop, Locked);
BENCHMARK_TEMPLATE(PushPop, MutexDeque);

BENCHMARK_TEMPLATE(PushSteal, Split);
BENCHMARK_TEMPLATE(PushSteal, ChaseLev);
BENCHMARK_TEMPLATE(PushSteal, Locked);
BENCHMARK_TEMPLATE(PushSteal, MutexDeque);

BENCHMARK_TEMPLATE(JoinTree, Nothing);
BENCHMARK_TEMPLATE(JoinTree, Split);
BENCHMARK_TEMPLATE(JoinTree, ChaseLev);
BENCHMARK_TEMPLATE(JoinTree, Locked);
BENCHMARK_TEMPLATE(JoinTree, MutexDeque);

BENCHMARK_TEMPLATE(OwnerAgainst, Split)->DenseRange(1, 3)->UseRealTime();
BENCHMARK_TEMPLATE(OwnerAgainst, ChaseLev)->DenseRange(1, 3)->UseRealTime();
BENCHMARK_TEMPLATE(OwnerAgainst, Locked)->DenseRange(1, 3)->UseRealTime();
BENCHMARK_TEMPLATE(OwnerAgainst, MutexDeque)->DenseRange(1, 3)->UseRealTime();

}  // namespace

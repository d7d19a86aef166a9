// What the shared queue costs, beside a std::deque under a mutex and TBB's
// concurrent_queue: every thread puts one item in and takes one out.
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>

#include "benchmark/benchmark.h"
#include "filch/deque/sharded_fifo.h"
#include "filch/deque/steal_result.h"
#include "tbb/concurrent_queue.h"

namespace {

class Sharded {
 public:
  void Push(int item) { queue_.Push(item, stamp_++, Random()); }
  bool TryPop(int* item) {
    const filch::StealResult<int> found = queue_.TryPop(Random());
    *item = found.item;
    return found.status == filch::StealStatus::kStolen;
  }

 private:
  static std::uint64_t Random() {
    static __thread std::uint64_t state = 0;
    if (state == 0) state = reinterpret_cast<std::uintptr_t>(&state);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }

  static __thread std::uint64_t stamp_;
  filch::ShardedFifo<int> queue_{8};
};

__thread std::uint64_t Sharded::stamp_ = 0;

class MutexQueue {
 public:
  void Push(int item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  bool TryPop(int* item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (items_.empty()) return false;
    *item = items_.front();
    items_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<int> items_;
};

class TbbQueue {
 public:
  void Push(int item) { items_.push(item); }
  bool TryPop(int* item) { return items_.try_pop(*item); }

 private:
  tbb::concurrent_queue<int> items_;
};

template <typename Queue>
void PushTryPop(benchmark::State& state) {
  static Queue queue;
  int item = 0;
  for (auto _ : state) {
    queue.Push(1);
    benchmark::DoNotOptimize(queue.TryPop(&item));
  }
}

BENCHMARK_TEMPLATE(PushTryPop, Sharded)->ThreadRange(1, 4)->UseRealTime();
BENCHMARK_TEMPLATE(PushTryPop, MutexQueue)->ThreadRange(1, 4)->UseRealTime();
BENCHMARK_TEMPLATE(PushTryPop, TbbQueue)->ThreadRange(1, 4)->UseRealTime();

}  // namespace
